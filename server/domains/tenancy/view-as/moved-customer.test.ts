import { expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { exchangeForSession } from "@/server/domains/access/tokens/service/tokens";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { send } from "@/server/testing/http";
import { resetLimits } from "@/server/testing/limits";
import { multipartForm } from "@/server/testing/multipart";
import { testServer } from "@/server/testing/server";

const { port, call, get, work } = await testServer();

async function makeSeller() {
  const { id } = await makeUser({ role: "reseller" });
  await makeReseller(id);
  return { id, token: await makeToken(id, { provenAt: new Date() }) };
}

async function panel(session: string, name: string, body?: object) {
  const { status, json } = await send(port, body ? "POST" : "GET", `/trpc/${name}`, {
    headers: { origin: "http://panel.test", cookie: `locale=en; session=${session}` },
    ...(body && { body: { body } }),
  });
  return { status, data: json.result?.data };
}

const ROUNDS = 20;

it("moves a customer to another reseller during lists, an import, a deactivation and a view, twenty times", async () => {
  const [from, to] = [await makeSeller(), await makeSeller()];
  const customersOf = async ({ token }: typeof from) =>
    (await get("/api/reseller/customers", token)).json as { data: Array<{ id: number }>; count: number };
  for (let round = 0; round < ROUNDS; round++) {
    await resetLimits();
    const customer = await makeUser({ resellerId: from.id });
    await prisma().supportAccess.create({ data: { userId: customer.id, until: fromNow(DAY) } });
    const token = await makeToken(from.id, { provenAt: new Date() });
    const { secret: session } = (await exchangeForSession(withoutTransaction(), token))!;
    const visit = { user_id: customer.id, reason: "Asked for help", minutes: 15 };
    expect((await panel(session, "viewAs.start", visit)).status).toBe(200);
    const csv = `name,email\nA,${customer.email}\nB,new.${customer.email}`;
    const { json } = await call("POST", "/api/reseller/imports", {
      token: from.token,
      ...multipartForm([{ name: "file", filename: "customers.csv", bytes: csv }]),
    });
    const { id, mapping } = json.import;
    await call("PUT", `/api/reseller/imports/${id}`, { token: from.token, body: { mapping } });

    const [lists, profile, statusChange] = await Promise.all([
      Promise.all([customersOf(from), customersOf(to), customersOf(from), customersOf(to)]),
      panel(session, "profile.me"),
      call("PUT", `/api/reseller/customers/${customer.id}/status`, {
        token: from.token,
        body: { is_active: false, reason: "No payment" },
      }),
      call("POST", `/api/reseller/imports/${id}/run`, { token: from.token }),
      prisma().user.update({ where: { id: customer.id }, data: { resellerId: to.id } }),
    ]);
    for (const { data, count } of lists) expect(count).toBe(data.length);
    // Either the customer's panel or an ended view, never the reseller's own account.
    if (profile.status === 200) expect(profile.data.user.id).toBe(customer.id);
    expect([200, 403]).toContain(statusChange.status);
    await work();

    const ids = async (seller: typeof from) => (await customersOf(seller)).data.map((each) => each.id);
    expect((await ids(from)).includes(customer.id)).toBe(false);
    expect((await ids(to)).filter((each) => each === customer.id)).toHaveLength(1);
    expect((await ids(to)).length).toBe(round + 1);
    // After the move the view is over, and an earlier deactivation stays.
    expect((await panel(session, "profile.me")).status).not.toBe(200);
    const row = await prisma().user.findUniqueOrThrow({ where: { id: customer.id } });
    expect({ resellerId: row.resellerId, isActive: row.isActive }).toEqual({
      resellerId: to.id,
      isActive: statusChange.status === 403,
    });
    const forbidden = await get(`/api/reseller/customers/${customer.id}`, from.token);
    expect(forbidden.status).toBe(403);
    const invited = await prisma().customerInvitation.findMany({
      where: { resellerId: from.id, email: { endsWith: customer.email } },
      select: { email: true },
    });
    expect(invited).toEqual([{ email: `new.${customer.email}` }]);
  }
});
