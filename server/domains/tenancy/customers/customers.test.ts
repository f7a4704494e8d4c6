import { describe, expect, it } from "vitest";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { runConcurrently } from "@/server/testing/burst";
import {
  makeConnection,
  makeLicence,
  makeReseller,
  makeSite,
  makeSubscription,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";
import { searchFewCustomers, searchManyCustomers } from "./statements";

const { call, get } = await startTestServer();

async function makeResellerAccount({ signed = true } = {}) {
  const { id } = await makeUser({ role: "reseller" });
  await makeReseller(id, { signed });
  return { id, token: await makeToken(id, { provenAt: new Date() }) };
}

interface CustomerRow {
  id: number;
  name: string;
}
const readCustomers = async (token: string, query = "") => {
  const { status, json, text } = await get(`/api/reseller/customers${query}`, token);
  expect(status, text).toBe(200);
  return json as { data: CustomerRow[]; count: number; meta?: object };
};
const findCustomerNames = async (token: string, search: string) =>
  (await readCustomers(token, `?search=${encodeURIComponent(search)}`)).data.map(({ name }) => name);

describe("GET /api/reseller/customers", () => {
  it("has the documented body, newest first, with the sites and licences of sub-users", async () => {
    const { id: resellerId, token } = await makeResellerAccount();
    const createdAt = new Date("2026-10-01T08:00:00Z");
    const firstCustomer = await makeUser({ resellerId, name: "Bir", phone: "+905320000001", createdAt });
    const secondCustomer = await makeUser({ resellerId, name: "İki", isActive: false });
    const subUser = await makeUser({ parentUserId: firstCustomer.id });
    await makeUser({ resellerId, anonymisedAt: new Date() });
    await makeUser();
    const subscription = await makeSubscription(firstCustomer.id, { status: "past_due", days: -1 });
    await makeSubscription(firstCustomer.id, { status: "expired", days: -20 });
    await makeSite(firstCustomer.id, { subscriptionId: subscription.id });
    await makeSite(firstCustomer.id, { isActive: false, suspendedReason: "owner", deletedAt: new Date() });
    const subUserSite = await makeSite(subUser.id);
    await makeLicence(resellerId, { siteId: subUserSite.id, status: "active" });
    const { status, json } = await get("/api/reseller/customers", token);
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        success: true,
        data: [
          expect.objectContaining({
            id: secondCustomer.id,
            is_active: false,
            sites_count: 0,
            active_licenses_count: 0,
          }),
          {
            id: firstCustomer.id,
            name: "Bir",
            email: firstCustomer.email,
            phone: "+905320000001",
            is_active: true,
            sites_count: 2,
            active_licenses_count: 2,
            created_at: "2026-10-01T08:00:00.000000Z",
          },
        ],
        count: 2,
      },
    });
    expect((await readCustomers(token, "?is_active=1")).data.map(({ id }) => id)).toEqual([firstCustomer.id]);
    expect((await readCustomers(token, "?is_active=false")).data.map(({ id }) => id)).toEqual([
      secondCustomer.id,
    ]);
    for (const invalidQuery of ["is_active=maybe", "sort=phone", "per_page=501", "reseller_id=x"])
      expect((await get(`/api/reseller/customers?${invalidQuery}`, token)).status, invalidQuery).toBe(422);
  });

  it("is paged and sorted on request", async () => {
    const { id: resellerId, token } = await makeResellerAccount();
    for (const name of ["Çetin", "Cem", "Işık", "İnci"]) await makeUser({ resellerId, name });
    const readNames = async (query: string) =>
      (await readCustomers(token, query)).data.map(({ name }) => name);
    expect(await readNames("?sort=name")).toEqual(["Cem", "Çetin", "Işık", "İnci"]);
    expect(await readNames("?sort=-name")).toEqual(["İnci", "Işık", "Çetin", "Cem"]);
    expect(await readNames("?sort=created_at")).toEqual(["Çetin", "Cem", "Işık", "İnci"]);
    const page = await readCustomers(token, "?page=2&per_page=3&sort=name");
    expect(page.data.map(({ name }) => name)).toEqual(["İnci"]);
    expect(page.count).toBe(1);
    expect(page.meta).toEqual({ page: 2, per_page: 3, total: 4 });
    const firstPage = await readCustomers(token, "?per_page=3");
    expect(firstPage.meta).toEqual({ page: 1, per_page: 3, total: 4 });
    expect(await readCustomers(token, "?page=9")).toMatchObject({ data: [], count: 0, meta: { total: 4 } });
  });

  it("matches name, address and phone number in Turkish spellings", async () => {
    const { id: resellerId, token } = await makeResellerAccount();
    await makeUser({
      resellerId,
      name: "Işıl Çelik",
      email: "isil.celik@example.com",
      phone: "+905321234567",
    });
    await makeUser({ resellerId, name: "100% Kahve_Evi", email: "kahve@example.org", phone: null });
    await makeUser({ name: "Işıl Yabancı" });
    for (const search of [
      "İŞIL",
      "ışıl",
      "isil",
      "çelik ışıl",
      "CELIK@",
      "0532 123 45 67",
      "+90 (532) 123-45-67",
      "00905321234567",
      "+90 (0) 532 1234567",
      "tel:+90‑532‑1234567",
      "\u202d٠٥٣٢ ١٢٣ ٤٥ ٦٧\u202c",
      "4567",
    ])
      expect(await findCustomerNames(token, search), search).toEqual(["Işıl Çelik"]);
    for (const search of ["%", "_", "100%", "kahve_evi"])
      expect(await findCustomerNames(token, search), search).toEqual(["100% Kahve_Evi"]);
    for (const search of ["\\", "ışıl kahve", "Yabancı", "0533"])
      expect(await findCustomerNames(token, search), search).toEqual([]);
    expect((await readCustomers(token, "?search=")).count).toBe(2);
    for (const search of ["x".repeat(5000), "a%00b"])
      expect((await get(`/api/reseller/customers?search=${search}`, token)).status).toBe(422);
  });

  it("is for signed resellers, and for administrators with a reseller ID", async () => {
    const [reseller, otherReseller, unsignedReseller] = [
      await makeResellerAccount(),
      await makeResellerAccount(),
      await makeResellerAccount({ signed: false }),
    ];
    const { status, json } = await get("/api/reseller/customers", unsignedReseller.token);
    expect({ status, json }).toEqual({ status: 403, json: { success: false, error: expect.any(String) } });
    const strangers = [
      await makeToken((await makeUser()).id),
      await makeToken((await makeUser({ resellerId: reseller.id, name: "Bir" })).id),
      await makeToken((await makeUser({ parentUserId: reseller.id, isAgentOnly: true })).id),
    ];
    for (const token of strangers) {
      const refusedResponse = await get("/api/reseller/customers", token);
      expect({ status: refusedResponse.status, json: refusedResponse.json }).toEqual({
        status: 403,
        json: { message: "This action is unauthorized." },
      });
    }
    expect(
      (await get(`/api/reseller/customers?reseller_id=${reseller.id}`, otherReseller.token)).status,
    ).toBe(403);
    const adminToken = await makeToken((await makeUser({ role: "admin" })).id);
    expect(
      (await readCustomers(adminToken, `?reseller_id=${reseller.id}`)).data.map(({ name }) => name),
    ).toEqual(["Bir"]);
    expect((await get("/api/reseller/customers", adminToken)).json.errors).toHaveProperty("reseller_id");
  });

  it("needs a signature of the agreement that is required at the time of the call", async () => {
    const { id, token } = await makeResellerAccount();
    const readStatus = async () => (await get("/api/reseller/customers", token)).status;
    const createAgreementVersion = (version: string, publishedAt: Date, requiredFrom: Date) =>
      prisma().legalText.create({
        data: {
          key: "agreement",
          version,
          locale: "tr",
          body: "Metin",
          hash: new Uint8Array(32),
          publishedAt,
          requiredFrom,
        },
      });
    const DAY_MS = 86_400_000;
    const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);
    await createAgreementVersion("1", daysFromNow(-30), daysFromNow(-20));
    expect(await readStatus(), "signed after it").toBe(200);
    await createAgreementVersion("2", daysFromNow(0.01), daysFromNow(14));
    expect(await readStatus(), "not required yet").toBe(200);
    await prisma().legalText.updateMany({
      where: { version: "2" },
      data: { publishedAt: daysFromNow(0.0001), requiredFrom: daysFromNow(-0.0001) },
    });
    expect(await readStatus()).toBe(403);
    await prisma().reseller.update({ where: { userId: id }, data: { agreementSignedAt: daysFromNow(1) } });
    expect(await readStatus()).toBe(200);
    await prisma().legalText.deleteMany();
  });

  it("searches 100,000 accounts within 3 ms of database time, for a reseller of few and one of half of them", {
    timeout: 300_000,
  }, async () => {
    const [smallReseller, largeReseller] = [await makeResellerAccount(), await makeResellerAccount()];
    const client = await pool().connect();
    await client.query("set statement_timeout = 0");
    await client.query(
      `insert into users (name, email, email_key, phone, reseller_id, search_text, updated_at)
       select 'Kişi ' || n, 'kisi' || n || '@example.com', 'kisi' || n || '@example.com', '+90532' || lpad(n::text, 7, '0'),
              case when n % 500 = 0 then $1::int when n % 2 = 1 then $2::int end,
              'kisi ' || n || ' kisi' || n || '@example.com 90532' || lpad(n::text, 7, '0'), now()
         from generate_series(1, 100000) n`,
      [smallReseller.id, largeReseller.id],
    );
    await client.query("vacuum analyze users");
    client.release(true);
    expect((await readCustomers(smallReseller.token)).count).toBe(200);
    expect((await readCustomers(largeReseller.token)).count).toBe(10_000);
    const listInput = {
      isActive: null,
      state: null,
      otherPatterns: ["%kisi%"] as string[],
      sort: "-created_at",
      skip: 0,
      take: 50,
      page: 1,
    } as const;
    for (const [reseller, searchStatement, customerNumber, longestPattern] of [
      [smallReseller, searchFewCustomers, "4500", "%4500%"],
      [smallReseller, searchFewCustomers, "4500", "%kisi4500@example.com%"],
      [largeReseller, searchManyCustomers, "4501", "%4501%"],
    ] as const) {
      expect(await findCustomerNames(reseller.token, `KİŞİ ${customerNumber}`)).toContain(
        `Kişi ${customerNumber}`,
      );
      const input = { ...listInput, resellerId: reseller.id, longestPattern };
      const { values } = searchStatement.bindParams(input) as unknown as { values: unknown[] };
      const times: number[] = [];
      for (let round = 0; round < 200 && !(Math.min(...times) < 3); round++) {
        const { rows } = await pool().query(`explain (analyze, format json) ${searchStatement.text}`, values);
        times.push(rows[0]["QUERY PLAN"][0]["Execution Time"]);
      }
      // Best of several runs: the machine may be busy.
      expect(Math.min(...times), `${times}`).toBeLessThan(3);
    }
  });
});

