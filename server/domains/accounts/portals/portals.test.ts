import { describe, expect, it } from "vitest";
import { brandFor } from "@/server/infrastructure/brand/brand";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { burst, countByStatus } from "@/server/testing/burst";
import { makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { linkParam, mailsTo } from "@/server/testing/mailbox";
import { registrationBody } from "@/server/testing/requests";
import { testServer } from "@/server/testing/server";

const server = await testServer({
  env: { MEDIA_URL: "https://files.example.com", WIDGET_SCRIPT_URL: "https://cdn.example.com/widget.js" },
});
const { get, post, call } = server;

let portals = 0;
async function makePortal({ locked = false, proven = true, signed = true } = {}) {
  const reseller = await makeUser({ role: "reseller" });
  await makeReseller(reseller.id, { signed });
  const domain = `portal-${++portals}.example.com`;
  await prisma().resellerPortal.create({
    data: {
      resellerId: reseller.id,
      domain,
      lockCustomers: locked,
      verifiedAt: proven ? new Date() : null,
    },
  });
  return { reseller, domain, url: `http://${domain}` };
}
const at = (host?: string) => (host ? { headers: { "x-portal-host": host } } : {});
const login = ({ email }: { email: string }, host?: string) =>
  post("/api/auth/login", { email, password: "correct-horse" }, at(host));
/** Result of a sign-in: "in", or the URL to use instead. */
async function signInResult(person: { email: string }, host?: string): Promise<string> {
  const { status, json } = await login(person, host);
  if (status === 200) return "in";
  expect({ status, json }).toEqual({
    status: 403,
    json: { success: false, error: expect.any(String), portal_locked: true, portal_url: expect.any(String) },
  });
  return json.portal_url as string;
}
const MAIN = "http://panel.test";

describe("the portal lock", () => {
  it("is lifted while the reseller is passive, and mails link to the main address", async () => {
    const { reseller, domain, url } = await makePortal({ locked: true });
    const customer = await makeUser({ resellerId: reseller.id });
    expect(await signInResult(customer)).toEqual(url);
    expect((await brandFor(withoutTransaction(), customer.id)).url).toEqual(url);
    await prisma().user.update({ where: { id: reseller.id }, data: { isActive: false } });
    expect(await signInResult(customer)).toBe("in");
    expect((await brandFor(withoutTransaction(), customer.id)).url).toEqual(MAIN);
    expect(await signInResult(customer, domain)).toBe("in");
  });

  it("admits each reseller's accounts at their portal, and others at the main address", async () => {
    const [a, b, open] = [await makePortal({ locked: true }), await makePortal(), await makePortal()];
    const customer = await makeUser({ resellerId: a.reseller.id });
    const sub = await makeUser({ parentUserId: customer.id });
    const member = await makeUser({ parentUserId: a.reseller.id });
    const ofOpen = await makeUser({ resellerId: open.reseller.id });
    const nobodys = await makeUser();
    const admin = await makeUser({ role: "admin", resellerId: a.reseller.id });
    for (const person of [customer, sub]) {
      expect(await signInResult(person)).toBe(a.url);
      expect(await signInResult(person, a.domain)).toBe("in");
      expect(await signInResult(person, b.domain)).toBe(a.url);
    }
    for (const staff of [a.reseller, member])
      expect([
        await signInResult(staff),
        await signInResult(staff, a.domain),
        await signInResult(staff, b.domain),
      ]).toEqual(["in", "in", a.url]);
    expect(await signInResult(ofOpen)).toBe("in");
    expect(await signInResult(ofOpen, open.domain)).toBe("in");
    expect(await signInResult(ofOpen, a.domain)).toEqual(open.url);
    expect(await signInResult(nobodys)).toBe("in");
    expect(await signInResult(nobodys, a.domain)).toEqual(MAIN);
    for (const host of [undefined, a.domain, b.domain]) expect(await signInResult(admin, host)).toBe("in");
  });

  it.each([
    "PORTAL",
    "PORTAL:8443",
    "portal.",
    "unknown.example.com",
    "[::1]:80",
    "%00",
    "a b",
    "x".repeat(400),
  ])("reads the host as it means it: %s", async (spelling) => {
    const { domain, reseller } = await makePortal({ locked: true });
    const customer = await makeUser({ resellerId: reseller.id });
    const host = spelling.replace(/portal/i, (word) => (word === "PORTAL" ? domain.toUpperCase() : domain));
    expect(await signInResult(customer, host)).toBe(/portal/i.test(spelling) ? "in" : `http://${domain}`);
  });

  it("uses the Host header without a forwarded host", async () => {
    const { domain, reseller } = await makePortal({ locked: true });
    const customer = await makeUser({ resellerId: reseller.id });
    const body = { email: customer.email, password: "correct-horse" };
    expect((await post("/api/auth/login", body, { headers: { host: `${domain}:3000` } })).status).toBe(200);
  });

  it("is reported by a password reset, which takes effect", async () => {
    const { reseller, url } = await makePortal({ locked: true });
    const { email } = await makeUser({ resellerId: reseller.id });
    await post("/api/auth/forgot-password", { email });
    const token = linkParam((await mailsTo(server, email, "reset_password"))[0]!, "token");
    const password = "a-brand-new-password";
    const body = { token, email, password, password_confirmation: password };
    const { status, json } = await post("/api/auth/reset-password", body);
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        success: true,
        message: expect.any(String),
        auto_login: false,
        portal_locked: true,
        portal_url: url,
      },
    });
    expect((await post("/api/auth/login", { email, password })).status).toBe(403);
    expect((await post("/api/auth/login", { email, password: "correct-horse" })).status).toBe(401);
  });

  it("assigns accounts registered at a portal to its reseller, unless a referral code names another", async () => {
    const [portal, other] = [await makePortal({ locked: true }), await makePortal()];
    await prisma().reseller.update({
      where: { userId: other.reseller.id },
      data: { referralCode: "OTHERCODE" },
    });
    const signUp = async (host?: string, changes: object = {}) => {
      const { json } = await post("/api/auth/register", registrationBody({ ...changes }), at(host));
      return (await prisma().user.findUniqueOrThrow({ where: { id: json.user.id } })).resellerId;
    };
    expect(await signUp()).toBeNull();
    expect(await signUp(portal.domain)).toBe(portal.reseller.id);
    expect(await signUp(portal.domain, { referral_code: "OTHERCODE" })).toBe(other.reseller.id);
    await prisma().user.update({ where: { id: portal.reseller.id }, data: { isActive: false } });
    expect(await signUp(portal.domain)).toBeNull();
    expect(await signUp((await makePortal({ signed: false })).domain)).toBeNull();
    expect(await signUp((await makePortal({ proven: false })).domain)).toBeNull();
  });

  it("has no effect while the domain is not verified", async () => {
    const { reseller, domain } = await makePortal({ locked: true, proven: false });
    const [customer, nobodys] = [await makeUser({ resellerId: reseller.id }), await makeUser()];
    for (const person of [customer, nobodys, reseller])
      expect([await signInResult(person), await signInResult(person, domain)]).toEqual(["in", "in"]);
    await prisma().resellerPortal.update({
      where: { resellerId: reseller.id },
      data: { verifiedAt: new Date() },
    });
    expect(await signInResult(customer)).toBe(`http://${domain}`);
    expect(await signInResult(nobodys, domain)).toBe(MAIN);
  });

  it("reveals nothing before the password is right", async () => {
    const { reseller } = await makePortal({ locked: true });
    const { email } = await makeUser({ resellerId: reseller.id });
    const { status, json } = await post("/api/auth/login", { email, password: "wrong" });
    expect(status).toBe(401);
    expect(Object.keys(json)).toEqual(["success", "error"]);
  });
});

