import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import {
  makeReseller,
  makeSignedInUser,
  makeSite,
  makeSubscription,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

const { get, post } = await startTestServer();

async function makeResellerWithToken({ signed = true } = {}) {
  const { id } = await makeUser({ role: "reseller", name: "Selin Arslan" });
  await makeReseller(id, { signed });
  return { id, token: await makeToken(id) };
}
let domainCount = 0;
const createSite = (token: string, body: object) =>
  post(
    "/api/sites",
    { name: "Site", domain: `for-customer-${++domainCount}.example.com`, ...body },
    { token },
  );

describe("creating a site for a customer", () => {
  it("makes the customer the owner; a slot of the customer pays, otherwise a licence of the reseller", async () => {
    const reseller = await makeResellerWithToken();
    const customer = await makeUser({ resellerId: reseller.id });
    await makeSubscription(customer.id, { slots: 1 });
    await makeSubscription(reseller.id, { slots: 5 });
    const forecast = await get(`/api/sites/billing-forecast?customer_id=${customer.id}`, reseller.token);
    expect(forecast.json).toMatchObject({ mode: "subscription_slot", total_slots: 1 });
    const slotResponse = await createSite(reseller.token, { customer_id: customer.id });
    expect({
      status: slotResponse.status,
      user_id: slotResponse.json.site.user_id,
      billing: slotResponse.json.billing,
    }).toEqual({
      status: 201,
      user_id: customer.id,
      billing: { mode: "subscription_slot", remaining_slots: 0 },
    });
    const auditEntry = await prisma().auditEvent.findFirstOrThrow({
      where: { action: "site.created", objectId: String(slotResponse.json.site.id) },
    });
    expect(auditEntry.actorId).toBe(reseller.id);
    expect((await createSite(reseller.token, { customer_id: customer.id })).status).toBe(402);
    const licenceResponse = await createSite(reseller.token, {
      customer_id: customer.id,
      confirm_pay_per_site: true,
    });
    expect({
      status: licenceResponse.status,
      user_id: licenceResponse.json.site.user_id,
      mode: licenceResponse.json.billing.mode,
    }).toEqual({ status: 201, user_id: customer.id, mode: "pay_per_site" });
    const { userId } = await prisma().siteLicence.findUniqueOrThrow({
      where: { id: licenceResponse.json.billing.license_id },
    });
    expect(userId).toBe(reseller.id);
  });

  it("uses no slot twice when customer and reseller create concurrently", async () => {
    const reseller = await makeResellerWithToken();
    const { token: customerToken, ...customer } = await makeSignedInUser({ resellerId: reseller.id });
    await makeSubscription(customer.id, { slots: 3 });
    const responses = await runConcurrently(16, (index) =>
      index % 2 ? createSite(customerToken, {}) : createSite(reseller.token, { customer_id: customer.id }),
    );
    expect(countByStatus(responses)[201]).toBe(3);
    expect(await prisma().site.count({ where: { userId: customer.id } })).toBe(3);
  });

  it("rejects a customer of another reseller, and callers who are not resellers", async () => {
    const [reseller, otherReseller] = [await makeResellerWithToken(), await makeResellerWithToken()];
    const customer = await makeUser({ resellerId: otherReseller.id });
    const adminToken = await makeToken((await makeUser({ role: "admin" })).id);
    const otherCustomerToken = await makeToken((await makeUser({ resellerId: reseller.id })).id);
    for (const token of [reseller.token, adminToken, otherCustomerToken]) {
      for (const customer_id of [customer.id, 2_147_483_647]) {
        const { status, json } = await createSite(token, { customer_id });
        expect({ status, json }).toEqual({ status: 403, json: { message: "This action is unauthorized." } });
      }
    }
    const formerCustomer = await makeUser({ resellerId: reseller.id });
    await makeSubscription(formerCustomer.id);
    await prisma().user.update({ where: { id: formerCustomer.id }, data: { resellerId: otherReseller.id } });
    expect((await createSite(reseller.token, { customer_id: formerCustomer.id })).status).toBe(403);
    expect(await prisma().site.count({ where: { userId: { in: [customer.id, formerCustomer.id] } } })).toBe(
      0,
    );
  });
});

describe("GET /api/sites?customer_id=", () => {
  it("lists the sites of a customer and their sub-accounts, with the owners' names", async () => {
    const [reseller, otherReseller] = [await makeResellerWithToken(), await makeResellerWithToken()];
    const customer = await makeUser({ resellerId: reseller.id, name: "Işıl Çelik" });
    const subAccount = await makeUser({ parentUserId: customer.id, name: "Alt Hesap" });
    const ids = [await makeSite(customer.id), await makeSite(subAccount.id)].map(({ id }) => id);
    await makeSite(reseller.id);
    const { json } = await get(`/api/sites?customer_id=${customer.id}&sort=created_at`, reseller.token);
    expect(
      json.data.map(({ id, owner_name }: { id: number; owner_name: string }) => [id, owner_name]),
    ).toEqual([
      [ids[0], "Işıl Çelik"],
      [ids[1], "Alt Hesap"],
    ]);
    expect(json.meta.total).toBe(2);
    for (const path of ["/api/sites", "/api/sites.csv"])
      expect((await get(`${path}?customer_id=${customer.id}`, otherReseller.token)).status).toBe(403);
    expect((await get("/api/sites", reseller.token)).json.data[0]).not.toHaveProperty("owner_name");
  });
});
