import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeProvenUser, makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { testServer } from "@/server/testing/server";

const { call, post } = await testServer({ env: { SUPPORT_EMAIL: "server@example.com" } });
const { token: adminToken, ...administrator } = await makeProvenUser({ role: "admin" });
const put = (support_contact: object, token = adminToken) =>
  call("PUT", "/api/admin/settings", { token, body: { support_contact } });

const passive = await makeUser({ isActive: false });
/** Contact shown to a passive account at a host. */
const contactAt = async (host = "panel.test") => {
  const body = { email: passive.email, password: "correct-horse" };
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
  const brand = (data: { supportEmail?: string | null; supportPhone?: string | null }) =>
    prisma().brand.update({ where: { userId: reseller.id }, data });

  expect(await contactAt()).toEqual({ email: "server@example.com", phone: null });
  expect((await put({ email: "help@example.com", url: "https://example.com/help" })).status).toBe(200);
  const ours = { email: "help@example.com", phone: null };
  expect(await contactAt()).toEqual(ours);
  expect(await contactAt(domain)).toEqual(ours);
  await brand({ supportPhone: "+90 312 555 00 34" });
  expect(await contactAt(domain)).toEqual({ email: null, phone: "+90 312 555 00 34" });
  await brand({ supportEmail: "destek@arslan.example" });
  expect(await contactAt(domain)).toEqual({ email: "destek@arslan.example", phone: "+90 312 555 00 34" });
  expect(await contactAt()).toEqual(ours);
});

it("accepts https URLs only, and needs a proof of identity", async () => {
  for (const url of [
    "http://example.com",
    "javascript:alert(1)",
    "https://user:pass@example.com",
    "example.com",
  ]) {
    const { status, json } = await put({ email: "help@example.com", url });
    expect(status, url).toBe(422);
    expect(Object.keys(json.errors), url).toEqual(["support_contact.url"]);
  }
  expect((await put({ email: "no address" })).status).toBe(422);
  const unproven = await put({ email: "trap@example.com" }, await makeToken(administrator.id));
  expect(unproven).toMatchObject({ status: 403, json: { requires_identity: true } });
  expect((await contactAt()).email).not.toBe("trap@example.com");
  expect((await put({ email: "help@example.com" })).json.settings).toContainEqual(
    expect.objectContaining({ key: "support_contact", value: { email: "help@example.com" } }),
  );
});
