import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { Authenticator } from "@/server/testing/authenticator";
import { startFakeIdentityProvider } from "@/server/testing/external-servers";
import { makeToken, makeUser } from "@/server/testing/factories";
import type { TestResponse } from "@/server/testing/http";
import { sendHttp } from "@/server/testing/http";
import { deliverAndReadMails, getLinkParam } from "@/server/testing/mailbox";
import { buildRegistrationBody } from "@/server/testing/requests";
import { makeTotpFactor, type TotpApp } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";

const identityProvider = await startFakeIdentityProvider();
const server = await startTestServer({ env: identityProvider.env });
const { post, get, port } = server;

type User = Awaited<ReturnType<typeof makeUser>>;

interface Person {
  user: User;
  app: TotpApp & { recoveryCodes: string[] };
  passkeyDevice: Authenticator;
  subject: string;
}

let personCount = 0;

async function makeUserWithAllMethods(): Promise<Person> {
  const user = await makeUser();
  const subject = `gate-matrix-${++personCount}`;
  await prisma().externalIdentity.createMany({
    data: (["google", "apple"] as const).map((provider) => ({
      userId: user.id,
      provider,
      issuer: identityProvider.url,
      subject,
      email: user.email,
    })),
  });
  const passkeyDevice = new Authenticator({ origin: "http://panel.test", rpId: "panel.test" });
  const token = (await login(user)).json.token;
  const optionsResponse = await post("/api/profile/passkeys/register/options", undefined, { token });
  await post(
    "/api/profile/passkeys/register/verify",
    { credential: passkeyDevice.create(optionsResponse.json.options) },
    { token },
  );
  await prisma().accessToken.deleteMany({ where: { userId: user.id } });
  return { user, app: await makeTotpFactor(user.id), passkeyDevice, subject };
}

const login = (user: User) => post("/api/auth/login", { email: user.email, password: "correct-horse" });

async function logInToPanel(user: User): Promise<TestResponse> {
  const response = await sendHttp(port, "POST", "/trpc/signIn.login", {
    headers: { origin: "http://panel.test" },
    body: { body: { email: user.email, password: "correct-horse" } },
  });
  const { result, error } = response.json;
  return { ...response, json: result ? result.data : error.data.body };
}

async function getInterimToken({ user }: Person): Promise<string> {
  return (await login(user)).json.interim_token;
}

interface SignInMethod {
  name: string;
  /** Runs all steps before the gates close; returns the step that would issue a token. */
  prepareSignIn(person: Person): Promise<() => Promise<TestResponse>>;
  /** True when the method is a second factor or follows one. */
  hasTwoFactors?: true;
  /** `changed`: the password is changed, and the output names the closed gate. */
  closedGateOutcome: "refused" | "changed";
}

const METHODS: SignInMethod[] = [
  {
    name: "password",
    closedGateOutcome: "refused",
    prepareSignIn:
      async ({ user }) =>
      () =>
        login(user),
  },
  {
    name: "the panel's form",
    closedGateOutcome: "refused",
    prepareSignIn:
      async ({ user }) =>
      () =>
        logInToPanel(user),
  },
  {
    name: "Google",
    closedGateOutcome: "refused",
    // Not the account's own address, which a provider would verify.
    prepareSignIn: async ({ subject }) => {
      const id_token = identityProvider.signIdToken({
        claims: { sub: subject, email: `${subject}@elsewhere.test` },
      });
      return () => post("/api/auth/google", { id_token });
    },
  },
  {
    name: "Apple",
    closedGateOutcome: "refused",
    prepareSignIn: async ({ subject }) => {
      const id_token = identityProvider.signIdToken({
        claims: { sub: subject, email: `${subject}@elsewhere.test` },
      });
      return () => post("/api/auth/apple", { id_token });
    },
  },
  {
    name: "passkey",
    closedGateOutcome: "refused",
    hasTwoFactors: true,
    prepareSignIn: async ({ passkeyDevice }) => {
      const { json } = await post("/api/auth/passkey/login/options", {});
      const body = { credential: passkeyDevice.get(json.options), challenge_ref: json.challenge_ref };
      return () => post("/api/auth/passkey/login/verify", body);
    },
  },
  {
    name: "code of a second factor",
    closedGateOutcome: "refused",
    hasTwoFactors: true,
    prepareSignIn: async (person) => {
      const interim_token = await getInterimToken(person);
      return () =>
        post("/api/auth/2fa/challenge", { interim_token, method: "totp", code: person.app.getCode() });
    },
  },
  {
    name: "recovery code",
    closedGateOutcome: "refused",
    hasTwoFactors: true,
    prepareSignIn: async (person) => {
      const interim_token = await getInterimToken(person);
      const [recovery_code] = person.app.recoveryCodes;
      return () => post("/api/auth/2fa/recovery", { interim_token, recovery_code });
    },
  },
  {
    name: "new password by mail",
    closedGateOutcome: "changed",
    prepareSignIn: async ({ user }) => {
      await post("/api/auth/forgot-password", { email: user.email });
      const token = getLinkParam(
        (await deliverAndReadMails(server, user.email, "reset_password"))[0]!,
        "token",
      );
      const password = "a-brand-new-password";
      const body = { token, email: user.email, password, password_confirmation: password };
      return () => post("/api/auth/reset-password", body);
    },
  },
];

