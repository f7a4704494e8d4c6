import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { startFakeSmtpServer } from "@/server/testing/external-servers";
import { makeMailAccount, makeSignedInUser, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";
import { deleteOldMailFailuresJob } from "./jobs";

const LOGIN = { user: "kaya", pass: "smtp-password" };
const loginServer = await startFakeSmtpServer({ login: LOGIN });
const openServer = await startFakeSmtpServer();
const untrustedServer = await startFakeSmtpServer({ selfSigned: true });
const { call, get, post, runJobs } = await startTestServer({ env: { MAIL_PRIVATE_HOSTS: "true" } });

const OWN_PATH = "/api/user/mail-account";
const buildSitePath = (id: number) => `/api/sites/${id}/mail-account`;
const makeProvenToken = (userId: number) => makeToken(userId, { provenAt: new Date() });
const buildAccountBody = (changes: Record<string, unknown> = {}) => ({
  from_name: "Kaya Kahve",
  from_address: "merhaba@kaya.example.com",
  host: "127.0.0.1",
  port: loginServer.port,
  username: LOGIN.user,
  password: LOGIN.pass,
  ...changes,
});
const saveAccount = (token: string, body: unknown, path = OWN_PATH) => call("PUT", path, { token, body });
const testAccount = (token: string, path = OWN_PATH) => post(`${path}/test`, undefined, { token });

const listOutcomes = ({ json }: { json: { steps: { outcome: string }[] } }) =>
  json.steps.map(({ outcome }) => outcome);

async function makeCaller() {
  const user = await makeUser();
  return { user, token: await makeProvenToken(user.id) };
}

describe("a mail account", () => {
  it("is saved, tested and then verified, and never exposes its password", async () => {
    const { user, token } = await makeCaller();
    expect((await get(OWN_PATH, token)).json).toEqual({
      success: true,
      mail_account: null,
      failures: { count: 0, last: null },
    });
    const saveResponse = await saveAccount(token, buildAccountBody());
    expect({ status: saveResponse.status, mail_account: saveResponse.json.mail_account }).toEqual({
      status: 200,
      mail_account: {
        from_name: "Kaya Kahve",
        from_address: "merhaba@kaya.example.com",
        host: "127.0.0.1",
        port: loginServer.port,
        secure: false,
        username: LOGIN.user,
        has_password: true,
        verified_at: null,
        failed_at: null,
        error: null,
        paused_until: null,
      },
    });
    const row = await prisma().mailAccount.findUniqueOrThrow({ where: { userId: user.id } });
    expect(Buffer.from(row.passwordSealed!).toString("latin1")).not.toContain(LOGIN.pass);

    const testResponse = await testAccount(token);
    expect(testResponse.status).toBe(200);
    expect(typeof testResponse.json.mail_account.verified_at).toBe("string");
    expect(listOutcomes(testResponse)).toEqual(["done", "unused", "done", "done", "done"]);
    const [mail] = await loginServer.waitForMails(user.email);
    expect(mail!.from).toMatchObject({ name: "Kaya Kahve", address: "merhaba@kaya.example.com" });
    for (const { text } of [saveResponse, testResponse, await get(OWN_PATH, token)])
      expect(text).not.toContain(LOGIN.pass);
  });

  it("becomes unverified when anything but the sender's name or an omitted password changes", async () => {
    const { user, token } = await makeCaller();
    await saveAccount(token, buildAccountBody());
    await testAccount(token);
    const unchangedBody = buildAccountBody({ password: undefined });
    expect(
      (await saveAccount(token, { ...unchangedBody, from_name: "Kaya" })).json.mail_account.verified_at,
    ).not.toBeNull();
    const changes = [
      { host: "localhost", password: LOGIN.pass },
      { port: loginServer.port + 1, password: LOGIN.pass },
      { secure: true, password: LOGIN.pass },
      { username: "other", password: "x" },
      { username: null },
      { password: LOGIN.pass },
      { from_address: "other@kaya.example.com" },
    ];
    for (const change of changes) {
      await saveAccount(token, buildAccountBody());
      await prisma().mailAccount.update({
        where: { userId: user.id },
        data: { verifiedAt: new Date(), failedAt: new Date(), error: "refused" },
      });
      const { status, json } = await saveAccount(token, { ...unchangedBody, ...change });
      expect(
        { status, verified_at: json.mail_account.verified_at, failed_at: json.mail_account.failed_at },
        JSON.stringify(change),
      ).toEqual({ status: 200, verified_at: null, failed_at: null });
    }
  });

  it("never sends a stored password to another server or user name", async () => {
    const { token } = await makeCaller();
    await saveAccount(token, buildAccountBody());
    for (const change of [{ host: "localhost" }, { port: 2525 }, { username: "other" }, { secure: true }]) {
      const { status, json } = await saveAccount(token, buildAccountBody({ password: null, ...change }));
      expect(status, JSON.stringify(change)).toBe(422);
      expect(Object.keys(json.errors), JSON.stringify(change)).toEqual(["password"]);
    }
    expect((await saveAccount(token, buildAccountBody({ password: null }))).status).toBe(200);
    expect((await testAccount(token)).status).toBe(200);
  });

  it("returns only the kind of a failure, and is paused by it if it was verified", async () => {
    const { token } = await makeCaller();
    const stoppedServer = await startFakeSmtpServer();
    await stoppedServer.stop();
    const cases: Array<[string, Record<string, unknown>, string]> = [
      ["auth", { password: "wrong" }, "done unused failed not_reached not_reached"],
      [
        "unreachable",
        { port: stoppedServer.port, username: null },
        "failed not_reached not_reached not_reached not_reached",
      ],
      [
        "tls",
        { port: untrustedServer.port, username: null },
        "done failed not_reached not_reached not_reached",
      ],
      ["tls", { secure: true }, "done failed not_reached not_reached not_reached"],
    ];
    for (const [reason, change, outcomes] of cases) {
      await saveAccount(token, buildAccountBody(change));
      await prisma().rateLimit.deleteMany();
      const testResponse = await testAccount(token);
      const { status, json, text } = testResponse;
      const steps = expect.any(Array);
      expect({ status, json }).toEqual({
        status: 422,
        json: { success: false, error: expect.any(String), reason, steps },
      });
      expect(listOutcomes(testResponse).join(" ")).toBe(outcomes);
      expect(text).not.toMatch(/secret\.internal|127\.0\.0\.1|ECONN|self.signed/);
      expect((await get(OWN_PATH, token)).json.mail_account).toMatchObject({
        verified_at: null,
        error: reason,
      });
    }
    await saveAccount(token, buildAccountBody());
    for (const [step, reason, outcomes] of [
      ["sender", "sender", ["done", "unused", "done", "failed", "not_reached"]],
      ["recipient", "recipient", ["done", "unused", "done", "done", "failed"]],
      ["mail", "refused", ["done", "unused", "done", "done", "failed"]],
    ] as const) {
      await prisma().rateLimit.deleteMany();
      Object.assign(loginServer, { refuseWith: 550, refuseAt: step });
      const testResponse = await testAccount(token);
      const { json, text } = testResponse;
      expect(json.reason).toEqual(reason);
      expect(listOutcomes(testResponse)).toEqual(outcomes);
      expect(text).not.toContain("secret.internal");
    }
    Object.assign(loginServer, { refuseWith: undefined, refuseAt: "mail" });
    const { mail_account } = (await get(OWN_PATH, token)).json;
    expect(mail_account.error).toBe("refused");
    expect(typeof mail_account.paused_until).toBe("string");
    expect((await testAccount(token)).json.mail_account).toMatchObject({
      error: null,
      failed_at: null,
      paused_until: null,
    });
  });

  it("stays unverified when it changes during the test", async () => {
    const { user, token } = await makeCaller();
    await saveAccount(token, buildAccountBody());
    loginServer.beforeMail = () =>
      prisma().mailAccount.update({ where: { userId: user.id }, data: { host: "localhost" } });
    const { json } = await testAccount(token);
    loginServer.beforeMail = undefined;
    expect(json.mail_account).toMatchObject({ host: "localhost", verified_at: null });
  });

  it("counts the mails that failed in the last 24 hours", async () => {
    const reseller = await makeUser({ role: "reseller" });
    const token = await makeProvenToken(reseller.id);
    const customer = await makeUser({ resellerId: reseller.id });
    const account = await makeMailAccount({ userId: reseller.id, port: openServer.port });
    const readFailures = async () => (await get(OWN_PATH, token)).json.failures;
    const oldFailure = { accountId: account.id, reason: "auth", at: new Date(Date.now() - 25 * 3_600_000) };
    await prisma().mailAccountFailure.create({ data: oldFailure });
    expect(await readFailures()).toEqual({ count: 0, last: null });
    for (const refuseAt of ["recipient", "mail"] as const) {
      Object.assign(openServer, { refuseWith: 550, refuseAt });
      await prisma().rateLimit.deleteMany();
      await post("/api/auth/forgot-password", { email: customer.email });
      await runJobs();
    }
    const failures = await readFailures();
    expect(failures).toEqual({ count: 2, last: { reason: "refused", at: expect.any(String) } });
    await deleteOldMailFailuresJob();
    expect(await prisma().mailAccountFailure.count({ where: { accountId: account.id } })).toBe(2);
    const strangerToken = await makeProvenToken((await makeUser({ role: "reseller" })).id);
    expect((await get(OWN_PATH, strangerToken)).json.failures.count).toBe(0);
  });

  it("can be removed once", async () => {
    const { user, token } = await makeCaller();
    await saveAccount(token, buildAccountBody());
    expect((await call("DELETE", OWN_PATH, { token })).status).toBe(200);
    expect((await call("DELETE", OWN_PATH, { token })).status).toBe(404);
    expect((await testAccount(token)).status).toBe(404);
    const auditEvents = await prisma().auditEvent.findMany({
      where: { actorId: user.id },
      orderBy: { id: "asc" },
    });
    expect(auditEvents.map(({ action }) => action)).toEqual(["mail_account.saved", "mail_account.removed"]);
  });

  it("needs a recent proof to be saved or removed", async () => {
    const { token: unprovenToken, ...user } = await makeSignedInUser();
    await makeMailAccount({ userId: user.id, port: loginServer.port });
    for (const response of [
      await saveAccount(unprovenToken, buildAccountBody()),
      await call("DELETE", OWN_PATH, { token: unprovenToken }),
    ])
      expect(response).toMatchObject({ status: 403, json: { requires_identity: true } });
    expect((await get(OWN_PATH, unprovenToken)).json.mail_account.host).toBe("127.0.0.1");
  });

  it("is created once by concurrent saves", async () => {
    const { user, token } = await makeCaller();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => saveAccount(token, buildAccountBody())),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await prisma().mailAccount.count({ where: { userId: user.id } })).toBe(1);
  });

  it("rejects line breaks and missing fields", async () => {
    const { token } = await makeCaller();
    const invalidChanges = [
      { from_name: "A\r\nBcc: x@example.com" },
      { from_address: "a@example.com\r\nRCPT TO:<x@example.com>" },
      { from_address: "a@example.com, b@example.com" },
      { host: "mail.example.com:25" },
      { host: "mail.example.com/x" },
      { host: "user@mail.example.com" },
      { host: "a b" },
      { port: 0 },
      { port: 65536 },
      { username: "a\r\nb" },
      { password: "a\r\nQUIT" },
      { host: null },
    ];
    for (const change of invalidChanges) {
      const { status, json } = await saveAccount(token, buildAccountBody(change));
      expect(status, JSON.stringify(change)).toBe(422);
      expect(Object.keys(json.errors ?? {}), JSON.stringify(change)).toEqual(Object.keys(change));
    }
  });
});

