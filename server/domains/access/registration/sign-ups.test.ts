import { beforeEach, describe, expect, it, vi } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { lockSettings, readSetting } from "@/server/infrastructure/settings";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { startFakeIdentityProvider } from "@/server/testing/external-servers";
import { makeReseller, makeSite, makeSubscription, makeToken, makeUser } from "@/server/testing/factories";
import { countRows } from "@/server/testing/hostile-values";
import { countLockWaits } from "@/server/testing/locks";
import { deliverAndReadMails, getLinkParam } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { buildRegistrationBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";

const identityProvider = await startFakeIdentityProvider();
const server = await startTestServer({ env: identityProvider.env });
const { call, post } = server;

const adminToken = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
const setSignUp = async (sign_up: "open" | "invitation" | "closed") => {
  const { status } = await call("PUT", "/api/admin/settings", { token: adminToken, body: { sign_up } });
  expect(status).toBe(200);
};
beforeEach(async () => {
  await resetRateLimits();
  await setSignUp("open");
});

const register = (changes: object = {}, host?: string) =>
  post(
    "/api/auth/register",
    buildRegistrationBody({ ...changes }),
    host ? { headers: { "x-portal-host": host } } : {},
  );
let lastPersonNumber = 0;
const signIdToken = (claims: object = {}) => {
  const personNumber = ++lastPersonNumber;
  return identityProvider.signIdToken({
    claims: { sub: `person-${personNumber}`, email: `person.${personNumber}@example.com`, ...claims },
  });
};
const signInWithGoogle = (id_token = signIdToken(), host?: string) =>
  post("/api/auth/google", { id_token }, host ? { headers: { "x-portal-host": host } } : {});
const getStatusAndCode = ({ status, headers }: Awaited<ReturnType<typeof register>>) => [
  status,
  headers["x-error-code"],
];
const CLOSED_REFUSAL = [403, "sign_up_closed"];
const INVITATION_REFUSAL = [403, "sign_up_by_invitation"];

async function makeResellerWithCode(code: string) {
  const { id } = await makeUser({ role: "reseller" });
  await makeReseller(id, { code });
  return { id, token: await makeToken(id) };
}

async function acceptMailedInvitation(email: string) {
  const mail = (await deliverAndReadMails(server, email)).find(({ template }) =>
    template.endsWith("_invitation"),
  );
  const { password, password_confirmation, consents } = buildRegistrationBody();
  const token = getLinkParam(mail!, "token");
  return post("/api/auth/accept-invitation", { token, password, password_confirmation, consents });
}

describe("while sign-up is open", () => {
  it("lets everyone sign up, which is the default", async () => {
    await prisma().setting.deleteMany({ where: { key: "sign_up" } });
    expect(await readSetting(withoutTransaction(), "sign_up")).toBe("open");
    expect((await register()).status).toBe(201);
    expect((await signInWithGoogle()).status).toBe(200);
  });
});

describe("while sign-up is closed", () => {
  it("refuses form and provider, and writes nothing", async () => {
    await makeResellerWithCode("CLOSED1");
    await setSignUp("closed");
    const rowCountsBefore = await countRows();
    expect(getStatusAndCode(await register())).toEqual(CLOSED_REFUSAL);
    expect(getStatusAndCode(await register({ referral_code: "CLOSED1" }))).toEqual(CLOSED_REFUSAL);
    const token = signIdToken();
    expect(getStatusAndCode(await signInWithGoogle(token))).toEqual(CLOSED_REFUSAL);
    expect(
      getStatusAndCode(await post("/api/auth/apple", { id_token: signIdToken(), name: "Işıl" })),
    ).toEqual(CLOSED_REFUSAL);
    expect(await countRows()).toEqual(rowCountsBefore);
    await setSignUp("open");
    expect((await signInWithGoogle(token)).status).toBe(200);
  });

  it("responds the same for an address with and without an account", async () => {
    const { email } = await makeUser();
    await setSignUp("closed");
    const [knownResponse, unknownResponse] = [await register({ email }), await register()];
    expect({ status: knownResponse.status, text: knownResponse.text }).toEqual({
      status: unknownResponse.status,
      text: unknownResponse.text,
    });
    expect(knownResponse.json).toEqual({ success: false, error: expect.stringMatching(/./) });
    expect(Object.keys(knownResponse.headers).sort()).toEqual(Object.keys(unknownResponse.headers).sort());
  });

  it("signs existing accounts in, also with a new provider", async () => {
    const linkedToken = signIdToken();
    expect((await signInWithGoogle(linkedToken)).status).toBe(200);
    const { email } = await makeUser({ emailVerifiedAt: new Date() });
    await setSignUp("closed");
    expect((await post("/api/auth/login", { email, password: "correct-horse" })).status).toBe(200);
    expect(
      (
        await signInWithGoogle(
          signIdToken({ sub: `person-${lastPersonNumber}`, email: `person.${lastPersonNumber}@example.com` }),
        )
      ).status,
    ).toBe(200);
    expect((await signInWithGoogle(signIdToken({ email }))).status).toBe(200);
  });

  it("does not open a deleted account again by its provider", async () => {
    const claims = { sub: "leaver", email: "leaver@example.com" };
    const { json } = await signInWithGoogle(signIdToken(claims));
    const deletion = await post(
      "/api/auth/account/confirm-delete",
      { confirmation: "SİL" },
      { token: json.token },
    );
    expect(deletion.status, deletion.text).toBe(200);
    await setSignUp("closed");
    expect(getStatusAndCode(await signInWithGoogle(signIdToken(claims)))).toEqual(CLOSED_REFUSAL);
    await setSignUp("open");
    const secondSignIn = await signInWithGoogle(signIdToken(claims));
    expect(secondSignIn.status).toBe(200);
    expect(secondSignIn.json.user.id === json.user.id).toBe(false);
  });

  it("accepts mailed invitations of a team or reseller", async () => {
    const owner = await makeUser();
    await makeSubscription(owner.id);
    const site = await makeSite(owner.id);
    const reseller = await makeResellerWithCode("CLOSED2");
    await setSignUp("closed");
    const agent = { name: "Ece Demir", email: "agent@example.com", site_id: site.id };
    const invitation = await post("/api/team/invitations", agent, { token: await makeToken(owner.id) });
    expect(invitation.status, invitation.text).toBe(201);
    const customer = { name: "Işıl Çelik", email: "customer@example.com", phone: "0532 111 22 33" };
    expect((await post("/api/reseller/customers", customer, { token: reseller.token })).status).toBe(201);
    for (const { email } of [agent, customer]) {
      const { status, text } = await acceptMailedInvitation(email);
      expect(status, text).toBe(201);
    }
  });
});

describe("while sign-up is by invitation", () => {
  it("accepts only a reseller's code or portal as an invitation", async () => {
    const { id } = await makeResellerWithCode("INVITES1");
    const domain = "invites.example.com";
    await prisma().resellerPortal.create({ data: { resellerId: id, domain, verifiedAt: new Date() } });
    await setSignUp("invitation");
    expect(getStatusAndCode(await register())).toEqual(INVITATION_REFUSAL);
    expect(getStatusAndCode(await signInWithGoogle())).toEqual(INVITATION_REFUSAL);
    expect((await register({ referral_code: "NOBODYS" })).status).toBe(422);
    const joinedResponses = [
      await register({ referral_code: "invites1" }),
      await register({}, domain),
      await signInWithGoogle(signIdToken(), domain),
    ];
    expect(joinedResponses.map(({ status }) => status)).toEqual([201, 201, 200]);
    const ids = joinedResponses.map(({ json }) => json.user.id as number);
    expect(await prisma().user.count({ where: { id: { in: ids }, resellerId: id } })).toBe(3);
  });

  it("does not accept a portal without verified domain or signed agreement", async () => {
    const [unprovenReseller, unsignedReseller] = [
      await makeUser({ role: "reseller" }),
      await makeUser({ role: "reseller" }),
    ];
    await makeReseller(unprovenReseller.id, { code: "UNPROVEN1" });
    await makeReseller(unsignedReseller.id, { code: "UNSIGNED1", signed: false });
    const makePortal = (resellerId: number, domain: string, verifiedAt: Date | null) =>
      prisma().resellerPortal.create({ data: { resellerId, domain, verifiedAt } });
    await makePortal(unprovenReseller.id, "unproven.example.com", null);
    await makePortal(unsignedReseller.id, "unsigned.example.com", new Date());
    await setSignUp("invitation");
    for (const host of ["unproven.example.com", "unsigned.example.com"])
      expect(getStatusAndCode(await register({}, host)), host).toEqual(INVITATION_REFUSAL);
  });
});

describe("a sign-up concurrent with a change of the setting", () => {
  it("waits for the change and follows it", async () => {
    const userCountBefore = await prisma().user.count();
    let pendingRegistration: ReturnType<typeof register> | undefined;
    await inTransaction(async (tx) => {
      await lockSettings(tx);
      await tx.db.setting.update({ where: { key: "sign_up" }, data: { value: "closed" } });
      // The early check still sees "open".
      pendingRegistration = register();
      await vi.waitFor(async () => expect(await countLockWaits()).toBe(1), { timeout: 10_000 });
    });
    expect(getStatusAndCode(await pendingRegistration!)).toEqual(CLOSED_REFUSAL);
    expect(await prisma().user.count()).toBe(userCountBefore);
  });

  it("finishes before the change returns, or is refused", async () => {
    const userCountBefore = await prisma().user.count();
    let countAfterChange = 0;
    const responses = await runConcurrently(20, async (index) => {
      if (index !== 10) return register();
      const changeResponse = await call("PUT", "/api/admin/settings", {
        token: adminToken,
        body: { sign_up: "closed" },
      });
      countAfterChange = await prisma().user.count();
      return changeResponse;
    });
    const openedCount = countByStatus(responses)[201] ?? 0;
    expect(await prisma().user.count()).toBe(countAfterChange);
    expect(countAfterChange - userCountBefore).toBe(openedCount);
    expect(responses.every(({ status }) => [200, 201, 403].includes(status))).toBe(true);
  });
});
