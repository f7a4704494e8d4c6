import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeProvenUser, makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

const { call, post } = await startTestServer({ env: { SUPPORT_EMAIL: "server@example.com" } });
const { token: adminToken, ...administrator } = await makeProvenUser({ role: "admin" });
const putSupportContact = (support_contact: object, token = adminToken) =>
  call("PUT", "/api/admin/settings", { token, body: { support_contact } });

const deactivatedUser = await makeUser({ isActive: false });
const readContactAt = async (host = "panel.test") => {
  const body = { email: deactivatedUser.email, password: "correct-horse" };
  const { json } = await post("/api/auth/login", body, { headers: { "x-portal-host": host } });
  return { email: json.contact.email, phone: json.contact.phone };
};

it("shows the brand's contact, else the administrators', else the environment's", async () => {
  const reseller = await makeUser({ role: "reseller" });
  await makeReseller(reseller.id);
  const domain = "help.arslan.example";
  await prisma().resellerPortal.create({
    data: { resellerId: reseller.id, domain, verifiedAt: new Date() },
  });
  await prisma().brand.create({ data: { userId: reseller.id, productName: "Arslan Panel" } });
  const updateBrand = (data: { supportEmail?: string | null; supportPhone?: string | null }) =>
    prisma().brand.update({ where: { userId: reseller.id }, data });

  expect(await readContactAt()).toEqual({ email: "server@example.com", phone: null });
  expect(
    (await putSupportContact({ email: "help@example.com", url: "https://example.com/help" })).status,
  ).toBe(200);
  const platformContact = { email: "help@example.com", phone: null };
  expect(await readContactAt()).toEqual(platformContact);
  expect(await readContactAt(domain)).toEqual(platformContact);
  await updateBrand({ supportPhone: "+90 312 555 00 34" });
  expect(await readContactAt(domain)).toEqual({ email: null, phone: "+90 312 555 00 34" });
  await updateBrand({ supportEmail: "destek@arslan.example" });
  expect(await readContactAt(domain)).toEqual({ email: "destek@arslan.example", phone: "+90 312 555 00 34" });
  expect(await readContactAt()).toEqual(platformContact);
});

it("accepts https URLs only, and needs a proof of identity", async () => {
  for (const url of [
    "http://example.com",
    "javascript:alert(1)",
    "https://user:pass@example.com",
    "example.com",
  ]) {
    const { status, json } = await putSupportContact({ email: "help@example.com", url });
    expect(status, url).toBe(422);
    expect(Object.keys(json.errors), url).toEqual(["support_contact.url"]);
  }
  expect((await putSupportContact({ email: "no address" })).status).toBe(422);
  const unprovenResponse = await putSupportContact(
    { email: "trap@example.com" },
    await makeToken(administrator.id),
  );
  expect(unprovenResponse).toMatchObject({ status: 403, json: { requires_identity: true } });
  expect((await readContactAt()).email).not.toBe("trap@example.com");
  expect((await putSupportContact({ email: "help@example.com" })).json.settings).toContainEqual(
    expect.objectContaining({ key: "support_contact", value: { email: "help@example.com" } }),
  );
});
