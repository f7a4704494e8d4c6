import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { burst, countByStatus } from "@/server/testing/burst";
import { makeReseller, makeSite, makeSubscription, makeToken, makeUser } from "@/server/testing/factories";
import { linkParam, mailsTo } from "@/server/testing/mailbox";
import { testServer } from "@/server/testing/server";

const server = await testServer();
const { call, get, post } = server;

async function makeSeller() {
  const { id } = await makeUser({ role: "reseller", name: "Selin Arslan" });
  await makeReseller(id);
  return { id, token: await makeToken(id) };
}
type Seller = Awaited<ReturnType<typeof makeSeller>>;
const CONSENTS = { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true };

let addressCount = 0;
async function inviteSomeone(seller: Seller, changes: object = {}) {
  const email = `davetli.${++addressCount}@example.com`;
  const { status, json, text } = await post(
    "/api/reseller/customers",
    { name: "Işıl Çelik", email, ...changes },
    { token: seller.token },
  );
  expect(status, text).toBe(201);
  const token = linkParam((await mailsTo(server, email, "customer_invitation")).at(-1)!, "token");
  return { email, token, invitation: json.invitation };
}
const accept = (token: string, changes: object = {}) => {
  const password = "a-long-passphrase";
  const body = { token, password, password_confirmation: password, consents: CONSENTS, ...changes };
  return post("/api/auth/accept-invitation", body);
};

describe("the invitation of a customer", () => {
  it("opens the customer's own account under the reseller, once", async () => {
    const seller = await makeSeller();
    const { email, token, invitation } = await inviteSomeone(seller, { phone: "0532 111 22 33" });
    expect(invitation).toMatchObject({ email, phone: "+905321112233", expired: false });
    const response = await get(`/api/auth/invitation?token=${token}`);
    expect(response.json.invitation).toMatchObject({ kind: "customer", inviter: "Selin Arslan", site: null });
    const responses = await burst(5, () => accept(token));
    expect(countByStatus(responses)[201]).toBe(1);
    const user = await prisma().user.findUniqueOrThrow({ where: { emailKey: email } });
    expect(user).toMatchObject({
      resellerId: seller.id,
      parentUserId: null,
      credits: 1000,
      phone: "+905321112233",
      role: "user",
    });
    expect(user.emailVerifiedAt).not.toBeNull();
    expect((await get("/api/reseller/invitations", seller.token)).json.invitations).toEqual([]);
    expect((await get("/api/reseller/customers?search=ISIL", seller.token)).json.data[0].id).toBe(user.id);
  });

  it("can be resent and cancelled, and is void without its reseller's rights", async () => {
    const seller = await makeSeller();
    const first = await inviteSomeone(seller);
    const resent = await post(
      `/api/reseller/invitations/${first.invitation.id}/resend`,
      {},
      { token: seller.token },
    );
    expect(resent.status).toBe(200);
    const second = linkParam((await mailsTo(server, first.email, "customer_invitation")).at(-1)!, "token");
    expect((await accept(first.token)).status).toBe(400);
    const repeated = await post(
      "/api/reseller/customers",
      { name: "X", email: first.email },
      { token: seller.token },
    );
    expect(Object.keys(repeated.json.errors)).toEqual(["email"]);
    await prisma().reseller.update({ where: { userId: seller.id }, data: { agreementSignedAt: null } });
    expect((await accept(second)).status).toBe(400);
    await prisma().reseller.update({ where: { userId: seller.id }, data: { agreementSignedAt: new Date() } });
    await prisma().user.update({ where: { id: seller.id }, data: { role: "user" } });
    expect((await accept(second)).status).toBe(400);
    await prisma().user.update({ where: { id: seller.id }, data: { role: "reseller" } });
    const path = `/api/reseller/invitations/${first.invitation.id}`;
    expect((await call("DELETE", path, { token: seller.token })).status).toBe(200);
    expect((await accept(second)).status).toBe(400);
    expect((await call("DELETE", path, { token: seller.token })).status).toBe(404);
  });

  it("counts towards three mails an hour per address only when a mail is sent", async () => {
    const [seller, other] = [await makeSeller(), await makeSeller()];
    const { email: takenEmail } = await makeUser();
    const invite = async (email: string, { token }: Seller) =>
      (await post("/api/reseller/customers", { name: "X", email }, { token })).status;
    for (let time = 1; time <= 5; time++) expect(await invite(takenEmail, seller)).toBe(422);
    const email = `davetli.${++addressCount}@example.com`;
    const statuses = await burst(8, () => invite(email, seller));
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    for (let time = 1; time <= 5; time++) expect(await invite(email, seller)).toBe(422);
    const { id } = await prisma().customerInvitation.findFirstOrThrow({ where: { email } });
    const resend = async () =>
      (await post(`/api/reseller/invitations/${id}/resend`, {}, { token: seller.token })).status;
    expect([await resend(), await resend(), await resend()]).toEqual([200, 200, 429]);
    expect(await invite(email, other)).toBe(429);
    expect(await mailsTo(server, email, "customer_invitation")).toHaveLength(3);
  });

  it("counts one mail for repeated calls with one idempotency key", async () => {
    const [seller, other] = [await makeSeller(), await makeSeller()];
    const email = `davetli.${++addressCount}@example.com`;
    const send = (token: string) =>
      post("/api/reseller/customers", { name: "X", email }, { token, headers: { "idempotency-key": "one" } });
    expect(countByStatus(await burst(6, () => send(seller.token)))[201]).toBeGreaterThan(0);
    expect((await send(other.token)).status).toBe(201);
    expect(await mailsTo(server, email, "customer_invitation")).toHaveLength(2);
    expect((await send((await makeSeller()).token)).status).toBe(201);
    expect((await send((await makeSeller()).token)).status).toBe(429);
  });

  it("does not take over an account and requires the consents", async () => {
    const seller = await makeSeller();
    const existing = await makeUser();
    const taken = await post(
      "/api/reseller/customers",
      { name: "X", email: existing.email },
      { token: seller.token },
    );
    expect(Object.keys(taken.json.errors)).toEqual(["email"]);
    const { email, token } = await inviteSomeone(seller);
    expect((await accept(token, { consents: {} })).json.missing_consents).toHaveLength(4);
    await makeUser({ email });
    expect((await accept(token)).status).toBe(422);
    expect((await prisma().user.findUniqueOrThrow({ where: { emailKey: email } })).resellerId).toBeNull();
  });
});