interface Gate {
  name: string;
  close(person: Person): Promise<unknown>;
  status: number;
  field: string;
}

const updateUser = ({ user }: Person, data: object) => prisma().user.update({ where: { id: user.id }, data });

/** In the order of docs/contract.md 5.7. */
const GATES: Gate[] = [
  {
    name: "verified e-mail",
    close: (person) => updateUser(person, { emailVerifiedAt: null }),
    status: 403,
    field: "requires_verification",
  },
  {
    name: "active account",
    close: (person) => updateUser(person, { isActive: false }),
    status: 403,
    field: "account_disabled",
  },
  {
    name: "portal lock",
    close: async (person) => {
      const reseller = await makeUser({ role: "reseller" });
      await prisma().resellerPortal.create({
        data: {
          verifiedAt: new Date(),
          resellerId: reseller.id,
          domain: `portal-${reseller.id}.example.com`,
          lockCustomers: true,
        },
      });
      await updateUser(person, { resellerId: reseller.id });
    },
    status: 403,
    field: "portal_locked",
  },
];

const removeFactors = ({ user }: Person) => prisma().factor.deleteMany({ where: { userId: user.id } });
const countTokens = ({ user }: Person) => prisma().accessToken.count({ where: { userId: user.id } });

describe.each(METHODS)("$name", ({ prepareSignIn, closedGateOutcome, hasTwoFactors }) => {
  const closedGateCases = GATES.flatMap((gate, index) => [
    { gates: [gate.name], first: gate, close: [gate] },
    ...GATES.slice(index + 1).map((later) => ({
      gates: [gate.name, later.name],
      first: gate,
      close: [gate, later],
    })),
  ]);

  it.each(closedGateCases)(
    "names the first closed gate, without a token: $gates",
    async ({ first: firstGate, close: gatesToClose }) => {
      const person = await makeUserWithAllMethods();
      const finishSignIn = await prepareSignIn(person);
      for (const gate of gatesToClose) await gate.close(person);
      const { status, json } = await finishSignIn();
      expect(status).toBe(closedGateOutcome === "changed" ? 200 : firstGate.status);
      expect(json[firstGate.field]).toBe(true);
      for (const gate of gatesToClose.slice(1)) expect(json).not.toHaveProperty(gate.field);
      expect(json).not.toHaveProperty("token");
      expect(json).not.toHaveProperty("interim_token");
      expect(await countTokens(person)).toBe(0);
    },
  );

  it(
    hasTwoFactors ? "needs no further second factor" : "needs the second factor and issues no token",
    async () => {
      const person = await makeUserWithAllMethods();
      const { status, json } = await (await prepareSignIn(person))();
      expect(status).toBe(200);
      expect(Boolean(json.requires_2fa)).toBe(!hasTwoFactors);
      expect("token" in json).toBe(Boolean(hasTwoFactors));
      expect(await countTokens(person)).toBe(hasTwoFactors ? 1 : 0);
      if (!hasTwoFactors) expect((await get("/api/user", json.interim_token)).status).toBe(401);
    },
  );

  it("signs in with all gates open", async () => {
    const person = await makeUserWithAllMethods();
    const finishSignIn = await prepareSignIn(person);
    if (!hasTwoFactors) await removeFactors(person);
    const { status, json } = await finishSignIn();
    expect(status).toBe(200);
    expect(json.token).toEqual(expect.any(String));
    expect((await get("/api/user", json.token)).status).toBe(200);
  });
});

