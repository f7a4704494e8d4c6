import { describe, expect, it } from "vitest";
import { getAccountBrand } from "@/server/infrastructure/brand/brand";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails, getLinkParam } from "@/server/testing/mailbox";
import { buildRegistrationBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer({
  env: { MEDIA_URL: "https://files.example.com", WIDGET_SCRIPT_URL: "https://cdn.example.com/widget.js" },
});
const { get, post, call } = server;

let portalCount = 0;
async function makePortal({ locked = false, proven = true, signed = true } = {}) {
  const reseller = await makeUser({ role: "reseller" });
  await makeReseller(reseller.id, { signed });
  const domain = `portal-${++portalCount}.example.com`;
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
const buildHostOptions = (host?: string) => (host ? { headers: { "x-portal-host": host } } : {});
const signIn = ({ email }: { email: string }, host?: string) =>
  post("/api/auth/login", { email, password: "correct-horse" }, buildHostOptions(host));
async function getSignInResult(person: { email: string }, host?: string): Promise<string> {
  const { status, json } = await signIn(person, host);
  if (status === 200) return "in";
  expect({ status, json }).toEqual({
    status: 403,
    json: { success: false, error: expect.any(String), portal_locked: true, portal_url: expect.any(String) },
  });
  return json.portal_url as string;
}
const MAIN_URL = "http://panel.test";

describe("the portal lock", () => {
  it("is lifted while the reseller is deactivated; mails then link to the main address", async () => {
    const { reseller, domain, url } = await makePortal({ locked: true });
    const customer = await makeUser({ resellerId: reseller.id });
    expect(await getSignInResult(customer)).toEqual(url);
    expect((await getAccountBrand(withoutTransaction(), customer.id)).url).toEqual(url);
    await prisma().user.update({ where: { id: reseller.id }, data: { isActive: false } });
    expect(await getSignInResult(customer)).toBe("in");
    expect((await getAccountBrand(withoutTransaction(), customer.id)).url).toEqual(MAIN_URL);
    expect(await getSignInResult(customer, domain)).toBe("in");
  });

  it("admits each reseller's accounts at their portal, and others at the main address", async () => {
    const [lockedPortal, otherPortal, openPortal] = [
      await makePortal({ locked: true }),
      await makePortal(),
      await makePortal(),
    ];
    const customer = await makeUser({ resellerId: lockedPortal.reseller.id });
    const subUser = await makeUser({ parentUserId: customer.id });
    const member = await makeUser({ parentUserId: lockedPortal.reseller.id });
    const openCustomer = await makeUser({ resellerId: openPortal.reseller.id });
    const independentUser = await makeUser();
    const admin = await makeUser({ role: "admin", resellerId: lockedPortal.reseller.id });
    for (const person of [customer, subUser]) {
      expect(await getSignInResult(person)).toBe(lockedPortal.url);
      expect(await getSignInResult(person, lockedPortal.domain)).toBe("in");
      expect(await getSignInResult(person, otherPortal.domain)).toBe(lockedPortal.url);
    }
    for (const staff of [lockedPortal.reseller, member])
      expect([
        await getSignInResult(staff),
        await getSignInResult(staff, lockedPortal.domain),
        await getSignInResult(staff, otherPortal.domain),
      ]).toEqual(["in", "in", lockedPortal.url]);
    expect(await getSignInResult(openCustomer)).toBe("in");
    expect(await getSignInResult(openCustomer, openPortal.domain)).toBe("in");
    expect(await getSignInResult(openCustomer, lockedPortal.domain)).toEqual(openPortal.url);
    expect(await getSignInResult(independentUser)).toBe("in");
    expect(await getSignInResult(independentUser, lockedPortal.domain)).toEqual(MAIN_URL);
    for (const host of [undefined, lockedPortal.domain, otherPortal.domain])
      expect(await getSignInResult(admin, host)).toBe("in");
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
  ])("normalises the host: %s", async (spelling) => {
    const { domain, reseller } = await makePortal({ locked: true });
    const customer = await makeUser({ resellerId: reseller.id });
    const host = spelling.replace(/portal/i, (word) => (word === "PORTAL" ? domain.toUpperCase() : domain));
    expect(await getSignInResult(customer, host)).toBe(/portal/i.test(spelling) ? "in" : `http://${domain}`);
  });

  it("uses the Host header without a forwarded host", async () => {
    const { domain, reseller } = await makePortal({ locked: true });
    const customer = await makeUser({ resellerId: reseller.id });
    const body = { email: customer.email, password: "correct-horse" };
    expect((await post("/api/auth/login", body, { headers: { host: `${domain}:3000` } })).status).toBe(200);
  });

  it("does not prevent a password reset, whose response reports the lock", async () => {
    const { reseller, url } = await makePortal({ locked: true });
    const { email } = await makeUser({ resellerId: reseller.id });
    await post("/api/auth/forgot-password", { email });
    const token = getLinkParam((await deliverAndReadMails(server, email, "reset_password"))[0]!, "token");
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
    const [portal, otherPortal] = [await makePortal({ locked: true }), await makePortal()];
    await prisma().reseller.update({
      where: { userId: otherPortal.reseller.id },
      data: { referralCode: "OTHERCODE" },
    });
    const getNewAccountReseller = async (host?: string, extraFields: object = {}) => {
      const { json } = await post(
        "/api/auth/register",
        buildRegistrationBody({ ...extraFields }),
        buildHostOptions(host),
      );
      return (await prisma().user.findUniqueOrThrow({ where: { id: json.user.id } })).resellerId;
    };
    expect(await getNewAccountReseller()).toBeNull();
    expect(await getNewAccountReseller(portal.domain)).toBe(portal.reseller.id);
    expect(await getNewAccountReseller(portal.domain, { referral_code: "OTHERCODE" })).toBe(
      otherPortal.reseller.id,
    );
    await prisma().user.update({ where: { id: portal.reseller.id }, data: { isActive: false } });
    expect(await getNewAccountReseller(portal.domain)).toBeNull();
    expect(await getNewAccountReseller((await makePortal({ signed: false })).domain)).toBeNull();
    expect(await getNewAccountReseller((await makePortal({ proven: false })).domain)).toBeNull();
  });

  it("has no effect while the domain is not verified", async () => {
    const { reseller, domain } = await makePortal({ locked: true, proven: false });
    const [customer, independentUser] = [await makeUser({ resellerId: reseller.id }), await makeUser()];
    for (const person of [customer, independentUser, reseller])
      expect([await getSignInResult(person), await getSignInResult(person, domain)]).toEqual(["in", "in"]);
    await prisma().resellerPortal.update({
      where: { resellerId: reseller.id },
      data: { verifiedAt: new Date() },
    });
    expect(await getSignInResult(customer)).toBe(`http://${domain}`);
    expect(await getSignInResult(independentUser, domain)).toBe(MAIN_URL);
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
  const putPortal = (token: string, body: object) => call("PUT", "/api/reseller/portal", { token, body });
  async function makeResellerAccount({ signed = true } = {}) {
    const user = await makeUser({ role: "reseller" });
    await makeReseller(user.id, { signed });
    const token = await makeToken(user.id);
    await prisma().accessToken.updateMany({ where: { userId: user.id }, data: { provenAt: new Date() } });
    return { user, token };
  }

  it("is created, changed and removed by its reseller", async () => {
    const { user, token } = await makeResellerAccount();
    await makeUser({ resellerId: user.id });
    expect((await get("/api/reseller/portal", token)).json).toEqual({ success: true, portal: null });
    const creation = await putPortal(token, {
      domain: "https://Panel.Örnek.com/x",
      lock_customers: true,
    });
    expect(creation.json.portal).toMatchObject({
      domain: "panel.xn--rnek-4qa.com",
      url: "http://panel.xn--rnek-4qa.com",
      state: "pending",
      lock_customers: true,
      customers_count: 1,
    });
    const unchangedResponse = await putPortal(token, { domain: "panel.örnek.com" });
    expect(unchangedResponse.json.portal).toMatchObject({
      lock_customers: true,
      dns: creation.json.portal.dns,
    });
    expect((await call("DELETE", "/api/reseller/portal", { token })).status).toBe(200);
    expect((await call("DELETE", "/api/reseller/portal", { token })).status).toBe(404);
  });

  it("needs a reseller and a recent proof of identity", async () => {
    const userToken = await makeToken((await makeUser()).id);
    const body = { domain: "x.example.com" };
    for (const response of [
      await get("/api/reseller/portal", userToken),
      await putPortal(userToken, body),
      await call("DELETE", "/api/reseller/portal", { token: userToken }),
    ])
      expect({ status: response.status, json: response.json }).toEqual({
        status: 403,
        json: { message: "This action is unauthorized." },
      });
    const { token: unprovenToken, user } = await makeResellerAccount();
    await prisma().accessToken.updateMany({ where: { userId: user.id }, data: { provenAt: null } });
    expect((await putPortal(unprovenToken, body)).json.requires_identity).toBe(true);
  });

  it("cannot be read, changed or removed without a signed agreement, but is kept", async () => {
    const { token, user } = await makeResellerAccount({ signed: false });
    const body = { domain: "unsigned.example.com" };
    await prisma().resellerPortal.create({
      data: { resellerId: user.id, domain: body.domain },
    });
    for (const response of [
      await putPortal(token, body),
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
    const { token, user } = await makeResellerAccount();
    const readVerifiedAt = async () => (await get("/api/reseller/portal", token)).json.portal.verified_at;
    await putPortal(token, { domain: "first.example.com" });
    expect(await readVerifiedAt()).toBeNull();
    await prisma().resellerPortal.update({
      where: { resellerId: user.id },
      data: { verifiedAt: new Date() },
    });
    await putPortal(token, { domain: "first.example.com" });
    expect(await readVerifiedAt()).toMatch(/Z$/);
    await putPortal(token, { domain: "second.example.com" });
    expect(await readVerifiedAt()).toBeNull();
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
  ])("rejects the domain %s", async (domain) => {
    const { token } = await makeResellerAccount();
    const { status, json } = await putPortal(token, { domain });
    expect(status).toBe(422);
    expect(Object.keys(json.errors ?? {})).toEqual(["domain"]);
  });

  it("has no effect while many resellers claim its domain and none has verified it", async () => {
    const resellers = await Promise.all(Array.from({ length: 20 }, () => makeResellerAccount()));
    const domain = "begehrt.example.com";
    const responses = await runConcurrently(20, (index) =>
      putPortal(resellers[index]!.token, { domain, lock_customers: true }),
    );
    expect(countByStatus(responses)).toEqual({ 200: 20 });
    const customer = await makeUser({ resellerId: resellers[0]!.user.id });
    expect(await getSignInResult(customer)).toBe("in");
    expect(await getSignInResult(customer, domain)).toBe("in");
    await prisma().resellerPortal.update({
      where: { resellerId: resellers[0]!.user.id },
      data: { verifiedAt: new Date() },
    });
    const lateResponse = await putPortal((await makeResellerAccount()).token, { domain });
    expect(lateResponse.status).toBe(422);
    expect(Object.keys(lateResponse.json.errors)).toEqual(["domain"]);
  });

  it("on .localhost is verified immediately in demo mode, by one reseller only, even in a burst", async () => {
    const resellers = await Promise.all(Array.from({ length: 20 }, () => makeResellerAccount()));
    const responses = await runConcurrently(20, (index) =>
      putPortal(resellers[index]!.token, { domain: "begehrt.localhost", lock_customers: true }),
    );
    expect(countByStatus(responses)).toEqual({ 200: 1, 422: 19 });
    const [winnerResponse] = responses.filter(({ status }) => status === 200);
    expect(winnerResponse!.json.portal).toMatchObject({
      state: "verified",
      verified_at: expect.stringMatching(/Z$/),
    });
  });
});
