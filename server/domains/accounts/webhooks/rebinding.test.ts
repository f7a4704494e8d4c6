import dns from "node:dns";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it, vi } from "vitest";
import { overrideSettings } from "@/server/testing/settings";
import { stubDnsLookup } from "@/server/testing/stub-lookup";
import { sendAttempt, TIMEOUTS_MS } from "./service/send";
import { createWebhookSecret } from "./service/sign";

/* DNS rebinding: each lookup returns another address, so a second one would be unchecked. */

const CHECKED_ADDRESS = "127.0.0.2";
const OTHER_ADDRESS = "127.0.0.1";
let lookupCount = 0;
const nextAddress = () => (++lookupCount === 1 ? CHECKED_ADDRESS : OTHER_ADDRESS);
stubDnsLookup().mockImplementation(async () => [{ address: nextAddress(), family: 4 }]);
type LookupCallback = (error: null, address: unknown, family?: number) => void;
const receiver = createServer((_req, res) => res.end());
const localAddresses: Array<string | undefined> = [];
receiver.on("connection", ({ localAddress }) => localAddresses.push(localAddress));
afterAll(async () => {
  vi.restoreAllMocks();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

it("connects to the address that was checked", async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "0.0.0.0", resolve));
  vi.spyOn(dns, "lookup").mockImplementation(((
    _host: string,
    { all }: { all?: boolean },
    callback: LookupCallback,
  ) => {
    const address = nextAddress();
    if (all) callback(null, [{ address, family: 4 }]);
    else callback(null, address, 4);
  }) as never);
  const url = `http://rebound.example:${(receiver.address() as AddressInfo).port}/hook`;
  overrideSettings({ OUTBOUND_TRUSTED: new URL(url).origin });
  const secrets = {
    secretSealed: createWebhookSecret().secretSealed,
    oldSecretSealed: null,
    oldSecretUntil: null,
  };
  const attempt = await sendAttempt({ url, eventId: "msg_1", body: "{}", ...secrets }, TIMEOUTS_MS.delivery);
  expect(attempt).toMatchObject({ status: 200, failure: null });
  expect(lookupCount).toBe(1);
  expect(localAddresses).toEqual([CHECKED_ADDRESS]);
});
