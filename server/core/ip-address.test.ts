import { expect, it } from "vitest";
import { parseIpAddress } from "./ip-address";

it.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:192.0.2.1%eth0", "192.0.2.1"],
  ["::ffff:c000:201", "192.0.2.1"],
  ["0:0:0:0:0:ffff:192.0.2.1", "192.0.2.1"],
  ["::192.0.2.1", "::c000:201"],
  ["2001:DB8:0:0::1", "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1%eth0"],
])("parses %s as %s", (text, address) => expect(parseIpAddress(text)?.toString()).toBe(address));

it.each(["", "unknown", "1", "1.2.3", "010.0.0.1", "0x7f.1", "1.2.3.4:80", "[::1]", "::1::2", ":", "g::1"])(
  "rejects %j",
  (text) => expect(parseIpAddress(text)).toBeUndefined(),
);
