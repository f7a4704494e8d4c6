import { randomBytes } from "node:crypto";
import { ulid } from "ulid";
import { expect, it } from "vitest";
import { addMonths, toTurkishDay } from "@/server/core/calendar";
import { DAY, fromNow } from "@/server/core/time";
import { pool, prisma } from "@/server/infrastructure/database/client";
import {
  makeConnection,
  makeLicence,
  makeMailAccount,
  makePayment,
  makeReseller,
  makeSignedInUser,
  makeSite,
  makeSubscription,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { makeDocument } from "@/server/testing/invoices";
import { startTestServer } from "@/server/testing/server";

const { call, get, post } = await startTestServer();
const token = await makeToken((await makeUser({ role: "admin" })).id);
const readOverview = async () => (await get("/api/admin/overview", token)).json;

const LONG_AGO = new Date("2026-01-05T00:00:00Z");

it("counts late, due and failed invoices, failed jobs and sign-ups refused within a day", async () => {
  const pastDeadline = new Date(Date.now() - 1000);
  await makeDocument({ deadlineAt: pastDeadline });
  await makeDocument({ deadlineAt: pastDeadline, state: "skipped", skippedAt: pastDeadline });
  await makeDocument({ deadlineAt: pastDeadline, state: "failed", step: "contact" });
  await makeDocument({ state: "failed", step: "contact" });
  const { id: dueId } = await makeDocument({ state: "needs_data", step: "queued", deadlineAt: fromNow(DAY) });
  await makeDocument({ deadlineAt: fromNow(3 * DAY) });
  const { rows } = await pool().query(
    "select id from graphile_worker.add_job('forget_tokens', '{}', run_at => now() + interval '1 hour', max_attempts => 1)",
  );
  expect((await readOverview()).overview).toMatchObject({ failed_jobs: 0, refused_sign_ups: 0 });
  await pool().query("update graphile_worker._private_jobs set attempts = 1 where id = $1", [rows[0].id]);
  const refusal = { domain: "x.test", reason: "disposable", ipBucket: new Uint8Array(1) };
  await prisma().signUpRefusal.createMany({ data: [refusal, { ...refusal, at: LONG_AGO }] });
  expect((await readOverview()).overview).toMatchObject({
    late_invoices: 2,
    due_invoices: 1,
    failed_invoices: 2,
    failed_jobs: 1,
    refused_sign_ups: 1,
  });
  const dueItems = (await readOverview()).waiting.filter(
    ({ kind }: { kind: string }) => kind === "due_invoices",
  );
  expect(dueItems).toMatchObject([{ id: dueId }]);
});

it("sums the last 30 days without deleted accounts and reversed payments", async () => {
  const initialMonth = (await readOverview()).month;
  const person = await makeUser();
  await makeUser({ createdAt: LONG_AGO });
  await makeUser({ anonymisedAt: new Date() });
  await makeSite(person.id);
  // The sum exceeds a 32-bit integer.
  for (const payment of [
    { amountMinor: 2_000_000_000 },
    { amountMinor: 2_000_000_050 },
    { amountMinor: 700, state: "reversed" as const, reversedAt: new Date() },
    { amountMinor: 700, paidAt: LONG_AGO },
    { amountMinor: 700, currency: "USD" },
  ])
    await makePayment(person.id, { paidAt: new Date(), ...payment });
  const { month } = await readOverview();
  expect(month.sign_ups - initialMonth.sign_ups).toBe(1);
  expect(month.sites - initialMonth.sites).toBe(1);
  expect(month.revenue - initialMonth.revenue).toBeCloseTo(40_000_000.5, 2);
});

it("names the most urgent tasks with account and amount", async () => {
  const person = await makeUser({ name: "Ayşe Kaya" });
  const changeSubscription = (id: number, data: object) =>
    prisma().subscription.update({ where: { id }, data });
  const orders = await Promise.all([20, 2, 30, 10].map((days) => makeSubscription(person.id, { days })));
  for (const [index, { id }] of orders.entries())
    await changeSubscription(id, { status: "pending", priceMinor: 100_000 + index });
  await makeSubscription(person.id, { plan: "starter", days: -2, status: "past_due" });
  const licence = await makeLicence(person.id);
  const { waiting } = await readOverview();
  const listIds = (kind: string) =>
    waiting.filter((item: { kind: string }) => item.kind === kind).map(({ id }: { id: number }) => id);
  expect(listIds("orders")).toEqual([orders[1]!.id, orders[3]!.id, orders[0]!.id]);
  const account = { user_id: person.id, user_name: "Ayşe Kaya" };
  expect(waiting).toContainEqual(
    expect.objectContaining({
      kind: "orders",
      id: orders[1]!.id,
      ...account,
      subject: "Pro",
      amount: 1000.01,
    }),
  );
  expect(waiting).toContainEqual(
    expect.objectContaining({ kind: "past_due", ...account, subject: "Starter", amount: 2999 }),
  );
  expect(waiting).toContainEqual(
    expect.objectContaining({ kind: "licences", id: licence.id, ...account, amount: 3999 }),
  );
});

it("shows resellers their own customers, debts and earnings, once they have signed", async () => {
  const reseller = await makeSignedInUser({ role: "reseller" });
  const readResellerOverview = () => get("/api/reseller/overview", reseller.token);
  expect((await get("/api/reseller/overview", token)).status).toBe(403);
  await makeReseller(reseller.id);
  await makeUser({ resellerId: reseller.id });
  await makeUser({ resellerId: reseller.id, createdAt: fromNow(-31 * DAY) });
  await makeUser({ resellerId: reseller.id, anonymisedAt: new Date() });
  await makeLicence(reseller.id);
  await makeLicence(reseller.id);
  await makeLicence(reseller.id, { status: "active" });
  expect((await readResellerOverview()).json).toMatchObject({
    ...{ customers: 2, new_customers: 1, customers_at_risk: [], earnings: [], referral_rate: 0 },
    licences_to_pay: { count: 2, amount: 7998 },
  });
  await prisma().reseller.update({ where: { userId: reseller.id }, data: { agreementSignedAt: null } });
  expect((await readResellerOverview()).status).toBe(403);
});

it("names only the reseller's own customers whose plan is not paid", async () => {
  const reseller = await makeSignedInUser({ role: "reseller" });
  await makeReseller(reseller.id);
  const suspended = { isActive: false, suspendedReason: "subscription_ended" as const };
  const offlineCustomer = await makeUser({ resellerId: reseller.id });
  await makeSite(offlineCustomer.id, suspended);
  await makeSite(offlineCustomer.id, suspended);
  const pastDueCustomer = await makeUser({ resellerId: reseller.id });
  const { endsAt } = await makeSubscription(pastDueCustomer.id, { days: -2, status: "past_due" });
  await makeSite((await makeUser({ resellerId: reseller.id })).id, {
    isActive: false,
    suspendedReason: "owner",
  });
  const stranger = await makeUser();
  await makeSite(stranger.id, suspended);
  await makeSubscription(stranger.id, { days: -2, status: "past_due" });
  const until = new Date(endsAt.getTime() + 7 * DAY).toISOString().replace("Z", "000Z");
  expect((await get("/api/reseller/overview", reseller.token)).json.customers_at_risk).toEqual([
    {
      ...{ id: offlineCustomer.id, name: offlineCustomer.name, kind: "offline" },
      ...{ sites_count: 2, plan: null, until: null },
    },
    {
      ...{ id: pastDueCustomer.id, name: pastDueCustomer.name, kind: "past_due" },
      ...{ sites_count: null, plan: "Pro", until },
    },
  ]);
});

it("names waiting resets of second factors with the account and the administrator", async () => {
  const [administrator, person] = [await makeUser({ role: "admin" }), await makeUser({ name: "Işıl Çelik" })];
  const makeReset = (data: object) =>
    prisma().adminAction.create({
      data: {
        id: ulid(),
        kind: "reset_two_factor",
        targetId: person.id,
        requestedById: administrator.id,
        reason: "Ticket 4711",
        needsApproval: true,
        runAt: fromNow(DAY),
        cancelHash: Uint8Array.from(randomBytes(32)),
        ...data,
      },
    });
  const { id } = await makeReset({});
  await makeReset({ state: "done" });
  const { overview, requests } = await readOverview();
  expect(overview.factor_resets).toBe(1);
  expect(requests).toEqual([
    {
      ...{ kind: "factor_resets", id, user_id: person.id, user_name: "Işıl Çelik" },
      ...{ requested_by: administrator.name, run_at: expect.any(String), needs_approval: true },
    },
  ]);
});

async function makeSignedReseller() {
  const reseller = await makeSignedInUser({ role: "reseller" });
  await makeReseller(reseller.id);
  const read = async () => (await get("/api/reseller/overview", reseller.token)).json;
  return { ...reseller, read };
}

it("counts customers by state, as the list filters them", async () => {
  const reseller = await makeSignedReseller();
  const makeCustomer = (data: object = {}) => makeUser({ resellerId: reseller.id, ...data });
  const makeOfflineSite = (userId: number) =>
    makeSite(userId, { isActive: false, suspendedReason: "subscription_ended" });
  const active = await makeCustomer();
  const pastDue = await makeCustomer();
  await makeSubscription(pastDue.id, { days: -2, status: "past_due" });
  const offline = await makeCustomer();
  await makeSubscription(offline.id, { days: -2, status: "past_due" });
  await makeOfflineSite(offline.id);
  const deactivated = await makeCustomer({ isActive: false, deactivatedBy: "reseller" });
  await makeOfflineSite(deactivated.id);
  const invitation = { resellerId: reseller.id, name: "Deniz", expiresAt: fromNow(DAY) };
  for (const acceptedAt of [null, new Date()]) {
    const tokenHash = Uint8Array.from(randomBytes(32));
    const [email, emailKey] = ["deniz@example.com", "deniz@example.com"];
    await prisma().customerInvitation.create({
      data: { ...invitation, email, emailKey, tokenHash, acceptedAt },
    });
  }
  expect((await reseller.read()).customer_states).toEqual({
    ...{ active: 1, past_due: 1, offline: 1, deactivated: 1, invited: 1 },
  });
  for (const [state, { id }] of Object.entries({ active, past_due: pastDue, offline, deactivated })) {
    const { data } = (await get(`/api/reseller/customers?state=${state}`, reseller.token)).json;
    expect(
      data.map((customer: { id: number }) => customer.id),
      state,
    ).toEqual([id]);
  }
});

it("groups unpaid licences by customer, with sites of sub-users and the earliest deadline", async () => {
  const reseller = await makeSignedReseller();
  const customer = await makeUser({ resellerId: reseller.id, name: "Zeynep Koç" });
  const subUser = await makeUser({ resellerId: reseller.id, parentUserId: customer.id });
  const makeUnpaid = async (ownerId: number, days: number, data: object = {}) =>
    makeLicence(reseller.id, { siteId: (await makeSite(ownerId)).id, payBy: fromNow(days * DAY), ...data });
  const earliest = await makeUnpaid(subUser.id, 3);
  await makeUnpaid(customer.id, 5, { priceTry: 1000 });
  await makeUnpaid(customer.id, 1, { status: "active" });
  await makeUnpaid(reseller.id, 9);
  const { licences_to_pay, licences_by_customer } = await reseller.read();
  expect(licences_to_pay).toEqual({ count: 3, amount: 8998 });
  expect(licences_by_customer).toEqual([
    {
      ...{ customer_id: customer.id, customer_name: "Zeynep Koç", count: 2, amount: 4999 },
      pay_by: earliest.payBy.toISOString().replace("Z", "000Z"),
    },
    { customer_id: null, customer_name: null, count: 1, amount: 3999, pay_by: expect.any(String) },
  ]);
});

it("sums earnings by month in Turkish time, without reversed payments", async () => {
  const reseller = await makeSignedReseller();
  const customer = await makeUser({ resellerId: reseller.id });
  const thisMonth = toTurkishDay(new Date()).slice(0, 7);
  const lastMonth = toTurkishDay(addMonths(new Date(), -1)).slice(0, 7);
  expect((await reseller.read()).earning_months).toEqual([
    { month: thisMonth, currency: "TRY", amount: 0 },
    { month: lastMonth, currency: "TRY", amount: 0 },
  ]);
  // Midnight in Turkey is 21:00 UTC of the day before.
  const startOfMonth = new Date(`${thisMonth}-01T00:00:00+03:00`);
  const startOfLastMonth = new Date(`${lastMonth}-01T00:00:00+03:00`);
  for (const [createdAt, amountMinor, state] of [
    [startOfMonth, 100_050, "earned"],
    [startOfMonth, 7000, "void"],
    [new Date(startOfMonth.getTime() - 1), 20_000, "earned"],
    [startOfLastMonth, 30_000, "earned"],
    [new Date(startOfLastMonth.getTime() - 1), 5000, "earned"],
  ] as const) {
    const { id: paymentId } = await makePayment(customer.id);
    const earning = { resellerId: reseller.id, paymentId, amountMinor, ratePercent: 10, state, createdAt };
    await prisma().referralEarning.create({ data: earning });
  }
  expect((await reseller.read()).earning_months).toEqual([
    { month: thisMonth, currency: "TRY", amount: 1000.5 },
    { month: lastMonth, currency: "TRY", amount: 500 },
  ]);
});

it("follows the steps of a reseller's set-up, also before the signature", async () => {
  const reseller = await makeSignedInUser({ role: "reseller" });
  const { userId } = await makeReseller(reseller.id, { signed: false });
  const readStates = async () => {
    const { steps, complete } = (await get("/api/reseller/setup", reseller.token)).json;
    const states = Object.fromEntries(
      steps.map((each: { step: string; state: string }) => [each.step, each.state]),
    );
    return { ...states, complete };
  };
  const open = { agreement: "open", brand: "open", portal: "open", mail: "open", customer: "open" };
  expect(await readStates()).toEqual({ ...open, complete: false });
  expect((await get("/api/reseller/setup", token)).status).toBe(403);

  await prisma().resellerPortal.create({ data: { resellerId: userId, domain: "set-up.example.com" } });
  await makeMailAccount({ userId, port: 25, verifiedAt: null });
  const tokenHash = Uint8Array.from(randomBytes(32));
  const invitee = { name: "Deniz", email: "deniz@example.com", emailKey: "deniz@example.com" };
  await prisma().customerInvitation.create({
    data: { resellerId: userId, ...invitee, tokenHash, expiresAt: fromNow(DAY) },
  });
  const started = { portal: "started", mail: "started", customer: "started" };
  expect(await readStates()).toEqual({ ...open, ...started, complete: false });

  const agreement = { agreementVersion: "paper", agreementSignedAt: new Date() };
  await prisma().reseller.update({ where: { userId }, data: agreement });
  await prisma().brand.create({ data: { userId, productName: "Kaya" } });
  await prisma().resellerPortal.update({ where: { resellerId: userId }, data: { verifiedAt: new Date() } });
  await prisma().mailAccount.update({ where: { userId }, data: { verifiedAt: new Date() } });
  await makeUser({ resellerId: userId });
  const done = { agreement: "done", brand: "done", portal: "done", mail: "done", customer: "done" };
  expect(await readStates()).toEqual({ ...done, complete: true });
});

it("shows an account its sites with their last activity and the state of its channels", async () => {
  const owner = await makeSignedInUser();
  const subUser = await makeUser({ parentUserId: owner.id });
  const [changedAt, calledAt] = [fromNow(-9 * DAY), fromNow(-DAY)];
  const site = await makeSite(owner.id, { updatedAt: changedAt });
  const called = await makeSite(subUser.id, { updatedAt: changedAt, isActive: false });
  const key = { lastFour: "abcd", keyHash: Uint8Array.from(randomBytes(32)), lastUsedAt: calledAt };
  await prisma().externalKey.create({ data: { siteId: called.id, ...key } });
  await makeSite((await makeUser()).id);
  const siteIds = [site.id];
  const dead = await makeConnection(owner.id, { siteIds, health: "dead", tokenDeadAt: new Date() });
  await makeConnection(owner.id, { siteIds, health: "ok" });
  await makeConnection(owner.id, { channel: "instagram", connectionType: "oauth", siteIds: [called.id] });
  await makeConnection(subUser.id, { channel: "whatsapp", connectionType: "cloud_api", siteIds });
  await makeConnection(owner.id, {
    channel: "sms",
    connectionType: "twilio",
    isActive: false,
    cleanup: "running",
  });
  const { sites, site_counts, channels, agent } = (await get("/api/overview", owner.token)).json;
  const toApiTime = (moment: Date) => moment.toISOString().replace("Z", "000Z");
  expect(sites).toMatchObject([
    { id: called.id, suspended_reason: "owner", last_active_at: toApiTime(calledAt) },
    { id: site.id, suspended_reason: null, last_active_at: toApiTime(changedAt) },
  ]);
  expect(site_counts).toEqual({ active: 1, suspended: 1 });
  expect(agent).toBeNull();
  const problem = { connection_id: dead.id, label: dead.label, kind: "dead" };
  expect(channels).toEqual([
    { channel: "telegram", state: "attention", working: 1, attention: 1, idle: 0, problem },
    { channel: "instagram", state: "idle", working: 0, attention: 0, idle: 1, problem: null },
    { channel: "whatsapp", state: "working", working: 1, attention: 0, idle: 0, problem: null },
  ]);
});

it("tells a team agent the owner, the modules and abilities that the operations enforce", async () => {
  const owner = await makeUser({ name: "Ayşe Kaya" });
  const site = await makeSite(owner.id);
  await makeSite(owner.id);
  const agent = await makeSignedInUser({
    ...{ isAgentOnly: true, parentUserId: owner.id, assignedSiteId: site.id, allowedModules: ["saas"] },
  });
  const { sites, agent: abilities } = (await get("/api/overview", agent.token)).json;
  expect(sites.map(({ id }: { id: number }) => id)).toEqual([site.id]);
  expect(abilities).toMatchObject({ owner: { name: "Ayşe Kaya", email: owner.email }, modules: ["saas"] });
  const calls: Record<string, () => Promise<{ status: number }>> = {
    see_site: () => get(`/api/sites/${site.id}`, agent.token),
    media: () => get("/api/media", agent.token),
    snippets: () => post("/api/snippets", { title: "Merhaba", body: "Merhaba!" }, { token: agent.token }),
    change_site: () => call("PUT", `/api/sites/${site.id}`, { body: { name: "Kaya" }, token: agent.token }),
    connections: () =>
      post(
        "/api/connections",
        { channel: "web_chat", label: "Sohbet", site_ids: [site.id] },
        { token: agent.token },
      ),
    team: () => get("/api/team", agent.token),
    billing: () => get("/api/billing", agent.token),
  };
  for (const ability of abilities.can) expect((await calls[ability]!()).status, ability).toBeLessThan(300);
  for (const ability of abilities.cannot) expect((await calls[ability]!()).status, ability).toBe(403);
});
