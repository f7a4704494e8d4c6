import { expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { exchangeForSession } from "@/server/domains/access/tokens/service/tokens";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { sendHttp } from "@/server/testing/http";
import { buildMultipartForm } from "@/server/testing/multipart";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";

const { port, call, get, runJobs } = await startTestServer();

async function makeResellerAccount() {
  const { id } = await makeUser({ role: "reseller" });
  await makeReseller(id);
  return { id, token: await makeToken(id, { provenAt: new Date() }) };
}

async function callPanel(session: string, procedureName: string, body?: object) {
  const { status, json } = await sendHttp(port, body ? "POST" : "GET", `/trpc/${procedureName}`, {
    headers: { origin: "http://panel.test", cookie: `locale=en; session=${session}` },
    ...(body && { body: { body } }),
  });
  return { status, data: json.result?.data };
}

const ROUNDS = 20;

it("moves a customer to another reseller during lists, an import, a deactivation and a view, twenty times", async () => {
  const [oldReseller, newReseller] = [await makeResellerAccount(), await makeResellerAccount()];
  const listCustomers = async ({ token }: typeof oldReseller) =>
    (await get("/api/reseller/customers", token)).json as { data: Array<{ id: number }>; count: number };
  for (let round = 0; round < ROUNDS; round++) {
    await resetRateLimits();
    const customer = await makeUser({ resellerId: oldReseller.id });
    await prisma().supportAccess.create({ data: { userId: customer.id, until: fromNow(DAY) } });
    const token = await makeToken(oldReseller.id, { provenAt: new Date() });
    const { secret: sessionSecret } = (await exchangeForSession(withoutTransaction(), token))!;
    const visitBody = { user_id: customer.id, reason: "Asked for help", minutes: 15 };
    expect((await callPanel(sessionSecret, "viewAs.start", visitBody)).status).toBe(200);
    const csv = `name,email\nA,${customer.email}\nB,new.${customer.email}`;
    const { json } = await call("POST", "/api/reseller/imports", {
      token: oldReseller.token,
      ...buildMultipartForm([{ name: "file", filename: "customers.csv", bytes: csv }]),
    });
    const { id, mapping } = json.import;
    await call("PUT", `/api/reseller/imports/${id}`, { token: oldReseller.token, body: { mapping } });

    const [lists, profile, statusChange] = await Promise.all([
      Promise.all([
        listCustomers(oldReseller),
        listCustomers(newReseller),
        listCustomers(oldReseller),
        listCustomers(newReseller),
      ]),
      callPanel(sessionSecret, "profile.me"),
      call("PUT", `/api/reseller/customers/${customer.id}/status`, {
        token: oldReseller.token,
        body: { is_active: false, reason: "No payment" },
      }),
      call("POST", `/api/reseller/imports/${id}/run`, { token: oldReseller.token }),
      prisma().user.update({ where: { id: customer.id }, data: { resellerId: newReseller.id } }),
    ]);
    for (const { data, count } of lists) expect(count).toBe(data.length);
    // Shows the customer's panel or fails, but never shows the reseller's own account.
    if (profile.status === 200) expect(profile.data.user.id).toBe(customer.id);
    expect([200, 403]).toContain(statusChange.status);
    await runJobs();

    const listCustomerIds = async (reseller: typeof oldReseller) =>
      (await listCustomers(reseller)).data.map((listedCustomer) => listedCustomer.id);
    expect((await listCustomerIds(oldReseller)).includes(customer.id)).toBe(false);
    expect(
      (await listCustomerIds(newReseller)).filter((customerId) => customerId === customer.id),
    ).toHaveLength(1);
    expect((await listCustomerIds(newReseller)).length).toBe(round + 1);
    expect((await callPanel(sessionSecret, "profile.me")).status).not.toBe(200);
    const row = await prisma().user.findUniqueOrThrow({ where: { id: customer.id } });
    expect({ resellerId: row.resellerId, isActive: row.isActive }).toEqual({
      resellerId: newReseller.id,
      isActive: statusChange.status === 403,
    });
    const customerResponse = await get(`/api/reseller/customers/${customer.id}`, oldReseller.token);
    expect(customerResponse.status).toBe(403);
    const invitations = await prisma().customerInvitation.findMany({
      where: { resellerId: oldReseller.id, email: { endsWith: customer.email } },
      select: { email: true },
    });
    expect(invitations).toEqual([{ email: `new.${customer.email}` }]);
  }
});
