import { beforeEach, describe, expect, it, vi } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { lockSettings, readSetting } from "@/server/infrastructure/settings";
import { burst, countByStatus } from "@/server/testing/burst";
import { fakeIdentityProvider } from "@/server/testing/external-servers";
import { makeReseller, makeSite, makeSubscription, makeToken, makeUser } from "@/server/testing/factories";
import { rowCounts } from "@/server/testing/hostile-values";
import { resetLimits } from "@/server/testing/limits";
import { countLockWaits } from "@/server/testing/locks";
import { linkParam, mailsTo } from "@/server/testing/mailbox";
import { registrationBody } from "@/server/testing/requests";
import { testServer } from "@/server/testing/server";

const idp = await fakeIdentityProvider();
const server = await testServer({ env: idp.env });
const { call, post } = server;

const adminToken = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
const setSignUp = async (sign_up: "open" | "invitation" | "closed") => {
  const { status } = await call("PUT", "/api/admin/settings", { token: adminToken, body: { sign_up } });
  expect(status).toBe(200);
};
beforeEach(async () => {
  await resetLimits();
  await setSignUp("open");
});

const register = (changes: object = {}, host?: string) =>
  post(
    "/api/auth/register",
    registrationBody({ ...changes }),
    host ? { headers: { "x-portal-host": host } } : {},
  );
let people = 0;
const idToken = (claims: object = {}) => {
  const number = ++people;
  return idp.sign({ claims: { sub: `person-${number}`, email: `person.${number}@example.com`, ...claims } });
};
const google = (id_token = idToken(), host?: string) =>
  post("/api/auth/google", { id_token }, host ? { headers: { "x-portal-host": host } } : {});
const outcome = ({ status, headers }: Awaited<ReturnType<typeof register>>) => [
  status,
  headers["x-error-code"],
];
const CLOSED = [403, "sign_up_closed"];
const BY_INVITATION = [403, "sign_up_by_invitation"];

async function seller(code: string) {
  const { id } = await makeUser({ role: "reseller" });
  await makeReseller(id, { code });
  return { id, token: await makeToken(id) };
}

/** Accepts a mailed invitation. */
async function acceptMailed(email: string) {
  const mail = (await mailsTo(server, email)).find(({ template }) => template.endsWith("_invitation"));
  const { password, password_confirmation, consents } = registrationBody();
  const token = linkParam(mail!, "token");
  return post("/api/auth/accept-invitation", { token, password, password_confirmation, consents });
}

describe("while sign-up is open", () => {
  it("everyone can sign up, which is the default", async () => {
    await prisma().setting.deleteMany({ where: { key: "sign_up" } });
    expect(await readSetting(withoutTransaction(), "sign_up")).toBe("open");
    expect((await register()).status).toBe(201);
    expect((await google()).status).toBe(200);
  });
});

describe("while sign-up is closed", () => {
  it("neither form nor provider opens an account, and nothing is written", async () => {
    await seller("CLOSED1");
    await setSignUp("closed");
    const before = await rowCounts();
    expect(outcome(await register())).toEqual(CLOSED);
    expect(outcome(await register({ referral_code: "CLOSED1" }))).toEqual(CLOSED);
    const token = idToken();
    expect(outcome(await google(token))).toEqual(CLOSED);
    expect(outcome(await post("/api/auth/apple", { id_token: idToken(), name: "Işıl" }))).toEqual(CLOSED);
    expect(await rowCounts()).toEqual(before);
    // The id_token was not used up.
    await setSignUp("open");
    expect((await google(token)).status).toBe(200);
  });

  it("responds the same for an address with and without an account", async () => {
    const { email } = await makeUser();
    await setSignUp("closed");
    const [known, unknown] = [await register({ email }), await register()];
    expect({ status: known.status, text: known.text }).toEqual({
      status: unknown.status,
      text: unknown.text,
    });
    expect(known.json).toEqual({ success: false, error: expect.stringMatching(/./) });
    expect(Object.keys(known.headers).sort()).toEqual(Object.keys(unknown.headers).sort());
  });

  it("existing accounts sign in, also with a new provider", async () => {
    const linked = idToken();
    expect((await google(linked)).status).toBe(200);
    const { email } = await makeUser({ emailVerifiedAt: new Date() });
    await setSignUp("closed");
    expect((await post("/api/auth/login", { email, password: "correct-horse" })).status).toBe(200);
    expect(
      (await google(idToken({ sub: `person-${people}`, email: `person.${people}@example.com` }))).status,
    ).toBe(200);
    expect((await google(idToken({ email }))).status).toBe(200);
  });

  it("a deleted account cannot be opened again by its provider", async () => {
    const person = { sub: "leaver", email: "leaver@example.com" };
    const { json } = await google(idToken(person));
    const deletion = await post(
      "/api/auth/account/confirm-delete",
      { confirmation: "SİL" },
      { token: json.token },
    );
    expect(deletion.status, deletion.text).toBe(200);
    await setSignUp("closed");
    expect(outcome(await google(idToken(person)))).toEqual(CLOSED);
    await setSignUp("open");
    const secondSignIn = await google(idToken(person));
    expect(secondSignIn.status).toBe(200);
    expect(secondSignIn.json.user.id === json.user.id).toBe(false);
  });

  it("mailed invitations of a team or reseller work", async () => {
    const owner = await makeUser();
    await makeSubscription(owner.id);
    const site = await makeSite(owner.id);
    const reseller = await seller("CLOSED2");
    await setSignUp("closed");
    const agent = { name: "Ece Demir", email: "agent@example.com", site_id: site.id };
    const invited = await post("/api/team/invitations", agent, { token: await makeToken(owner.id) });
    expect(invited.status, invited.text).toBe(201);
    const customer = { name: "Işıl Çelik", email: "customer@example.com", phone: "0532 111 22 33" };
    expect((await post("/api/reseller/customers", customer, { token: reseller.token })).status).toBe(201);
    for (const { email } of [agent, customer]) {
      const { status, text } = await acceptMailed(email);
      expect(status, text).toBe(201);
    }
  });
});