describe("a site's mail account", () => {
  it("is accessible to the owner, parent, reseller and administrators", async () => {
    const reseller = await makeUser({ role: "reseller" });
    const customer = await makeUser({ resellerId: reseller.id });
    const owner = await makeUser({ parentUserId: customer.id });
    const site = await makeSite(owner.id);
    const allowedUsers = [owner, customer, reseller, await makeUser({ role: "admin" })];
    const deniedUsers = [
      await makeUser(),
      await makeUser({ role: "reseller" }),
      await makeUser({ isAgentOnly: true, assignedSiteId: site.id, parentUserId: owner.id }),
    ];
    for (const { id } of allowedUsers)
      expect(
        (await saveAccount(await makeProvenToken(id), buildAccountBody(), buildSitePath(site.id))).status,
      ).toBe(200);
    for (const { id } of deniedUsers) {
      const token = await makeProvenToken(id);
      const path = buildSitePath(site.id);
      const responses = [
        await get(path, token),
        await saveAccount(token, buildAccountBody(), path),
        await testAccount(token, path),
        await call("DELETE", path, { token }),
      ];
      expect(responses.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    }
    const token = await makeProvenToken(owner.id);
    expect((await testAccount(token, buildSitePath(site.id))).status).toBe(200);
    expect((await get(buildSitePath(site.id), token)).json.mail_account.verified_at).toEqual(
      expect.any(String),
    );
    expect((await get(OWN_PATH, token)).json.mail_account).toBeNull();
    expect((await call("DELETE", buildSitePath(site.id), { token })).status).toBe(200);
    expect((await get(buildSitePath(2_147_483_647), token)).status).toBe(404);
  });

  it("is not available to agents for themselves", async () => {
    const agent = await makeUser({ isAgentOnly: true, parentUserId: (await makeUser()).id });
    const token = await makeProvenToken(agent.id);
    expect([
      (await get(OWN_PATH, token)).status,
      (await saveAccount(token, buildAccountBody())).status,
    ]).toEqual([403, 403]);
  });
});
