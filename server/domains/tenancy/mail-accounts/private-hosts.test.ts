import { type AddressInfo, createServer } from "node:net";
import { afterAll, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeMailAccount, makeProvenUser, makeSignedInUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

let connectionCount = 0;
const canaryServer = createServer((socket) => {
  connectionCount++;
  socket.destroy();
});
await new Promise<void>((resolve) => canaryServer.listen(0, resolve));
afterAll(() => void canaryServer.close());
const { port: canaryPort } = canaryServer.address() as AddressInfo;

const { call, post } = await startTestServer();
const PATH = "/api/user/mail-account";
const { token } = await makeProvenUser();

async function saveAccount(changes: Record<string, unknown>) {
  await prisma().rateLimit.deleteMany();
  const body = {
    from_name: "Kaya",
    from_address: "a@example.com",
    host: "8.8.8.8",
    port: 587,
    ...changes,
  };
  return call("PUT", PATH, { token, body });
}

const PRIVATE_HOSTS = [
  ...[
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "127.0.0.1.",
    "①②⑦.0.0.1",
  ],
  ...[
    "0.0.0.0",
    "0",
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
  ],
  ...[
    "169.254.169.254",
    "0xA9FEA9FE",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
  ],
  ...["224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "192.88.99.1"],
  ...[
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:8.8.8.8]",
    "[::127.0.0.1]",
    "[fe80::1]",
  ],
  ...["[fc00::1]", "[fd12:3456::1]", "[ff02::1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::1]", "[2002:7f00:1::]"],
  ...["[2001:0:7f00:1::]", "[2001:db8::1]", "[100::1]", "[fec0::1]", "[3fff::1]"],
];

it.each(PRIVATE_HOSTS)("rejects the private host %s", async (host) => {
  const { status, json } = await saveAccount({ host });
  expect(status).toBe(422);
  expect(Object.keys(json.errors)).toEqual(["host"]);
});

it.each(["localhost", "nowhere.invalid", "metadata.google.internal"])(
  "rejects the unresolvable or internal name %s",
  async (host) => {
    expect(Object.keys((await saveAccount({ host })).json.errors)).toEqual(["host"]);
  },
);

it("accepts a public host only on ports for mail", async () => {
  for (const allowedPort of [25, 465, 587, 2525])
    expect((await saveAccount({ port: allowedPort })).status, String(allowedPort)).toBe(200);
  for (const forbiddenPort of [22, 80, 443, 3306, 5432, 6379, canaryPort])
    expect(
      Object.keys((await saveAccount({ port: forbiddenPort })).json.errors),
      String(forbiddenPort),
    ).toEqual(["port"]);
});

it("checks the address again when sending, so a host that became private gets no connection", async () => {
  const { token: unprovenToken, ...user } = await makeSignedInUser();
  const { id } = await makeMailAccount({ userId: user.id, port: canaryPort });
  for (const host of ["127.0.0.1", "localhost", "0.0.0.0", "::1", "::ffff:127.0.0.1"]) {
    await prisma().mailAccount.update({ where: { id }, data: { host } });
    await prisma().rateLimit.deleteMany();
    const { status, json } = await post(`${PATH}/test`, undefined, { token: unprovenToken });
    expect({ status, reason: json.reason }, host).toEqual({ status: 422, reason: "private_host" });
  }
});

it("opens no connection to this machine", () => expect(connectionCount).toBe(0));
