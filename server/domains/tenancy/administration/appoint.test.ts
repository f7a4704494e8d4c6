import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { findMailSenders } from "@/server/infrastructure/mail/senders";
import { runConcurrently } from "@/server/testing/burst";
import { startFakeSmtpServer } from "@/server/testing/external-servers";
import { makeMailAccount, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { getLinkParam } from "@/server/testing/mailbox";
import { buildRegistrationBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";
import { appointAdministratorFromConsole, appointFirstAdministrator } from "./service/appoint";
import { appointReseller, grantPlan } from "./service/console";

const smtpServer = await startFakeSmtpServer();
const { call, get, post, runJobs } = await startTestServer({ env: { SMTP_URL: smtpServer.url } });

const PASSWORD = "a-brand-new-password";

function setPassword({ link, email }: { link: string; email: string }, password = PASSWORD) {
  const token = new URL(link).searchParams.get("token");
  const body = { token, email, password, password_confirmation: password };
  return post("/api/auth/reset-password", body);
}

const signIn = (email: string, password: string) => post("/api/auth/login", { email, password });
const countAuditEntries = (id: number, action: string) =>
  prisma().auditEvent.count({ where: { objectType: "User", objectId: String(id), action } });

/** Creates one external key per account. Earlier keys stay valid for an hour. */
async function createExternalKeys(siteId: number, creatorIds: number[]): Promise<string[]> {
  const keys: string[] = [];
  for (const id of creatorIds) {
    const token = await makeToken(id, { provenAt: new Date() });
    const path = `/api/sites/${siteId}/regenerate-external-key`;
    const { json } = await post(path, { grace_minutes: 60 }, { token });
    keys.push(json.external_api_key);
  }
  return keys;
}
const readStatusesWithKeys = (keys: string[], siteId: number) =>
  Promise.all(
    keys.map(
      async (key) => (await call("GET", `/api/sites/${siteId}`, { headers: { "x-api-key": key } })).status,
    ),
  );

async function demoteAllAdmins() {
  await prisma().user.updateMany({ where: { role: "admin" }, data: { role: "user" } });
}

describe("the first administrator", () => {
  it("is created once by servers that start at the same time, with a link that sets the password", async () => {
    const email = "first@example.com";
    const results = await runConcurrently(8, () =>
      appointFirstAdministrator({ email, name: "Deniz Yılmaz" }),
    );
    const appointments = results.filter((appointment) => appointment !== undefined);
    expect(appointments).toHaveLength(1);
    expect(await prisma().user.count({ where: { role: "admin" } })).toBe(1);
    const user = await prisma().user.findUniqueOrThrow({ where: { emailKey: email } });
    expect(user).toMatchObject({ name: "Deniz Yılmaz", credits: 1000, passwordHash: null, isActive: true });
    expect(user.emailVerifiedAt).not.toBeNull();
    expect(await countAuditEntries(user.id, "admin.granted_by_setting")).toBe(1);

    await runJobs();
    const mails = await smtpServer.waitForMails(email);
    expect(mails).toHaveLength(1);
    const token = getLinkParam({ template: "", subject: "", html: "", text: mails[0]!.text! }, "token");
    expect(appointments[0]!.link).toContain(token);
    const { json } = await setPassword(appointments[0]!);
    expect(json).toMatchObject({ auto_login: true, user: { role: "admin" } });
    expect((await get("/api/admin/users", json.token)).status).toBe(200);
    const consents = await get("/api/profile/consents", json.token);
    expect(consents.json.missing_consents).toEqual([]);
    expect((await setPassword(appointments[0]!, "another-password")).status).toBe(400);
  });

  it("is not created when an administrator exists", async () => {
    expect(await appointFirstAdministrator({ email: "second@example.com" })).toBeUndefined();
    expect(await prisma().user.count({ where: { emailKey: "second@example.com" } })).toBe(0);
  });

  it("can be a verified account, which keeps its sites but no session", async () => {
    await demoteAllAdmins();
    const reseller = await makeUser({ role: "reseller" });
    const user = await makeUser({ resellerId: reseller.id, isActive: false });
    const site = await makeSite(user.id);
    const token = await makeToken(user.id);
    expect((await appointFirstAdministrator({ email: user.email.toUpperCase() }))?.email).toBe(user.email);
    const userRow = await prisma().user.findUniqueOrThrow({
      where: { id: user.id },
      include: { sites: true },
    });
    expect(userRow).toMatchObject({ role: "admin", resellerId: null, isActive: true, name: user.name });
    expect(userRow.sites.map(({ id }) => id)).toEqual([site.id]);
    expect((await get("/api/user", token)).status).toBe(401);
    expect((await signIn(user.email, "correct-horse")).json).toMatchObject({ user: { role: "admin" } });
  });

  it("must give the mandatory consents once demoted", async () => {
    await demoteAllAdmins();
    const appointment = await appointFirstAdministrator({ email: "former@example.com" });
    const { id } = (await setPassword(appointment!)).json.user;
    const adminToken = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
    const body = { role: "user", reason: "Left the company", email: "former@example.com" };
    const expected = { role: "admin" };
    expect(
      (await call("PUT", `/api/admin/users/${id}/role`, { token: adminToken, body: { ...body, expected } }))
        .status,
    ).toBe(200);
    const { json } = await get("/api/profile/consents", await makeToken(id));
    expect(json.missing_consents).toEqual(["terms", "privacy", "yurtdisi", "cagri_kayit"]);
    expect(json.history.map(({ granted, ip }: { granted: boolean; ip: string }) => [granted, ip])).toEqual(
      Array.from({ length: 4 }, () => [false, null]),
    );
  });

  it("takes over an unverified registration and revokes all its access", async () => {
    await demoteAllAdmins();
    const reseller = await makeUser({ role: "reseller" });
    const { email, password, ...otherFields } = buildRegistrationBody();
    const registration = await post("/api/auth/register", { ...otherFields, email, password });
    const { id } = registration.json.user;
    const member = await makeUser({ parentUserId: id });
    await prisma().user.update({ where: { id }, data: { resellerId: reseller.id } });
    await prisma().passkey.create({
      data: {
        id: "0".repeat(26),
        userId: id,
        credentialId: "squatter",
        publicKey: new Uint8Array(1),
        deviceName: "Telefon",
        aaguid: "00000000-0000-0000-0000-000000000000",
        backupEligible: false,
        backedUp: false,
      },
    });
    const { id: siteId } = await makeSite(member.id);
    const keys = await createExternalKeys(siteId, [reseller.id, id]);
    expect(await readStatusesWithKeys(keys, siteId)).toEqual([200, 200]);
    await makeMailAccount({ userId: reseller.id, port: 9 });

    const appointment = await appointFirstAdministrator({ email, name: "Deniz Yılmaz" });
    expect((await get("/api/user", registration.json.token)).status, "the token of the registration").toBe(
      401,
    );
    expect((await signIn(email, String(password))).status, "the password of the registration").toBe(401);
    expect(await prisma().passkey.count({ where: { userId: id } })).toBe(0);
    expect(await prisma().emailVerification.count({ where: { userId: id } })).toBe(0);
    const userRow = await prisma().user.findUniqueOrThrow({ where: { id } });
    expect(userRow).toMatchObject({ name: "Deniz Yılmaz", phone: null, role: "admin", resellerId: null });
    expect((await prisma().user.findUniqueOrThrow({ where: { id: member.id } })).parentUserId).toBeNull();
    expect(await readStatusesWithKeys(keys, siteId), "keys of parent and reseller").toEqual([401, 401]);
    expect((await findMailSenders(withoutTransaction(), { userId: id })).map(({ via }) => via)).toEqual([
      "system",
    ]);
    expect((await setPassword(appointment!)).json).toMatchObject({ auto_login: true });
  });

  it("is refused when an unverified account has sites", async () => {
    await demoteAllAdmins();
    const user = await makeUser({ emailVerifiedAt: null });
    await makeSite(user.id);
    await expect(appointFirstAdministrator({ email: user.email })).rejects.toThrow(
      /never verified this address/,
    );
    expect((await prisma().user.findUniqueOrThrow({ where: { id: user.id } })).role).toBe("user");
  });
});

describe("an administrator appointed from the console", () => {
  it("can be a new one, or an existing one who is locked out", async () => {
    for (const round of [1, 2]) {
      const appointment = await appointAdministratorFromConsole({ email: "console@example.com" });
      const { email } = appointment;
      const { json } = await setPassword(appointment, `${PASSWORD}-${round}`);
      expect(json.user.role).toBe("admin");
      expect((await signIn(email, `${PASSWORD}-${round}`)).status).toBe(200);
      expect(await countAuditEntries(json.user.id, "admin.granted_by_console")).toBe(round);
    }
  });

  it("gets mails from the platform only, even if one of their sites has a mail account", async () => {
    const user = await makeUser();
    const site = await makeSite(user.id);
    await makeMailAccount({ siteId: site.id, port: 9 });
    const listSenderKinds = async () =>
      (await findMailSenders(withoutTransaction(), { userId: user.id })).map(({ via }) => via);
    expect(await listSenderKinds()).toEqual(["site", "system"]);
    await appointAdministratorFromConsole({ email: user.email });
    expect(await listSenderKinds()).toEqual(["system"]);
  });
});

it.each([
  ["an administrator", (email: string) => appointAdministratorFromConsole({ email })],
  ["a reseller", appointReseller],
])("%s appointed from the console frees members' sites from the former reseller", async (_, appoint) => {
  const reseller = await makeUser({ role: "reseller" });
  const user = await makeUser({ resellerId: reseller.id });
  const member = await makeUser({ parentUserId: user.id });
  const { id: siteId } = await makeSite(member.id);
  const keys = await createExternalKeys(siteId, [reseller.id, user.id]);
  expect(await readStatusesWithKeys(keys, siteId)).toEqual([200, 200]);
  await appoint(user.email);
  expect(await readStatusesWithKeys(keys, siteId)).toEqual([401, 200]);
});

describe("from the console", () => {
  const readRoleAndSignature = async (id: number) => {
    const { role, resellerDesk } = await prisma().user.findUniqueOrThrow({
      where: { id },
      select: { role: true, resellerDesk: { select: { agreementSignedAt: true } } },
    });
    return [role, Boolean(resellerDesk?.agreementSignedAt)];
  };

  it("a reseller needs a verified address and is neither an administrator nor an agent", async () => {
    const person = await makeUser();
    expect((await appointReseller(person.email)).referralCode).toEqual(expect.any(String));
    expect(await readRoleAndSignature(person.id)).toEqual(["reseller", true]);
    for (const [data, message] of [
      [{ role: "admin" }, /is an administrator/],
      [{ isAgentOnly: true }, /is a team agent/],
      [{ emailVerifiedAt: null }, /has not verified/],
    ] as const) {
      const { id, email, role } = await makeUser(data);
      await expect(appointReseller(email)).rejects.toThrow(message);
      expect(await readRoleAndSignature(id)).toEqual([role, false]);
    }
    await expect(appointReseller("nobody@example.com")).rejects.toThrow(/no account with the address/);
  });

  it("any account can get an active plan", async () => {
    const { id, email } = await makeUser();
    expect(await grantPlan(email, "pro")).toMatchObject({ slots: 5 });
    await prisma().subscriptionPlan.update({ where: { slug: "premium" }, data: { isActive: false } });
    const grant = grantPlan(email, "premium");
    await expect(grant).rejects.toThrow("no plan premium. There are: starter, pro, ultimate.");
    expect(await prisma().subscription.count({ where: { userId: id } })).toBe(1);
  });
});
