import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeReseller, makeSite, makeSubscription, makeToken, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails, getLinkParam } from "@/server/testing/mailbox";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { call, get, post } = server;

async function makeResellerAccount() {
  const { id } = await makeUser({ role: "reseller", name: "Selin Arslan" });
  await makeReseller(id);
  return { id, token: await makeToken(id) };
}
type ResellerAccount = Awaited<ReturnType<typeof makeResellerAccount>>;
const CONSENTS = { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true };

let addressCount = 0;
async function inviteCustomer(reseller: ResellerAccount, extraFields: object = {}) {
  const email = `davetli.${++addressCount}@example.com`;
  const { status, json, text } = await post(
    "/api/reseller/customers",
    { name: "Işıl Çelik", email, ...extraFields },
    { token: reseller.token },
  );
  expect(status, text).toBe(201);
  const token = getLinkParam(
    (await deliverAndReadMails(server, email, "customer_invitation")).at(-1)!,
    "token",
  );
  return { email, token, invitation: json.invitation };
}
const acceptInvitation = (token: string, extraFields: object = {}) => {
  const password = "a-long-passphrase";
  const body = { token, password, password_confirmation: password, consents: CONSENTS, ...extraFields };
  return post("/api/auth/accept-invitation", body);
};

describe("the invitation of a customer", () => {
  it("opens the customer's own account under the reseller, once", async () => {
    const reseller = await makeResellerAccount();
    const { email, token, invitation } = await inviteCustomer(reseller, { phone: "0532 111 22 33" });
    expect(invitation).toMatchObject({ email, phone: "+905321112233", expired: false });
    const response = await get(`/api/auth/invitation?token=${token}`);
    expect(response.json.invitation).toMatchObject({ kind: "customer", inviter: "Selin Arslan", site: null });
    const responses = await runConcurrently(5, () => acceptInvitation(token));
    expect(countByStatus(responses)[201]).toBe(1);
    const user = await prisma().user.findUniqueOrThrow({ where: { emailKey: email } });
    expect(user).toMatchObject({
      resellerId: reseller.id,
      parentUserId: null,
      credits: 1000,
      phone: "+905321112233",
      role: "user",
    });
    expect(user.emailVerifiedAt).not.toBeNull();
    expect((await get("/api/reseller/invitations", reseller.token)).json.invitations).toEqual([]);
    expect((await get("/api/reseller/customers?search=ISIL", reseller.token)).json.data[0].id).toBe(user.id);
  });

  it("can be resent and cancelled, and is invalid while its reseller cannot invite", async () => {
    const reseller = await makeResellerAccount();
    const firstInvitation = await inviteCustomer(reseller);
    const resendResponse = await post(
      `/api/reseller/invitations/${firstInvitation.invitation.id}/resend`,
      {},
      { token: reseller.token },
    );
    expect(resendResponse.status).toBe(200);
    const newToken = getLinkParam(
      (await deliverAndReadMails(server, firstInvitation.email, "customer_invitation")).at(-1)!,
      "token",
    );
    expect((await acceptInvitation(firstInvitation.token)).status).toBe(400);
    const repeatedResponse = await post(
      "/api/reseller/customers",
      { name: "X", email: firstInvitation.email },
      { token: reseller.token },
    );
    expect(Object.keys(repeatedResponse.json.errors)).toEqual(["email"]);
    await prisma().reseller.update({ where: { userId: reseller.id }, data: { agreementSignedAt: null } });
    expect((await acceptInvitation(newToken)).status).toBe(400);
    await prisma().reseller.update({
      where: { userId: reseller.id },
      data: { agreementSignedAt: new Date() },
    });
    await prisma().user.update({ where: { id: reseller.id }, data: { role: "user" } });
    expect((await acceptInvitation(newToken)).status).toBe(400);
    await prisma().user.update({ where: { id: reseller.id }, data: { role: "reseller" } });
    const path = `/api/reseller/invitations/${firstInvitation.invitation.id}`;
    expect((await call("DELETE", path, { token: reseller.token })).status).toBe(200);
    expect((await acceptInvitation(newToken)).status).toBe(400);
    expect((await call("DELETE", path, { token: reseller.token })).status).toBe(404);
  });

  it("counts towards three mails an hour per address only when a mail is sent", async () => {
    const [reseller, otherReseller] = [await makeResellerAccount(), await makeResellerAccount()];
    const { email: takenEmail } = await makeUser();
    const inviteAndReadStatus = async (email: string, { token }: ResellerAccount) =>
      (await post("/api/reseller/customers", { name: "X", email }, { token })).status;
    for (let attempt = 1; attempt <= 5; attempt++)
      expect(await inviteAndReadStatus(takenEmail, reseller)).toBe(422);
    const email = `davetli.${++addressCount}@example.com`;
    const statuses = await runConcurrently(8, () => inviteAndReadStatus(email, reseller));
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    for (let attempt = 1; attempt <= 5; attempt++)
      expect(await inviteAndReadStatus(email, reseller)).toBe(422);
    const { id } = await prisma().customerInvitation.findFirstOrThrow({ where: { email } });
    const resendAndReadStatus = async () =>
      (await post(`/api/reseller/invitations/${id}/resend`, {}, { token: reseller.token })).status;
    expect([await resendAndReadStatus(), await resendAndReadStatus(), await resendAndReadStatus()]).toEqual([
      200, 200, 429,
    ]);
    expect(await inviteAndReadStatus(email, otherReseller)).toBe(429);
    expect(await deliverAndReadMails(server, email, "customer_invitation")).toHaveLength(3);
  });

  it("counts one mail for repeated calls with one idempotency key", async () => {
    const [reseller, otherReseller] = [await makeResellerAccount(), await makeResellerAccount()];
    const email = `davetli.${++addressCount}@example.com`;
    const inviteWithKey = (token: string) =>
      post("/api/reseller/customers", { name: "X", email }, { token, headers: { "idempotency-key": "one" } });
    expect(countByStatus(await runConcurrently(6, () => inviteWithKey(reseller.token)))[201]).toBeGreaterThan(
      0,
    );
    expect((await inviteWithKey(otherReseller.token)).status).toBe(201);
    expect(await deliverAndReadMails(server, email, "customer_invitation")).toHaveLength(2);
    expect((await inviteWithKey((await makeResellerAccount()).token)).status).toBe(201);
    expect((await inviteWithKey((await makeResellerAccount()).token)).status).toBe(429);
  });

  it("does not take over an account and requires the consents", async () => {
    const reseller = await makeResellerAccount();
    const existingUser = await makeUser();
    const response = await post(
      "/api/reseller/customers",
      { name: "X", email: existingUser.email },
      { token: reseller.token },
    );
    expect(Object.keys(response.json.errors)).toEqual(["email"]);
    const { email, token } = await inviteCustomer(reseller);
    expect((await acceptInvitation(token, { consents: {} })).json.missing_consents).toHaveLength(4);
    await makeUser({ email });
    expect((await acceptInvitation(token)).status).toBe(422);
    expect((await prisma().user.findUniqueOrThrow({ where: { emailKey: email } })).resellerId).toBeNull();
  });
});