it("GET /api/reseller/customers/{id} returns connections as the list of connections does", async () => {
  const { id: resellerId, token } = await makeResellerAccount();
  const customer = await makeUser({ resellerId });
  const subUser = await makeUser({ parentUserId: customer.id });
  const site = await makeSite(customer.id);
  await makeConnection(customer.id, { siteIds: [site.id], health: "unreachable" });
  await makeConnection(customer.id, { health: "dead", tokenDeadAt: new Date() });
  await makeConnection(subUser.id, { isActive: false });
  const { customer: detail } = (await get(`/api/reseller/customers/${customer.id}`, token)).json;
  expect(detail.connections).toHaveLength(3);
  expect(detail.connections).toEqual((await get("/api/connections", token)).json.data);
});

describe("PUT /api/reseller/customers/{id}/status", () => {
  it("does not deadlock with other changes of the customer", async () => {
    // The customer's ID is lower than the reseller's; accounts are locked in the order of their IDs.
    const customer = await makeUser();
    const { id: resellerId, token } = await makeResellerAccount();
    await prisma().user.update({ where: { id: customer.id }, data: { resellerId } });
    const site = await makeSite(customer.id);
    const adminToken = await makeToken((await makeUser({ role: "admin" })).id);
    const reason = "A burst";
    const calls = [
      (is_active: boolean) =>
        call("PUT", `/api/reseller/customers/${customer.id}/status`, { token, body: { is_active, reason } }),
      () => call("POST", `/api/sites/${site.id}/suspend`, { token }),
      (is_active: boolean) =>
        call("PUT", `/api/admin/users/${customer.id}/status`, {
          token: adminToken,
          body: { is_active, reason },
        }),
      () =>
        call("POST", "/api/admin/subscriptions/manual-activate/preview", {
          token: adminToken,
          body: { user_id: customer.id, plan_id: 2 },
        }),
    ];
    const responses = await runConcurrently(40, (index) => calls[index % 4]!(index % 3 > 0));
    expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
  });

  it("can only activate a customer that a reseller deactivated", async () => {
    const { id: resellerId, token } = await makeResellerAccount();
    const { id } = await makeUser({ resellerId });
    const setStatus = (isActive: boolean) =>
      call("PUT", `/api/reseller/customers/${id}/status`, {
        token,
        body: { is_active: isActive, reason: "Asked for" },
      });
    expect((await setStatus(false)).json.customer).toMatchObject({
      is_active: false,
      deactivated_by: "reseller",
    });
    expect((await setStatus(true)).json.customer).toMatchObject({ is_active: true, deactivated_by: null });
    for (const deactivatedBy of ["admin", "user", null] as const) {
      await prisma().user.update({ where: { id }, data: { isActive: false, deactivatedBy } });
      const { status, json } = await setStatus(true);
      expect({ status, success: json.success }).toEqual({ status: 422, success: false });
      expect((await prisma().user.findUniqueOrThrow({ where: { id } })).isActive).toBe(false);
    }
  });
});
