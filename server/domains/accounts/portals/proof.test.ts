import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { openFakeDnsServer } from "@/server/testing/dns";
import { makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { resetLimits } from "@/server/testing/limits";
import { countLockWaits } from "@/server/testing/locks";
import { mailsTo } from "@/server/testing/mailbox";
import { testServer } from "@/server/testing/server";
import { checkPortalsJob } from "./jobs";

let broken = false;
const proxy = createServer((req, res) => {
  if (broken) return void res.writeHead(502).end();
  const inward = request(
    { port: server.port, host: "127.0.0.1", path: req.url, headers: { host: req.headers.host } },
    (answer) => {
      res.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(res);
    },
  );
  inward.end();
});
await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
afterAll(() => new Promise<void>((resolve) => proxy.close(() => resolve())));
const { port } = proxy.address() as AddressInfo;

const NAMES = Array.from({ length: 10 }, (_, n) => `shop${n}.example.com`);
const dns = await openFakeDnsServer();
const server = await testServer({
  env: {
    APP_URL: `http://panel.test:${port}`,
    DNS_SERVERS: dns.address,
    OUTBOUND_TRUSTED: NAMES.map((name) => `http://${name}:${port}`).join(","),
  },
});
const { call, get, post, work } = server;

async function reseller() {
  const user = await makeUser({ role: "reseller" });
  await makeReseller(user.id);
  const customer = await makeUser({ resellerId: user.id });
  return { user, customer, token: await makeToken(user.id, { provenAt: new Date() }) };
}
type ResellerAccount = Awaited<ReturnType<typeof reseller>>;

const claim = async ({ token }: ResellerAccount, domain: string) =>
  (await call("PUT", "/api/reseller/portal", { token, body: { domain, lock_customers: true } })).json.portal;
const check = async ({ token }: ResellerAccount) =>
  (await post("/api/reseller/portal/check", undefined, { token })).json.portal;
const proofOf = (portal: { dns: { type: string; value: string }[] }) =>
  portal.dns.find(({ type }) => type === "TXT")!.value;
function addRecords(domain: string, proofs: string[], address = "127.0.0.1"): void {
  dns.zones.set(`_tellal.${domain}`, { txt: proofs });
  dns.zones.set(domain, { a: [address] });
}
/** Result of a customer's sign-in at the main address: "in", or the portal's URL. */
async function signIn({ customer }: ResellerAccount): Promise<string> {
  await resetLimits();
  const { status, json } = await post("/api/auth/login", {
    email: customer.email,
    password: "correct-horse",
  });
  return status === 200 ? "in" : json.portal_url;
}
async function linkHost({ customer }: ResellerAccount): Promise<string> {
  await resetLimits();
  await post("/api/auth/forgot-password", { email: customer.email });
  await work();
  const mail = (await mailsTo(server, customer.email, "reset_password"))[0]!;
  return new URL(/https?:\/\/\S+/.exec(mail.text)![0]).host;
}
const later = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const row = ({ user }: ResellerAccount) =>
  prisma().resellerPortal.findUniqueOrThrow({ where: { resellerId: user.id } });
const ask = async (domain: string) => (await get(`/api/portal-domains?domain=${domain}`)).status;
async function checkAll(account: ResellerAccount): Promise<void> {
  await prisma().resellerPortal.updateMany({
    where: { resellerId: account.user.id },
    data: { checkedAt: later(7) },
  });
  await checkPortalsJob();
  await work();
}

beforeEach(() => {
  broken = false;
});

describe("a portal's domain", () => {
  it("is verified by the first successful check, and locks from then on", async () => {
    const account = await reseller();
    const domain = NAMES[0]!;
    const portal = await claim(account, domain);
    expect(portal).toMatchObject({
      state: "pending",
      verified_at: null,
      dns: [
        { type: "TXT", name: `_tellal.${domain}`, value: expect.stringMatching(/^[0-9a-f]{32}$/) },
        { type: "CNAME", name: domain, value: "panel.test" },
      ],
    });
    expect([await signIn(account), await ask(domain)]).toEqual(["in", 404]);
    const nothing = await check(account);
    expect(nothing.state).toBe("pending");
    expect(nothing.checks.map(({ ok }: { ok: boolean }) => ok)).toEqual([false, false, false]);

    dns.zones.set(`_tellal.${domain}`, { txt: ["something else", proofOf(portal)] });
    expect((await check(account)).checks.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, false, false]);
    expect(await ask(domain), "its certificate may be made, so that it can answer").toBe(200);
    expect([await signIn(account), await linkHost(account)]).toEqual(["in", `panel.test:${port}`]);

    addRecords(domain, [proofOf(portal)]);
    expect(await check(account)).toMatchObject({ state: "verified", failing_since: null });
    expect([await signIn(account), await linkHost(account)]).toEqual([
      `http://${domain}:${port}`,
      `${domain}:${port}`,
    ]);
    expect(await ask(domain)).toBe(200);
  });

  it("may have a TXT record with any bytes, which are shown as printable text", async () => {
    const account = await reseller();
    const domain = "bytes.example.com";
    const proof = proofOf(await claim(account, domain));
    dns.zones.set(`_tellal.${domain}`, { txt: ["a\0b\x7F\x85\xFF", `${proof}\0`] });
    const { state, checks } = await check(account);
    expect(state).toBe("pending");
    expect(checks[0]).toEqual({
      name: "record",
      ok: false,
      detail: `a\uFFFDb\uFFFD\uFFFD\xFF, ${proof}\uFFFD`,
    });
    dns.zones.set(`_tellal.${domain}`, { txt: ["\0", proof] });
    expect((await check(account)).checks[0], "the other record counts").toMatchObject({ ok: true });
  });

  it("is also verified by the job, for two days after it was set", async () => {
    const account = await reseller();
    const portal = await claim(account, NAMES[1]!);
    addRecords(NAMES[1]!, [proofOf(portal)]);
    await prisma().resellerPortal.updateMany({
      where: { resellerId: account.user.id },
      data: { claimedAt: later(49) },
    });
    // The check that the change itself queued.
    await prisma().$executeRaw`delete from graphile_worker._private_jobs`;
    await checkAll(account);
    expect((await row(account)).verifiedAt, "given up").toBeNull();
    await prisma().resellerPortal.updateMany({
      where: { resellerId: account.user.id },
      data: { claimedAt: later(47) },
    });
    await checkAll(account);
    expect((await row(account)).verifiedAt).not.toBeNull();
  });

  it.each([
    ["answers with another proof", () => addRecords(NAMES[2]!, ["0".repeat(32)])],
    [
      "resolves to a private network",
      (proof: string) => addRecords("inside.example.com", [proof], "10.0.0.8"),
    ],
    ["resolves to this machine", (proof: string) => addRecords("inside.example.com", [proof])],
  ] as const)("is never used when it %s", async (what, prepare) => {
    const account = await reseller();
    const domain = what.startsWith("answers") ? NAMES[2]! : "inside.example.com";
    prepare(proofOf(await claim(account, domain)));
    expect((await check(account)).state).toBe("pending");
    expect([await signIn(account), await linkHost(account)]).toEqual(["in", `panel.test:${port}`]);
  });

  it("claimed by two resellers belongs to the one whose TXT record exists", async () => {
    const domain = NAMES[3]!;
    const [squatter, owner] = [await reseller(), await reseller()];
    await claim(squatter, domain);
    const proof = proofOf(await claim(owner, domain));
    addRecords(domain, [proof]);
    expect([(await check(squatter)).state, (await check(owner)).state]).toEqual(["pending", "verified"]);
    expect([await signIn(squatter), await signIn(owner)]).toEqual(["in", `http://${domain}:${port}`]);
    addRecords(domain, [proof, proofOf((await get("/api/reseller/portal", squatter.token)).json.portal)]);
    expect((await check(squatter)).state).toBe("pending");
    expect([await signIn(squatter), await signIn(owner)]).toEqual(["in", `http://${domain}:${port}`]);
  });

  it("is suspended after a day of failures, and recovers automatically", async () => {
    const account = await reseller();
    const domain = NAMES[4]!;
    addRecords(domain, [proofOf(await claim(account, domain))]);
    await check(account);
    expect(await signIn(account)).toBe(`http://${domain}:${port}`);

    broken = true;
    await checkAll(account);
    expect((await get("/api/reseller/portal", account.token)).json.portal).toMatchObject({
      state: "verified",
      failing_since: expect.stringMatching(/Z$/),
      checks: [{ ok: true }, { ok: true }, { name: "answer", ok: false, detail: "502" }],
    });
    expect(await signIn(account), "a short trouble changes nothing").toBe(`http://${domain}:${port}`);
    await prisma().resellerPortal.updateMany({
      where: { resellerId: account.user.id },
      data: { failingSince: later(25) },
    });
    await checkAll(account);
    await checkAll(account);
    expect((await row(account)).verifiedAt).toBeNull();
    expect([await signIn(account), await linkHost(account), await ask(domain)]).toEqual([
      "in",
      `panel.test:${port}`,
      200,
    ]);
    expect(await mailsTo(server, account.user.email, "portal_failing")).toHaveLength(1);

    broken = false;
    await checkAll(account);
    expect((await get("/api/reseller/portal", account.token)).json.portal).toMatchObject({
      state: "verified",
      failing_since: null,
    });
    expect(await signIn(account)).toBe(`http://${domain}:${port}`);
  });

  it("is verified again only by its owner after a week of failures", async () => {
    const account = await reseller();
    const domain = NAMES[9]!;
    addRecords(domain, [proofOf(await claim(account, domain))]);
    await check(account);
    const fail = (hours: number) =>
      prisma().resellerPortal.updateMany({
        where: { resellerId: account.user.id },
        data: { verifiedAt: null, failingSince: later(hours) },
      });
    await fail(6 * 24);
    await checkAll(account);
    expect((await row(account)).verifiedAt, "within a week").not.toBeNull();
    await fail(8 * 24);
    await checkAll(account);
    expect(
      (await row(account)).verifiedAt,
      "the buyer of a lapsed domain publishes the old proof",
    ).toBeNull();
    expect(await linkHost(account)).toBe(`panel.test:${port}`);
    expect(await check(account)).toMatchObject({ state: "verified", failing_since: null });
  });

  it("is not verified by a check of the domain before", async () => {
    const account = await reseller();
    const proof = proofOf(await claim(account, NAMES[5]!));
    addRecords(NAMES[5]!, [proof]);
    const [checked] = await Promise.all([check(account), claim(account, NAMES[6]!)]);
    expect(checked.domain === NAMES[6]! && checked.state !== "pending").toBe(false);
    const now = await row(account);
    expect({ domain: now.domain, verifiedAt: now.verifiedAt }).toEqual({
      domain: NAMES[6]!,
      verifiedAt: null,
    });
  });

  it("is not verified by a check during a change of the proof", async () => {
    const account = await reseller();
    addRecords(NAMES[8]!, [proofOf(await claim(account, NAMES[8]!))]);
    const other = await pool().connect();
    await other.query("begin");
    await other.query("select id from users where id = $1 for update", [account.user.id]);
    const checking = check(account);
    await expect.poll(countLockWaits).toBeGreaterThan(0);
    await other.query("update reseller_portals set proof = 'another' where reseller_id = $1", [
      account.user.id,
    ]);
    await other.query("commit");
    other.release();
    expect(await checking).toMatchObject({ domain: NAMES[8], state: "pending", verified_at: null });
  });

  it("serves its proof at its own host only", async () => {
    const account = await reseller();
    const proof = proofOf(await claim(account, NAMES[7]!));
    const read = (host: string) =>
      new Promise<[number, string]>((resolve, reject) => {
        const outgoing = request(
          { port: server.port, host: "127.0.0.1", path: "/.well-known/tellal-portal", headers: { host } },
          (answer) => {
            let text = "";
            answer.on("data", (chunk) => {
              text += chunk;
            });
            answer.on("end", () => resolve([answer.statusCode!, text]));
          },
        );
        outgoing.on("error", reject);
        outgoing.end();
      });
    expect(await read(NAMES[7]!)).toEqual([200, `${proof}\n`]);
    expect(await read("panel.test")).toEqual([404, ""]);
    expect(await read("%00")).toEqual([404, ""]);
  });
});