describe("a customer", () => {
  it("is returned with sites, subscriptions and gates, and is mailed once per change of status", async () => {
    const reseller = await makeResellerAccount();
    const customer = await makeUser({ resellerId: reseller.id, locale: "en", emailVerifiedAt: null });
    const subscription = await makeSubscription(customer.id);
    const site = await makeSite(customer.id, { subscriptionId: subscription.id });
    const customerToken = await makeToken(customer.id);
    const path = `/api/reseller/customers/${customer.id}`;
    const customerDetail = (await get(path, reseller.token)).json.customer;
    expect(customerDetail).toMatchObject({
      sites_count: 1,
      active_licenses_count: 1,
      sites: [{ id: site.id }],
      subscriptions: [{ id: subscription.id, status: "active" }],
    });
    expect(
      customerDetail.gates.map(({ gate, open }: { gate: string; open: boolean }) => [gate, open]),
    ).toEqual([
      ["email_verified", false],
      ["account_active", true],
      ["portal", true],
      ["second_factor", true],
    ]);
    const setStatus = (is_active: boolean) =>
      call("PUT", `${path}/status`, { token: reseller.token, body: { is_active, reason: "Asked for it" } });
    expect(countByStatus(await runConcurrently(6, () => setStatus(false)))).toEqual({ 200: 6 });
    expect((await get("/api/user", customerToken)).status).not.toBe(200);
    expect(await deliverAndReadMails(server, customer.email, "customer_deactivated")).toHaveLength(1);
    expect((await setStatus(true)).json.customer.is_active).toBe(true);
    expect(await deliverAndReadMails(server, customer.email, "customer_activated")).toHaveLength(1);
    const auditEvents = await prisma().auditEvent.findMany({
      where: { objectId: String(customer.id), action: { startsWith: "customer." } },
      orderBy: { id: "asc" },
    });
    expect(auditEvents.map(({ action }) => action)).toEqual(["customer.deactivated", "customer.activated"]);
    await prisma().user.update({
      where: { id: customer.id },
      data: { resellerId: (await makeResellerAccount()).id },
    });
    expect((await setStatus(false)).status).toBe(403);
  });

  it("has at most 200 notes, separate for each reseller", async () => {
    const [reseller, otherReseller] = [await makeResellerAccount(), await makeResellerAccount()];
    const customer = await makeUser({ resellerId: reseller.id });
    const path = `/api/reseller/customers/${customer.id}/notes`;
    const { status, json } = await post(
      path,
      { body: "Öğleden sonra aranmalı.\nİkinci satır." },
      { token: reseller.token },
    );
    expect({ status, body: json.note.body }).toEqual({
      status: 201,
      body: "Öğleden sonra aranmalı.\nİkinci satır.",
    });
    expect((await get(path, reseller.token)).json.notes).toHaveLength(1);
    await prisma().user.update({ where: { id: customer.id }, data: { resellerId: otherReseller.id } });
    expect((await get(path, otherReseller.token)).json.notes).toEqual([]);
    expect(
      (await call("DELETE", `/api/reseller/notes/${json.note.id}`, { token: otherReseller.token })).status,
    ).toBe(403);
    const rows = Array.from({ length: 195 }, () => ({
      resellerId: otherReseller.id,
      customerId: customer.id,
      body: "Not",
    }));
    await prisma().customerNote.createMany({ data: rows });
    const responses = await runConcurrently(10, () =>
      post(path, { body: "Not" }, { token: otherReseller.token }),
    );
    expect(countByStatus(responses)).toEqual({ 201: 5, 422: 5 });
  });
});
