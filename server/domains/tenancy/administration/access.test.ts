import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { BURST_ROUNDS, countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails, extractCode, getLinkParam } from "@/server/testing/mailbox";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { call, get, post } = server;

async function makeAdmin() {
  const { id } = await makeUser({ role: "admin" });
  return { id, token: await makeToken(id, { provenAt: new Date() }) };
}
const caller = await makeAdmin();
const reason = "Ticket 4711";

const setStatus = (id: number, is_active: boolean, token = caller.token) =>
  call("PUT", `/api/admin/users/${id}/status`, { token, body: { is_active, reason } });
const signOut = (id: number, token = caller.token) =>
  post(`/api/admin/users/${id}/sign-out`, { reason }, { token });
const signIn = (email: string) => post("/api/auth/login", { email, password: "correct-horse" });
const readStatus = (id: number) =>
  prisma().user.findUniqueOrThrow({ where: { id }, select: { isActive: true, deactivatedBy: true } });
const listAuditEvents = async (id: number) =>
  (
    await prisma().auditEvent.findMany({
      where: { objectId: String(id), actorId: caller.id },
      orderBy: { id: "asc" },
    })
  ).map(({ action, details }) => ({ action, details }));

describe("the status of an account", () => {
  it("revokes all access when inactive, until an administrator activates the account again", async () => {
    const person = await makeUser({ locale: "en" });
    const tokens = [await makeToken(person.id), await makeToken(person.id, { kind: "api_key" })];
    await prisma().invitation.create({
      data: {
        inviterId: person.id,
        name: "Ayşe",
        email: "ayse@example.com",
        emailKey: "ayse@example.com",
        tokenHash: new Uint8Array(32),
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    const { status, json } = await setStatus(person.id, false);
    expect({ status, is_active: json.user.is_active }).toEqual({ status: 200, is_active: false });
    for (const token of tokens) expect((await get("/api/user", token)).status).toBe(401);
    expect(await prisma().invitation.count({ where: { inviterId: person.id } })).toBe(0);
    expect((await signIn(person.email)).json.account_disabled).toBe(true);
    const detail = await get(`/api/admin/users/${person.id}`, caller.token);
    expect(detail.json.user.deactivated_by).toBe("admin");

    expect((await setStatus(person.id, true)).json.user.is_active).toBe(true);
    expect((await signIn(person.email)).status).toBe(200);
    expect(await readStatus(person.id)).toEqual({ isActive: true, deactivatedBy: null });
    expect(await listAuditEvents(person.id)).toEqual([
      { action: "account.deactivated", details: { reason } },
      { action: "account.activated", details: { reason } },
    ]);
    for (const template of ["account_deactivated", "account_activated"])
      expect(await deliverAndReadMails(server, person.email, template)).toHaveLength(1);
  });

  it("is changed and mailed once by ten concurrent calls", async () => {
    const person = await makeUser();
    expect(countByStatus(await runConcurrently(10, () => setStatus(person.id, false)))).toEqual({ 200: 10 });
    expect(await listAuditEvents(person.id)).toHaveLength(1);
    expect(await deliverAndReadMails(server, person.email, "account_deactivated")).toHaveLength(1);
  });

  it("cannot be changed back by the reseller after an administrator deactivated the account", async () => {
    const reseller = await makeUser({ role: "reseller" });
    await makeReseller(reseller.id, { code: "HOLDER" });
    const resellerToken = await makeToken(reseller.id);
    const customer = await makeUser({ resellerId: reseller.id });
    const setStatusAsReseller = (is_active: boolean) =>
      call("PUT", `/api/reseller/customers/${customer.id}/status`, {
        token: resellerToken,
        body: { is_active, reason },
      });
    expect((await setStatusAsReseller(false)).status).toBe(200);
    expect((await setStatus(customer.id, false)).status).toBe(200);
    expect(
      await deliverAndReadMails(server, customer.email, "account_deactivated"),
      "already deactivated",
    ).toEqual([]);
    expect((await setStatusAsReseller(true)).status).toBe(422);
    expect(await readStatus(customer.id)).toEqual({ isActive: false, deactivatedBy: "admin" });
    expect((await setStatus(customer.id, true)).status).toBe(200);
    expect((await setStatusAsReseller(false)).status).toBe(200);
    expect((await setStatus(customer.id, true)).json.user.is_active, "deactivated by the reseller").toBe(
      true,
    );
  });

  it.each(BURST_ROUNDS)(
    "keeps one of two administrators who deactivate each other concurrently (%i)",
    async () => {
      const [firstAdmin, secondAdmin] = [await makeAdmin(), await makeAdmin()];
      const responses = await Promise.all([
        setStatus(secondAdmin.id, false, firstAdmin.token),
        setStatus(firstAdmin.id, false, secondAdmin.token),
      ]);
      expect(countByStatus(responses)).toEqual({ 200: 1, 401: 1 });
      const activeCount = await prisma().user.count({
        where: { id: { in: [firstAdmin.id, secondAdmin.id] }, isActive: true },
      });
      expect(activeCount).toBe(1);
    },
  );

  it("cannot be changed for the caller's own or an anonymised account", async () => {
    expect((await setStatus(caller.id, false)).status).toBe(422);
    expect((await signOut(caller.id)).status).toBe(422);
    const anonymised = await makeUser();
    await prisma().user.update({ where: { id: anonymised.id }, data: { anonymisedAt: new Date() } });
    expect((await setStatus(anonymised.id, true)).status).toBe(404);
  });
});

describe("signing an account out", () => {
  it("ends sessions and trusted devices, and keeps API keys and the password", async () => {
    const person = await makeUser({ locale: "en" });
    const [token, apiKey] = [await makeToken(person.id), await makeToken(person.id, { kind: "api_key" })];
    await prisma().trustedDevice.create({
      data: {
        userId: person.id,
        tokenHash: new Uint8Array(32),
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    expect((await signOut(person.id)).json).toMatchObject({ success: true, ended: 1 });
    expect((await get("/api/user", token)).status).toBe(401);
    expect((await get("/api/user", apiKey)).status).toBe(200);
    expect(await prisma().trustedDevice.count({ where: { userId: person.id } })).toBe(0);
    expect((await signIn(person.email)).status).toBe(200);
    expect(await listAuditEvents(person.id)).toEqual([
      { action: "account.signed_out", details: { reason, ended: 1 } },
    ]);
    expect(await deliverAndReadMails(server, person.email, "account_signed_out")).toHaveLength(1);
  });
});

describe("the verification mail", () => {
  const sendVerificationMail = (id: number) =>
    post(`/api/admin/users/${id}/verification`, {}, { token: caller.token });

  it("is sent again, and the link of the previous mail stops working", async () => {
    const person = await makeUser({ emailVerifiedAt: null, locale: "en" });
    expect((await sendVerificationMail(person.id)).status).toBe(200);
    const [firstMail] = await deliverAndReadMails(server, person.email, "verify_email");
    expect((await sendVerificationMail(person.id)).status).toBe(200);
    const mails = await deliverAndReadMails(server, person.email, "verify_email");
    expect(mails).toHaveLength(2);
    const newestMail = mails.find((mail) => extractCode(mail) !== extractCode(firstMail!))!;
    const verify = (token: string) => post("/api/auth/verify-email", { token });
    expect((await verify(getLinkParam(firstMail!, "token"))).status).toBe(400);
    expect((await verify(getLinkParam(newestMail, "token"))).status).toBe(200);
    expect((await sendVerificationMail(person.id)).status, "already verified").toBe(422);
  });
});

describe("the list of accounts", () => {
  it("ignores accents in names and the notation of phone numbers", async () => {
    const person = await makeUser({ name: "Işıl Çağlayan", phone: "+905321112233" });
    const findIds = async (q: string) => {
      const { json } = await get(`/api/admin/users?q=${encodeURIComponent(q)}`, caller.token);
      return json.data.map(({ id }: { id: number }) => id);
    };
    for (const q of ["IŞIL", "isil caglayan", "0532 111 22 33", "+90 532 1112233", String(person.id)])
      expect(await findIds(q), q).toContain(person.id);
    expect(await findIds("%")).toEqual([]);
  });
});