describe("a portal", () => {
  const put = (token: string, body: object) => call("PUT", "/api/reseller/portal", { token, body });
  async function reseller({ signed = true } = {}) {
    const user = await makeUser({ role: "reseller" });
    await makeReseller(user.id, { signed });
    const token = await makeToken(user.id);
    await prisma().accessToken.updateMany({ where: { userId: user.id }, data: { provenAt: new Date() } });
    return { user, token };
  }

  it("is created, changed and removed by its reseller", async () => {
    const { user, token } = await reseller();
    await makeUser({ resellerId: user.id });
    expect((await get("/api/reseller/portal", token)).json).toEqual({ success: true, portal: null });
    const created = await put(token, {
      domain: "https://Panel.Örnek.com/x",
      lock_customers: true,
    });
    expect(created.json.portal).toMatchObject({
      domain: "panel.xn--rnek-4qa.com",
      url: "http://panel.xn--rnek-4qa.com",
      state: "pending",
      lock_customers: true,
      customers_count: 1,
    });
    const unchanged = await put(token, { domain: "panel.örnek.com" });
    expect(unchanged.json.portal).toMatchObject({ lock_customers: true, dns: created.json.portal.dns });
    expect((await call("DELETE", "/api/reseller/portal", { token })).status).toBe(200);
    expect((await call("DELETE", "/api/reseller/portal", { token })).status).toBe(404);
  });

  it("needs a reseller and a recent proof of identity", async () => {
    const other = await makeToken((await makeUser()).id);
    const body = { domain: "x.example.com" };
    for (const response of [
      await get("/api/reseller/portal", other),
      await put(other, body),
      await call("DELETE", "/api/reseller/portal", { token: other }),
    ])
      expect({ status: response.status, json: response.json }).toEqual({
        status: 403,
        json: { message: "This action is unauthorized." },
      });
    const { token: stale, user } = await reseller();
    await prisma().accessToken.updateMany({ where: { userId: user.id }, data: { provenAt: null } });
    expect((await put(stale, body)).json.requires_identity).toBe(true);
  });

  it("cannot be read, changed or removed without a signed agreement, and keeps working", async () => {
    const { token, user } = await reseller({ signed: false });
    const body = { domain: "unsigned.example.com" };
    await prisma().resellerPortal.create({
      data: { resellerId: user.id, domain: body.domain },
    });
    for (const response of [
      await put(token, body),
      await get("/api/reseller/portal", token),
      await call("DELETE", "/api/reseller/portal", { token }),
    ])
      expect({ status: response.status, json: response.json }).toEqual({
        status: 403,
        json: { success: false, error: expect.any(String) },
      });
    expect(await prisma().resellerPortal.count({ where: { resellerId: user.id } })).toBe(1);
  });

  it("must be verified again when its domain changes, and only then", async () => {
    const { token, user } = await reseller();
    const proof = async () => (await get("/api/reseller/portal", token)).json.portal.verified_at;
    await put(token, { domain: "first.example.com" });
    expect(await proof()).toBeNull();
    await prisma().resellerPortal.update({
      where: { resellerId: user.id },
      data: { verifiedAt: new Date() },
    });
    await put(token, { domain: "first.example.com" });
    expect(await proof()).toMatch(/Z$/);
    await put(token, { domain: "second.example.com" });
    expect(await proof()).toBeNull();
  });

  it.each([
    "panel.test",
    "files.example.com",
    "https://CDN.example.com/",
    "localhost",
    "127.0.0.1",
    "exa mple.com",
    "",
    "a".repeat(300),
  ])("is not reached at %s", async (domain) => {
    const { token } = await reseller();
    const { status, json } = await put(token, { domain });
    expect(status).toBe(422);
    expect(Object.keys(json.errors ?? {})).toEqual(["domain"]);
  });

  it("claimed by many resellers has no effect before one verifies it", async () => {
    const wanting = await Promise.all(Array.from({ length: 20 }, () => reseller()));
    const domain = "begehrt.example.com";
    const responses = await burst(20, (index) =>
      put(wanting[index]!.token, { domain, lock_customers: true }),
    );
    expect(countByStatus(responses)).toEqual({ 200: 20 });
    const customer = await makeUser({ resellerId: wanting[0]!.user.id });
    expect(await signInResult(customer)).toBe("in");
    expect(await signInResult(customer, domain)).toBe("in");
    await prisma().resellerPortal.update({
      where: { resellerId: wanting[0]!.user.id },
      data: { verifiedAt: new Date() },
    });
    const late = await put((await reseller()).token, { domain });
    expect(late.status).toBe(422);
    expect(Object.keys(late.json.errors)).toEqual(["domain"]);
  });

  it("on .localhost is verified immediately in demo mode, by one reseller only, even in a burst", async () => {
    const wanting = await Promise.all(Array.from({ length: 20 }, () => reseller()));
    const responses = await burst(20, (index) =>
      put(wanting[index]!.token, { domain: "begehrt.localhost", lock_customers: true }),
    );
    expect(countByStatus(responses)).toEqual({ 200: 1, 422: 19 });
    const [won] = responses.filter(({ status }) => status === 200);
    expect(won!.json.portal).toMatchObject({ state: "verified", verified_at: expect.stringMatching(/Z$/) });
  });
});
