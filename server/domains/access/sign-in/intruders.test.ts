import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { Authenticator } from "@/server/testing/authenticator";
import { startFakeIdentityProvider, startFakeSmtpServer } from "@/server/testing/external-servers";
import { makeProvenUser, makeSignedInUser, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { createIpAddress } from "@/server/testing/http";
import { deliverAndReadMails, getLinkParam } from "@/server/testing/mailbox";
import { buildRegistrationBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";
import type { FakeSmtpServer } from "@/server/testing/smtp";

/* Each test tries every credential: the owner's must open the account, the intruder's must not. */

const [identityProvider, smtpServer] = await Promise.all([
  startFakeIdentityProvider(),
  startFakeSmtpServer(),
]);
const server = await startTestServer({ env: { ...identityProvider.env, MAIL_PRIVATE_HOSTS: "true" } });
const { call, get, post } = server;

const PASSWORD = "correct-horse";
const RELYING_PARTY = { origin: "http://panel.test", rpId: "panel.test" };
const OWNER_PASSWORD = "the-owners-own-password";
const INTRUDER_PASSWORD = "the-intruders-password";

/** Signs in with a credential; returns the id of the account it opens. */
type Credential = () => Promise<number | undefined>;

const bearerCredential =
  (token: string | undefined): Credential =>
  async () =>
    token ? (await get("/api/user", token)).json.user?.id : undefined;
const passwordCredential =
  (email: string, password: string): Credential =>
  async () => {
    const { json } = await post("/api/auth/login", { email, password }, { ip: createIpAddress() });
    return bearerCredential(json.token)();
  };
const googleCredential =
  (claims: { sub: string; email: string }): Credential =>
  async () => {
    const { json } = await post(
      "/api/auth/google",
      { id_token: identityProvider.signIdToken({ claims }) },
      { ip: createIpAddress() },
    );
    return json.user?.id;
  };
const passkeyCredential =
  (passkeyDevice: Authenticator): Credential =>
  async () => {
    const { json } = await post("/api/auth/passkey/login/options", {}, { ip: createIpAddress() });
    const body = { credential: passkeyDevice.get(json.options), challenge_ref: json.challenge_ref };
    return bearerCredential(
      (await post("/api/auth/passkey/login/verify", body, { ip: createIpAddress() })).json.token,
    )();
  };

async function addCredentials(token: string, googleSubject: string): Promise<Record<string, Credential>> {
  const passkeyDevice = new Authenticator(RELYING_PARTY);
  const optionsResponse = await post("/api/profile/passkeys/register/options", {}, { token });
  if (optionsResponse.json.options)
    await post(
      "/api/profile/passkeys/register/verify",
      { credential: passkeyDevice.create(optionsResponse.json.options) },
      { token },
    );
  const claims = { sub: googleSubject, email: `${googleSubject}@example.com` };
  await post(
    "/api/profile/identities",
    { provider: "google", id_token: identityProvider.signIdToken({ claims }) },
    { token },
  );
  const keyResponses = await Promise.all(
    [null, 30].map((expires_in_days) =>
      post("/api/user/tokens", { name: "Key", abilities: ["*"], expires_in_days }, { token }),
    ),
  );
  await prisma().rateLimit.deleteMany();
  return {
    "the session": bearerCredential(token),
    "a passkey": passkeyCredential(passkeyDevice),
    "a provider": googleCredential(claims),
    "an endless key": bearerCredential(keyResponses[0]!.json.token),
    "a key": bearerCredential(keyResponses[1]!.json.token),
  };
}

async function resetPassword(email: string, password: string) {
  await prisma().rateLimit.deleteMany();
  await post("/api/auth/forgot-password", { email }, { ip: createIpAddress() });
  const token = getLinkParam((await deliverAndReadMails(server, email, "reset_password"))[0]!, "token");
  const body = { token, email, password, password_confirmation: password };
  return (await post("/api/auth/reset-password", body, { ip: createIpAddress() })).json;
}

async function verifyAddress(address: string, template = "verify_email") {
  const [mail] = await deliverAndReadMails(server, address, template);
  return (
    mail && post("/api/auth/verify-email", { token: getLinkParam(mail, "token") }, { ip: createIpAddress() })
  );
}

async function expectOnlyOwnerAccess(
  accountId: number,
  { owner, intruder }: { owner: Record<string, Credential>; intruder: Record<string, Credential> },
) {
  await prisma().rateLimit.deleteMany();
  for (const [name, credential] of Object.entries(intruder))
    expect(await credential(), `the intruder's ${name}`).not.toBe(accountId);
  for (const [name, credential] of Object.entries(owner))
    expect(await credential(), `the owner's ${name}`).toBe(accountId);
}

let nameCount = 0;
const uniqueName = (prefix: string) => `${prefix}-${++nameCount}`;

it("voids the deletion code on a change of address, and support access and webhooks on its undoing", async () => {
  const { token, ...owner } = await makeSignedInUser();
  await call("POST", "/api/auth/account/delete-request", { token });
  expect(await prisma().deletionRequest.count({ where: { userId: owner.id } })).toBe(1);
  expect((await call("PUT", "/api/profile/support-access", { token, body: { until: "30d" } })).status).toBe(
    200,
  );
  await prisma().webhookEndpoint.create({
    data: {
      userId: owner.id,
      url: "https://intruder.example.com",
      urlHash: Buffer.alloc(32),
      secretSealed: Buffer.alloc(1),
      secretLastFour: "abcd",
      events: [],
    },
  });
  const address = `${uniqueName("thief")}@example.com`;
  expect((await call("PUT", "/api/auth/profile", { token, body: { email: address } })).status).toBe(200);
  expect((await verifyAddress(address))?.status).toBe(200);
  expect(await prisma().deletionRequest.count({ where: { userId: owner.id } })).toBe(0);
  await call("POST", "/api/auth/account/delete-request", { token });
  expect(await deliverAndReadMails(server, address, "deletion_code")).toHaveLength(0);
  expect(await deliverAndReadMails(server, owner.email, "deletion_code")).toHaveLength(2);
  const undoToken = getLinkParam(
    (await deliverAndReadMails(server, owner.email, "email_changed"))[0]!,
    "token",
  );
  expect((await post("/api/auth/undo-email-change", { token: undoToken })).status).toBe(200);
  expect(await prisma().supportAccess.count({ where: { userId: owner.id } })).toBe(0);
  expect(await prisma().webhookEndpoint.count({ where: { userId: owner.id } })).toBe(0);
});

it("notifies the former address, too, of a deletion soon after a change of address", async () => {
  const { token, ...owner } = await makeSignedInUser();
  const address = `${uniqueName("thief")}@example.com`;
  await call("PUT", "/api/auth/profile", { token, body: { email: address } });
  expect((await verifyAddress(address))?.status).toBe(200);
  const deletion = await post("/api/auth/account/confirm-delete", { confirmation: "DELETE" }, { token });
  expect(deletion.status).toBe(200);
  for (const recipient of [address, owner.email])
    expect(await deliverAndReadMails(server, recipient, "account_deleted")).toHaveLength(1);
});

describe("an intruder who registered the owner's address", () => {
  async function registerOwnersAddress() {
    const owner = { sub: uniqueName("owner"), email: `${uniqueName("squatted")}@gmail.com` };
    const passwords = { password: INTRUDER_PASSWORD, password_confirmation: INTRUDER_PASSWORD };
    const { json } = await post(
      "/api/auth/register",
      buildRegistrationBody({ email: owner.email, ...passwords }),
    );
    const credentials = await addCredentials(json.token, uniqueName("squatter"));
    return {
      owner,
      id: json.user.id as number,
      intruder: { ...credentials, password: passwordCredential(owner.email, INTRUDER_PASSWORD) },
    };
  }

  it("loses access once the owner sets a password and confirms the address", async () => {
    const { owner, id, intruder } = await registerOwnersAddress();
    await resetPassword(owner.email, OWNER_PASSWORD);
    await post("/api/auth/resend-verification", { email: owner.email });
    expect((await verifyAddress(owner.email))?.status).toBe(200);
    await expectOnlyOwnerAccess(id, {
      owner: { password: passwordCredential(owner.email, OWNER_PASSWORD), google: googleCredential(owner) },
      intruder,
    });
  });

  it("loses access once the owner signs in with the provider", async () => {
    const { owner, id, intruder } = await registerOwnersAddress();
    expect(await googleCredential(owner)()).toBe(id);
    await resetPassword(owner.email, OWNER_PASSWORD);
    await expectOnlyOwnerAccess(id, {
      owner: { password: passwordCredential(owner.email, OWNER_PASSWORD), google: googleCredential(owner) },
      intruder,
    });
  });
});

describe("an intruder with a recent session of the owner", () => {
  async function stealSession() {
    const owner = { sub: uniqueName("owner"), email: `${uniqueName("victim")}@gmail.com` };
    const { id } = await makeUser({ email: owner.email, password: PASSWORD });
    expect(await googleCredential(owner)()).toBe(id);
    const token = await makeToken(id, { provenAt: new Date() });
    const credentials = await addCredentials(token, uniqueName("thief"));
    expect(await credentials["a passkey"]!()).toBe(id);
    const address = `${uniqueName("thief")}@example.com`;
    await call("PUT", "/api/user", { token, body: { email: address } });
    const intruder = { ...credentials, "the new address": passwordCredential(address, INTRUDER_PASSWORD) };
    return { owner, id, token, address, intruder };
  }
  async function tryTakeover(address: string) {
    await verifyAddress(address);
    await post("/api/auth/forgot-password", { email: address }, { ip: createIpAddress() });
    const [mail] = await deliverAndReadMails(server, address, "reset_password");
    if (!mail) return;
    const body = { email: address, password: INTRUDER_PASSWORD, password_confirmation: INTRUDER_PASSWORD };
    await post("/api/auth/reset-password", { ...body, token: getLinkParam(mail, "token") });
  }

  it("loses access once the owner resets the password, with a change of address pending", async () => {
    const { owner, id, address, intruder } = await stealSession();
    await resetPassword(owner.email, OWNER_PASSWORD);
    await tryTakeover(address);
    await expectOnlyOwnerAccess(id, {
      owner: { password: passwordCredential(owner.email, OWNER_PASSWORD), google: googleCredential(owner) },
      intruder,
    });
    const [notice] = await deliverAndReadMails(server, owner.email, "email_change_stopped");
    expect(notice?.text).toContain(address);
    expect(notice?.text).toContain("Google");
  });

  it("loses access once the owner undoes the change of address, even with older credentials", async () => {
    const { owner, id, address, intruder } = await stealSession();
    await tryTakeover(address);
    expect(await intruder["the new address"]()).toBe(id);
    const [notice] = await deliverAndReadMails(server, owner.email, "email_changed");
    const undoResponse = await post("/api/auth/undo-email-change", { token: getLinkParam(notice!, "token") });
    expect(undoResponse.status).toBe(200);
    await resetPassword(owner.email, OWNER_PASSWORD);
    await expectOnlyOwnerAccess(id, {
      owner: { password: passwordCredential(owner.email, OWNER_PASSWORD) },
      intruder,
    });
    expect(await googleCredential(owner)(), "the removed identity is linked again by its address").toBe(id);
  });

  it.each([
    ["ends that session", (id: number) => `/api/profile/sessions/${id}`],
    ["ends all others", () => "/api/profile/sessions"],
  ])("cannot change the address once the owner %s", async (_, getPath) => {
    const { owner, id, token, address } = await stealSession();
    const [{ id: sessionId }] = (await get("/api/profile/sessions", token)).json.sessions.filter(
      ({ current }: { current: boolean }) => current,
    );
    const ownerToken = await makeToken(id);
    expect((await call("DELETE", getPath(sessionId), { token: ownerToken })).status).toBe(200);
    await tryTakeover(address);
    expect((await get("/api/user", ownerToken)).json.user.email).toBe(owner.email);
    expect(await passwordCredential(address, INTRUDER_PASSWORD)()).toBeUndefined();
  });

  it("cannot change the address once the owner changes the password", async () => {
    const { owner, id, address } = await stealSession();
    const ownerToken = await makeToken(id);
    const body = { current_password: PASSWORD, password: OWNER_PASSWORD };
    expect((await call("PUT", "/api/user", { token: ownerToken, body })).status).toBe(200);
    await tryTakeover(address);
    expect((await get("/api/user", ownerToken)).json.user.email).toBe(owner.email);
  });
});

it("keeps the owner's own pending change of address after ending other sessions and signing out", async () => {
  const { id, token } = await makeSignedInUser();
  const address = `${uniqueName("moving")}@example.com`;
  await call("PUT", "/api/user", { token, body: { email: address } });
  await call("DELETE", "/api/profile/sessions", { token });
  await post("/api/auth/logout", {}, { token });
  expect((await verifyAddress(address))?.status).toBe(200);
  expect((await prisma().user.findUniqueOrThrow({ where: { id } })).email).toBe(address);
});

it("gives the holder of a limited API key no access to the account", async () => {
  const { id, email, token: ownerToken } = await makeProvenUser();
  const keyInput = { name: "Key", abilities: ["read", "profile:write", "sites:write"], expires_in_days: 30 };
  const { token } = (await post("/api/user/tokens", keyInput, { token: ownerToken })).json;
  const intruder = await addCredentials(token, uniqueName("weak"));
  delete intruder["the session"];
  const address = `${uniqueName("weak")}@example.com`;
  for (const path of ["/api/user", "/api/auth/profile"])
    await call("PUT", path, {
      token,
      body: { email: address, password: INTRUDER_PASSWORD, new_password: INTRUDER_PASSWORD },
    });
  await post("/api/auth/confirm-identity", { method: "password", value: INTRUDER_PASSWORD }, { token });
  await post("/api/auth/forgot-password", { email: address });
  expect(await deliverAndReadMails(server, address)).toEqual([]);
  await expectOnlyOwnerAccess(id, {
    owner: { password: passwordCredential(email, PASSWORD) },
    intruder: {
      ...intruder,
      password: passwordCredential(email, INTRUDER_PASSWORD),
      address: passwordCredential(address, INTRUDER_PASSWORD),
    },
  });
});

describe("an account with its own mail server", () => {
  const makeMailAccount = (
    mailAccountOwner: { userId: number } | { siteId: number },
    { port }: FakeSmtpServer,
  ) =>
    prisma().mailAccount.create({
      data: {
        ...mailAccountOwner,
        fromName: "Carrier",
        fromAddress: "carrier@example.com",
        host: "127.0.0.1",
        port,
        secure: false,
        verifiedAt: new Date(),
      },
    });

  it("never relays mails that verify another address", async () => {
    const { token, ...intruderUser } = await makeProvenUser({ password: INTRUDER_PASSWORD });
    const site = await makeSite(intruderUser.id);
    await makeMailAccount({ userId: intruderUser.id }, smtpServer);
    await makeMailAccount({ siteId: site.id }, smtpServer);
    const invited = { sub: uniqueName("invited"), email: `${uniqueName("invited")}@gmail.com` };
    const requested = { sub: uniqueName("wanted"), email: `${uniqueName("wanted")}@gmail.com` };
    const invitation = await post(
      "/api/team/invitations",
      { name: "Ece", email: invited.email, site_id: site.id },
      { token },
    );
    expect(invitation.status).toBe(201);
    await call("PUT", "/api/user", { token, body: { email: requested.email } });
    await server.runJobs();
    // Mails to the account itself may use its server.
    const mailsToOthers = smtpServer.mails.filter(
      ({ recipients }) => String(recipients) !== intruderUser.email,
    );
    expect(mailsToOthers).toEqual([]);

    const [invitedId, requestedId] = [await googleCredential(invited)(), await googleCredential(requested)()];
    expect(invitedId).toEqual(expect.any(Number));
    expect(requestedId).toEqual(expect.any(Number));
    expect([invitedId, requestedId]).not.toContain(intruderUser.id);
    for (const [owner, id] of [
      [invited, invitedId!],
      [requested, requestedId!],
    ] as const)
      await expectOnlyOwnerAccess(id, {
        owner: { google: googleCredential(owner) },
        intruder: {
          session: bearerCredential(token),
          password: passwordCredential(owner.email, INTRUDER_PASSWORD),
        },
      });
  });
});
