import dns from "node:dns";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it, vi } from "vitest";
import { stubLookup } from "@/server/testing/lookup";
import { overrideSettings } from "@/server/testing/settings";
import { send, TIMEOUTS } from "./service/send";
import { newSecret } from "./service/sign";

/* DNS rebinding: each lookup returns another address, so a second one would be unchecked. */

const CHECKED = "127.0.0.2";
const OTHER = "127.0.0.1";
let looks = 0;
const nextAddress = () => (++looks === 1 ? CHECKED : OTHER);
stubLookup().mockImplementation(async () => [{ address: nextAddress(), family: 4 }]);
type Found = (error: null, address: unknown, family?: number) => void;
const receiver = createServer((_req, res) => res.end());
const met: Array<string | undefined> = [];
receiver.on("connection", ({ localAddress }) => met.push(localAddress));
afterAll(async () => {
  vi.restoreAllMocks();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

it("connects to the address that was checked", async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "0.0.0.0", resolve));
  vi.spyOn(dns, "lookup").mockImplementation(((_host: string, { all }: { all?: boolean }, found: Found) => {
    const address = nextAddress();
    if (all) found(null, [{ address, family: 4 }]);
    else found(null, address, 4);
  }) as never);
  const url = `http://rebound.example:${(receiver.address() as AddressInfo).port}/hook`;
  overrideSettings({ OUTBOUND_TRUSTED: new URL(url).origin });
  const secrets = { secretSealed: newSecret().secretSealed, oldSecretSealed: null, oldSecretUntil: null };
  const attempt = await send({ url, eventId: "msg_1", body: "{}", ...secrets }, TIMEOUTS.delivery);
  expect(attempt).toMatchObject({ status: 200, failure: null });
  expect(looks).toBe(1);
  expect(met).toEqual([CHECKED]);
});
