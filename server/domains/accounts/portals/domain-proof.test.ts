import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { openFakeDnsServer } from "@/server/testing/dns";
import { makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { countLockWaits } from "@/server/testing/locks";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";
import { checkPortalsJob } from "./jobs";

let isProxyBroken = false;
const proxy = createServer((req, res) => {
  if (isProxyBroken) return void res.writeHead(502).end();
  const proxiedRequest = request(
    { port: server.port, host: "127.0.0.1", path: req.url, headers: { host: req.headers.host } },
    (response) => {
      res.writeHead(response.statusCode!, response.headers);
      response.pipe(res);
    },
  );
  proxiedRequest.end();
});
await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
afterAll(() => new Promise<void>((resolve) => proxy.close(() => resolve())));
const { port } = proxy.address() as AddressInfo;

const DOMAINS = Array.from({ length: 10 }, (_, index) => `shop${index}.example.com`);
const dns = await openFakeDnsServer();
const server = await startTestServer({
  env: {
    APP_URL: `http://panel.test:${port}`,
    DNS_SERVERS: dns.address,
    OUTBOUND_TRUSTED: DOMAINS.map((name) => `http://${name}:${port}`).join(","),
  },
});
const { call, get, post, runJobs } = server;

async function makeResellerWithCustomer() {
  const user = await makeUser({ role: "reseller" });
  await makeReseller(user.id);
  const customer = await makeUser({ resellerId: user.id });
  return { user, customer, token: await makeToken(user.id, { provenAt: new Date() }) };
}
type ResellerAccount = Awaited<ReturnType<typeof makeResellerWithCustomer>>;

const claimDomain = async ({ token }: ResellerAccount, domain: string) =>
  (await call("PUT", "/api/reseller/portal", { token, body: { domain, lock_customers: true } })).json.portal;
const checkDomain = async ({ token }: ResellerAccount) =>
  (await post("/api/reseller/portal/check", undefined, { token })).json.portal;
const getDomainProof = (portal: { dns: { type: string; value: string }[] }) =>
  portal.dns.find(({ type }) => type === "TXT")!.value;
function setDnsRecords(domain: string, proofs: string[], address = "127.0.0.1"): void {
  dns.zones.set(`_tellal.${domain}`, { txt: proofs });
  dns.zones.set(domain, { a: [address] });
}
async function getSignInTarget({ customer }: ResellerAccount): Promise<string> {
  await resetRateLimits();
  const { status, json } = await post("/api/auth/login", {
    email: customer.email,
    password: "correct-horse",
  });
  return status === 200 ? "in" : json.portal_url;
}
async function getMailLinkHost({ customer }: ResellerAccount): Promise<string> {
  await resetRateLimits();
  await post("/api/auth/forgot-password", { email: customer.email });
  await runJobs();
  const mail = (await deliverAndReadMails(server, customer.email, "reset_password"))[0]!;
  return new URL(/https?:\/\/\S+/.exec(mail.text)![0]).host;
}
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const readPortalRow = ({ user }: ResellerAccount) =>
  prisma().resellerPortal.findUniqueOrThrow({ where: { resellerId: user.id } });
const getCertificateStatus = async (domain: string) =>
  (await get(`/api/portal-domains?domain=${domain}`)).status;
/** Runs the job as if the last check was 7 hours ago; a verified domain is due after 6. */
async function runCheckJob(account: ResellerAccount): Promise<void> {
  await prisma().resellerPortal.updateMany({
    where: { resellerId: account.user.id },
    data: { checkedAt: hoursAgo(7) },
  });
  await checkPortalsJob();
  await runJobs();
}

beforeEach(() => {
  dns.zones.clear();
  isProxyBroken = false;
});

describe("a portal's domain", () => {
  it("is verified by the first successful check, and locks from then on", async () => {
    const account = await makeResellerWithCustomer();
    const domain = DOMAINS[0]!;
    const portal = await claimDomain(account, domain);
    expect(portal).toMatchObject({
      state: "pending",
      verified_at: null,
      dns: [
        { type: "TXT", name: `_tellal.${domain}`, value: expect.stringMatching(/^[0-9a-f]{32}$/) },
        { type: "CNAME", name: domain, value: "panel.test" },
      ],
    });
    expect([await getSignInTarget(account), await getCertificateStatus(domain)]).toEqual(["in", 404]);
    const firstCheck = await checkDomain(account);
    expect(firstCheck.state).toBe("pending");
    expect(firstCheck.checks.map(({ ok }: { ok: boolean }) => ok)).toEqual([false, false, false]);

    dns.zones.set(`_tellal.${domain}`, { txt: ["something else", getDomainProof(portal)] });
    expect((await checkDomain(account)).checks.map(({ ok }: { ok: boolean }) => ok)).toEqual([
      true,
      false,
      false,
    ]);
    expect(
      await getCertificateStatus(domain),
      "allows a certificate before verification: the next check needs HTTPS",
    ).toBe(200);
    expect([await getSignInTarget(account), await getMailLinkHost(account)]).toEqual([
      "in",
      `panel.test:${port}`,
    ]);

    setDnsRecords(domain, [getDomainProof(portal)]);
    expect(await checkDomain(account)).toMatchObject({ state: "verified", failing_since: null });
    expect([await getSignInTarget(account), await getMailLinkHost(account)]).toEqual([
      `http://${domain}:${port}`,
      `${domain}:${port}`,
    ]);
    expect(await getCertificateStatus(domain)).toBe(200);
  });

  it("may have a TXT record with any bytes, which are shown as printable text", async () => {
    const account = await makeResellerWithCustomer();
    const domain = "bytes.example.com";
    const proof = getDomainProof(await claimDomain(account, domain));
    dns.zones.set(`_tellal.${domain}`, { txt: ["a\0b\x7F\x85\xFF", `${proof}\0`] });
    const { state, checks } = await checkDomain(account);
    expect(state).toBe("pending");
    expect(checks[0]).toEqual({
      name: "record",
      ok: false,
      detail: `a\uFFFDb\uFFFD\uFFFD\xFF, ${proof}\uFFFD`,
    });
    dns.zones.set(`_tellal.${domain}`, { txt: ["\0", proof] });
    expect((await checkDomain(account)).checks[0], "the second record matches").toMatchObject({ ok: true });
  });

  it("is checked by the job, too, during the first two days", async () => {
    const account = await makeResellerWithCustomer();
    const portal = await claimDomain(account, DOMAINS[1]!);
    setDnsRecords(DOMAINS[1]!, [getDomainProof(portal)]);
    await prisma().resellerPortal.updateMany({
      where: { resellerId: account.user.id },
      data: { claimedAt: hoursAgo(49) },
    });
    await prisma().$executeRaw`delete from graphile_worker._private_jobs`;
    await runCheckJob(account);
    expect((await readPortalRow(account)).verifiedAt, "the job no longer checks it").toBeNull();
    await prisma().resellerPortal.updateMany({
      where: { resellerId: account.user.id },
      data: { claimedAt: hoursAgo(47) },
    });
    await runCheckJob(account);
    expect((await readPortalRow(account)).verifiedAt).not.toBeNull();
  });

  it.each([
    ["answers with another proof", () => setDnsRecords(DOMAINS[2]!, ["0".repeat(32)])],
    [
      "resolves to a private network",
      (proof: string) => setDnsRecords("inside.example.com", [proof], "10.0.0.8"),
    ],
    ["resolves to this machine", (proof: string) => setDnsRecords("inside.example.com", [proof])],
  ] as const)("is never used when it %s", async (title, prepareDns) => {
    const account = await makeResellerWithCustomer();
    const domain = title.startsWith("answers") ? DOMAINS[2]! : "inside.example.com";
    prepareDns(getDomainProof(await claimDomain(account, domain)));
    expect((await checkDomain(account)).state).toBe("pending");
    expect([await getSignInTarget(account), await getMailLinkHost(account)]).toEqual([
      "in",
      `panel.test:${port}`,
    ]);
  });

  it("claimed by two resellers belongs to the one whose TXT record exists", async () => {
    const domain = DOMAINS[3]!;
    const [squatter, owner] = [await makeResellerWithCustomer(), await makeResellerWithCustomer()];
    await claimDomain(squatter, domain);
    const proof = getDomainProof(await claimDomain(owner, domain));
    setDnsRecords(domain, [proof]);
    expect([(await checkDomain(squatter)).state, (await checkDomain(owner)).state]).toEqual([
      "pending",
      "verified",
    ]);
    expect([await getSignInTarget(squatter), await getSignInTarget(owner)]).toEqual([
      "in",
      `http://${domain}:${port}`,
    ]);
    setDnsRecords(domain, [
      proof,
      getDomainProof((await get("/api/reseller/portal", squatter.token)).json.portal),
    ]);
    expect((await checkDomain(squatter)).state).toBe("pending");
    expect([await getSignInTarget(squatter), await getSignInTarget(owner)]).toEqual([
      "in",
      `http://${domain}:${port}`,
    ]);
  });

  it("is suspended after a day of failures, and recovers automatically", async () => {
    const account = await makeResellerWithCustomer();
    const domain = DOMAINS[4]!;
    setDnsRecords(domain, [getDomainProof(await claimDomain(account, domain))]);
    await checkDomain(account);
    expect(await getSignInTarget(account)).toBe(`http://${domain}:${port}`);

    isProxyBroken = true;
    await runCheckJob(account);
    expect((await get("/api/reseller/portal", account.token)).json.portal).toMatchObject({
      state: "verified",
      failing_since: expect.stringMatching(/Z$/),
      checks: [{ ok: true }, { ok: true }, { name: "answer", ok: false, detail: "502" }],
    });
    expect(await getSignInTarget(account), "a short outage changes nothing").toBe(`http://${domain}:${port}`);
    await prisma().resellerPortal.updateMany({
      where: { resellerId: account.user.id },
      data: { failingSince: hoursAgo(25) },
    });
    await runCheckJob(account);
    await runCheckJob(account);
    expect((await readPortalRow(account)).verifiedAt).toBeNull();
    expect([
      await getSignInTarget(account),
      await getMailLinkHost(account),
      await getCertificateStatus(domain),
    ]).toEqual(["in", `panel.test:${port}`, 200]);
    expect(await deliverAndReadMails(server, account.user.email, "portal_failing")).toHaveLength(1);

    isProxyBroken = false;
    await runCheckJob(account);
    expect((await get("/api/reseller/portal", account.token)).json.portal).toMatchObject({
      state: "verified",
      failing_since: null,
    });
    expect(await getSignInTarget(account)).toBe(`http://${domain}:${port}`);
  });

  it("is verified again after a week of failures only when its reseller asks for the check", async () => {
    const account = await makeResellerWithCustomer();
    const domain = DOMAINS[9]!;
    setDnsRecords(domain, [getDomainProof(await claimDomain(account, domain))]);
    await checkDomain(account);
    const setFailingForHours = (hours: number) =>
      prisma().resellerPortal.updateMany({
        where: { resellerId: account.user.id },
        data: { verifiedAt: null, failingSince: hoursAgo(hours) },
      });
    await setFailingForHours(6 * 24);
    await runCheckJob(account);
    expect((await readPortalRow(account)).verifiedAt, "within a week").not.toBeNull();
    await setFailingForHours(8 * 24);
    await runCheckJob(account);
    expect(
      (await readPortalRow(account)).verifiedAt,
      "the buyer of a lapsed domain could publish the old proof",
    ).toBeNull();
    expect(await getMailLinkHost(account)).toBe(`panel.test:${port}`);
    expect(await checkDomain(account)).toMatchObject({ state: "verified", failing_since: null });
  });

  it("is not verified by a check of its previous domain", async () => {
    const account = await makeResellerWithCustomer();
    const proof = getDomainProof(await claimDomain(account, DOMAINS[5]!));
    setDnsRecords(DOMAINS[5]!, [proof]);
    const [checkedPortal] = await Promise.all([checkDomain(account), claimDomain(account, DOMAINS[6]!)]);
    expect(checkedPortal.domain === DOMAINS[6]! && checkedPortal.state !== "pending").toBe(false);
    const storedRow = await readPortalRow(account);
    expect({ domain: storedRow.domain, verifiedAt: storedRow.verifiedAt }).toEqual({
      domain: DOMAINS[6]!,
      verifiedAt: null,
    });
  });

  it("is not verified by a check during a change of the proof", async () => {
    const account = await makeResellerWithCustomer();
    setDnsRecords(DOMAINS[8]!, [getDomainProof(await claimDomain(account, DOMAINS[8]!))]);
    const blocker = await pool().connect();
    await blocker.query("begin");
    await blocker.query("select id from users where id = $1 for update", [account.user.id]);
    const pendingCheck = checkDomain(account);
    await expect.poll(countLockWaits).toBeGreaterThan(0);
    await blocker.query("update reseller_portals set proof = 'another' where reseller_id = $1", [
      account.user.id,
    ]);
    await blocker.query("commit");
    blocker.release();
    expect(await pendingCheck).toMatchObject({ domain: DOMAINS[8], state: "pending", verified_at: null });
  });

  it("serves its proof at its own host only", async () => {
    const account = await makeResellerWithCustomer();
    const proof = getDomainProof(await claimDomain(account, DOMAINS[7]!));
    const readProof = (host: string) =>
      new Promise<[number, string]>((resolve, reject) => {
        const proofRequest = request(
          { port: server.port, host: "127.0.0.1", path: "/.well-known/tellal-portal", headers: { host } },
          (response) => {
            let text = "";
            response.on("data", (chunk) => {
              text += chunk;
            });
            response.on("end", () => resolve([response.statusCode!, text]));
          },
        );
        proofRequest.on("error", reject);
        proofRequest.end();
      });
    expect(await readProof(DOMAINS[7]!)).toEqual([200, `${proof}\n`]);
    expect(await readProof("panel.test")).toEqual([404, ""]);
    expect(await readProof("%00")).toEqual([404, ""]);
  });
});