describe("an identity provider", () => {
  it("verifies the account's own address and opens no other gate", async () => {
    const person = await makeUserWithAllMethods();
    await updateUser(person, { emailVerifiedAt: null });
    const id_token = () =>
      identityProvider.signIdToken({ claims: { sub: person.subject, email: person.user.email } });
    const googleSignIn = await post("/api/auth/google", { id_token: id_token() });
    expect(googleSignIn).toMatchObject({ status: 200, json: { requires_2fa: true } });
    await updateUser(person, { isActive: false });
    expect((await post("/api/auth/google", { id_token: id_token() })).json.account_disabled).toBe(true);
  });
});

describe("an API key", () => {
  const createKey = (token: string) => post("/api/user/tokens", { name: "CI" }, { token });

  it("cannot be created without a recent proof or by a deactivated account", async () => {
    const person = await makeUserWithAllMethods();
    const unprovenToken = await makeToken(person.user.id);
    const refusedResponse = await createKey(unprovenToken);
    expect(refusedResponse).toMatchObject({ status: 403, json: { requires_identity: true } });
    const response = await post("/api/auth/2fa/challenge", {
      interim_token: await getInterimToken(person),
      method: "totp",
      code: person.app.getCode(),
    });
    const { token } = response.json;
    await updateUser(person, { isActive: false });
    const tokenCountBefore = await countTokens(person);
    expect((await createKey(token)).status).toBe(403);
    expect(await countTokens(person)).toBe(tokenCountBefore);
    await updateUser(person, { isActive: true });
    expect((await createKey(token)).status).toBe(201);
  });
});

describe("a registration", () => {
  it("returns a token for an unverified address; the next sign-in needs a verified one", async () => {
    const body = buildRegistrationBody();
    const { status, json } = await post("/api/auth/register", body);
    expect(status).toBe(201);
    expect(json.token).toEqual(expect.any(String));
    const secondSignIn = await post("/api/auth/login", { email: body.email, password: body.password });
    expect(secondSignIn).toMatchObject({ status: 403, json: { requires_verification: true } });
  });
});

describe("an invitation", () => {
  it("signs a new account in, but no existing one", async () => {
    const owner = await makeUser();
    const token = await makeToken(owner.id);
    const createInvitation = async () => {
      const { email } = buildRegistrationBody();
      await post("/api/team/invitations", { name: "Ece", email }, { token });
      const invitationToken = getLinkParam(
        (await deliverAndReadMails(server, email, "sub_user_invitation"))[0]!,
        "token",
      );
      const { password, password_confirmation, consents } = buildRegistrationBody();
      return { email, body: { token: invitationToken, password, password_confirmation, consents } };
    };
    const firstInvitation = await createInvitation();
    const { status, json } = await post("/api/auth/accept-invitation", firstInvitation.body);
    expect(status).toBe(201);
    expect((await get("/api/user", json.token)).json.user.email).toBe(firstInvitation.email);

    const secondInvitation = await createInvitation();
    const person = await makeUser({ email: secondInvitation.email, emailVerifiedAt: null, isActive: false });
    const refusedResponse = await post("/api/auth/accept-invitation", secondInvitation.body);
    expect(refusedResponse.status).toBe(422);
    expect(refusedResponse.json).not.toHaveProperty("token");
    expect(await prisma().accessToken.count({ where: { userId: person.id } })).toBe(0);
  });
});