describe("a customer", () => {
  it("is returned with sites, subscriptions and gates, and is mailed once per change of status", async () => {
    const seller = await makeSeller();
    const customer = await makeUser({ resellerId: seller.id, locale: "en", emailVerifiedAt: null });
    const plan = await makeSubscription(customer.id);
    const site = await makeSite(customer.id, { subscriptionId: plan.id });
    const ownToken = await makeToken(customer.id);
    const path = `/api/reseller/customers/${customer.id}`;
    const response = (await get(path, seller.token)).json.customer;
    expect(response).toMatchObject({
      sites_count: 1,
      active_licenses_count: 1,
      sites: [{ id: site.id }],
      subscriptions: [{ id: plan.id, status: "active" }],
    });
    expect(response.gates.map(({ gate, open }: { gate: string; open: boolean }) => [gate, open])).toEqual([
      ["email_verified", false],
      ["account_active", true],
      ["portal", true],
      ["second_factor", true],
    ]);
    const set = (is_active: boolean) =>
      call("PUT", `${path}/status`, { token: seller.token, body: { is_active, reason: "Asked for it" } });
    expect(countByStatus(await burst(6, () => set(false)))).toEqual({ 200: 6 });
    expect((await get("/api/user", ownToken)).status).not.toBe(200);
    expect(await mailsTo(server, customer.email, "customer_deactivated")).toHaveLength(1);
    expect((await set(true)).json.customer.is_active).toBe(true);
    expect(await mailsTo(server, customer.email, "customer_activated")).toHaveLength(1);
    const entries = await prisma().auditEvent.findMany({
      where: { objectId: String(customer.id), action: { startsWith: "customer." } },
      orderBy: { id: "asc" },
    });
    expect(entries.map(({ action }) => action)).toEqual(["customer.deactivated", "customer.activated"]);
    await prisma().user.update({ where: { id: customer.id }, data: { resellerId: (await makeSeller()).id } });
    expect((await set(false)).status).toBe(403);
  });

  it("has at most 200 notes, separate for each reseller", async () => {
    const [seller, other] = [await makeSeller(), await makeSeller()];
    const customer = await makeUser({ resellerId: seller.id });
    const path = `/api/reseller/customers/${customer.id}/notes`;
    const { status, json } = await post(
      path,
      { body: "Öğleden sonra aranmalı.\nİkinci satır." },
      { token: seller.token },
    );
    expect({ status, body: json.note.body }).toEqual({
      status: 201,
      body: "Öğleden sonra aranmalı.\nİkinci satır.",
    });
    expect((await get(path, seller.token)).json.notes).toHaveLength(1);
    await prisma().user.update({ where: { id: customer.id }, data: { resellerId: other.id } });
    expect((await get(path, other.token)).json.notes).toEqual([]);
    expect((await call("DELETE", `/api/reseller/notes/${json.note.id}`, { token: other.token })).status).toBe(
      403,
    );
    const rows = Array.from({ length: 195 }, () => ({
      resellerId: other.id,
      customerId: customer.id,
      body: "Not",
    }));
    await prisma().customerNote.createMany({ data: rows });
    const responses = await burst(10, () => post(path, { body: "Not" }, { token: other.token }));
    expect(countByStatus(responses)).toEqual({ 201: 5, 422: 5 });
  });
});