describe("while sign-up is by invitation", () => {
  it("only a reseller's code or portal counts as an invitation", async () => {
    const { id } = await seller("INVITES1");
    const domain = "invites.example.com";
    await prisma().resellerPortal.create({ data: { resellerId: id, domain, verifiedAt: new Date() } });
    await setSignUp("invitation");
    expect(outcome(await register())).toEqual(BY_INVITATION);
    expect(outcome(await google())).toEqual(BY_INVITATION);
    expect((await register({ referral_code: "NOBODYS" })).status).toBe(422);
    const joined = [
      await register({ referral_code: "invites1" }),
      await register({}, domain),
      await google(idToken(), domain),
    ];
    expect(joined.map(({ status }) => status)).toEqual([201, 201, 200]);
    const ids = joined.map(({ json }) => json.user.id as number);
    expect(await prisma().user.count({ where: { id: { in: ids }, resellerId: id } })).toBe(3);
  });

  it("a portal without verified domain or signed agreement does not count", async () => {
    const [unproven, unsigned] = [await makeUser({ role: "reseller" }), await makeUser({ role: "reseller" })];
    await makeReseller(unproven.id, { code: "UNPROVEN1" });
    await makeReseller(unsigned.id, { code: "UNSIGNED1", signed: false });
    const portal = (resellerId: number, domain: string, verifiedAt: Date | null) =>
      prisma().resellerPortal.create({ data: { resellerId, domain, verifiedAt } });
    await portal(unproven.id, "unproven.example.com", null);
    await portal(unsigned.id, "unsigned.example.com", new Date());
    await setSignUp("invitation");
    for (const host of ["unproven.example.com", "unsigned.example.com"])
      expect(outcome(await register({}, host)), host).toEqual(BY_INVITATION);
  });
});

describe("a sign-up concurrent with a change of the setting", () => {
  it("waits for the change and follows it", async () => {
    const before = await prisma().user.count();
    let registering: ReturnType<typeof register> | undefined;
    await inTransaction(async (tx) => {
      await lockSettings(tx);
      await tx.db.setting.update({ where: { key: "sign_up" }, data: { value: "closed" } });
      // The early check still sees "open".
      registering = register();
      await vi.waitFor(async () => expect(await countLockWaits()).toBe(1), { timeout: 10_000 });
    });
    expect(outcome(await registering!)).toEqual(CLOSED);
    expect(await prisma().user.count()).toBe(before);
  });

  it("is complete before the change returns, or refused", async () => {
    const before = await prisma().user.count();
    let afterwards = 0;
    const responses = await burst(20, async (index) => {
      if (index !== 10) return register();
      const changed = await call("PUT", "/api/admin/settings", {
        token: adminToken,
        body: { sign_up: "closed" },
      });
      afterwards = await prisma().user.count();
      return changed;
    });
    const opened = countByStatus(responses)[201] ?? 0;
    expect(await prisma().user.count()).toBe(afterwards);
    expect(afterwards - before).toBe(opened);
    expect(responses.every(({ status }) => [200, 201, 403].includes(status))).toBe(true);
  });
});
