import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { burst, countByStatus } from "@/server/testing/burst";
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

async function makeResellerToken({ signed = true } = {}) {
  const { id } = await makeUser({ role: "reseller", name: "Selin Arslan" });
  await makeReseller(id, { signed });
  return { id, token: await makeToken(id) };
}
let sites = 0;
const createSite = (token: string, body: object) =>
  post("/api/sites", { name: "Site", domain: `for-customer-${++sites}.example.com`, ...body }, { token });

describe("creating a site for a customer", () => {
  it("makes the customer the owner; the customer's slot pays, else the reseller's licence", async () => {
    const seller = await makeResellerToken();
    const customer = await makeUser({ resellerId: seller.id });
    await makeSubscription(customer.id, { slots: 1 });
    await makeSubscription(seller.id, { slots: 5 });
    const forecast = await get(`/api/sites/billing-forecast?customer_id=${customer.id}`, seller.token);
    expect(forecast.json).toMatchObject({ mode: "subscription_slot", total_slots: 1 });
    const first = await createSite(seller.token, { customer_id: customer.id });
    expect({ status: first.status, user_id: first.json.site.user_id, billing: first.json.billing }).toEqual({
      status: 201,
      user_id: customer.id,
      billing: { mode: "subscription_slot", remaining_slots: 0 },
    });
    const entry = await prisma().auditEvent.findFirstOrThrow({
      where: { action: "site.created", objectId: String(first.json.site.id) },
    });
    expect(entry.actorId).toBe(seller.id);
    expect((await createSite(seller.token, { customer_id: customer.id })).status).toBe(402);
    const second = await createSite(seller.token, { customer_id: customer.id, confirm_pay_per_site: true });
    expect({
      status: second.status,
      user_id: second.json.site.user_id,
      mode: second.json.billing.mode,
    }).toEqual({ status: 201, user_id: customer.id, mode: "pay_per_site" });
    const { userId } = await prisma().siteLicence.findUniqueOrThrow({
      where: { id: second.json.billing.license_id },
    });
    expect(userId).toBe(seller.id);
  });

  it("uses no slot twice when customer and reseller create concurrently", async () => {
    const seller = await makeResellerToken();
    const { token: customerToken, ...customer } = await makeSignedInUser({ resellerId: seller.id });
    await makeSubscription(customer.id, { slots: 3 });
    const responses = await burst(16, (index) =>
      index % 2 ? createSite(customerToken, {}) : createSite(seller.token, { customer_id: customer.id }),
    );
    expect(countByStatus(responses)[201]).toBe(3);
    expect(await prisma().site.count({ where: { userId: customer.id } })).toBe(3);
  });

  it("refuses another reseller's customer and callers who are no reseller", async () => {
    const [seller, other] = [await makeResellerToken(), await makeResellerToken()];
    const customer = await makeUser({ resellerId: other.id });
    const admin = await makeToken((await makeUser({ role: "admin" })).id);
    const otherCustomerToken = await makeToken((await makeUser({ resellerId: seller.id })).id);
    for (const token of [seller.token, admin, otherCustomerToken]) {
      for (const customer_id of [customer.id, 2_147_483_647]) {
        const { status, json } = await createSite(token, { customer_id });
        expect({ status, json }).toEqual({ status: 403, json: { message: "This action is unauthorized." } });
      }
    }
    const formerCustomer = await makeUser({ resellerId: seller.id });
    await makeSubscription(formerCustomer.id);
    await prisma().user.update({ where: { id: formerCustomer.id }, data: { resellerId: other.id } });
    expect((await createSite(seller.token, { customer_id: formerCustomer.id })).status).toBe(403);
    expect(await prisma().site.count({ where: { userId: { in: [customer.id, formerCustomer.id] } } })).toBe(
      0,
    );
  });
});

describe("GET /api/sites?customer_id=", () => {
  it("lists the sites of a customer and their sub-accounts, with the owners' names", async () => {
    const [seller, other] = [await makeResellerToken(), await makeResellerToken()];
    const customer = await makeUser({ resellerId: seller.id, name: "Işıl Çelik" });
    const sub = await makeUser({ parentUserId: customer.id, name: "Alt Hesap" });
    const ids = [await makeSite(customer.id), await makeSite(sub.id)].map(({ id }) => id);
    await makeSite(seller.id);
    const { json } = await get(`/api/sites?customer_id=${customer.id}&sort=created_at`, seller.token);
    expect(
      json.data.map(({ id, owner_name }: { id: number; owner_name: string }) => [id, owner_name]),
    ).toEqual([
      [ids[0], "Işıl Çelik"],
      [ids[1], "Alt Hesap"],
    ]);
    expect(json.meta.total).toBe(2);
    for (const path of ["/api/sites", "/api/sites.csv"])
      expect((await get(`${path}?customer_id=${customer.id}`, other.token)).status).toBe(403);
    expect((await get("/api/sites", seller.token)).json.data[0]).not.toHaveProperty("owner_name");
  });
});
