import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { DAY, fromNow, HOUR } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { createToken, hashCode, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { storage } from "@/server/infrastructure/storage/storage";
import { Authenticator } from "@/server/testing/authenticator";
import { makeProvenUser, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import type { TestResponse } from "@/server/testing/http";
import { deliverAndReadMails, extractCode, getLinkParam } from "@/server/testing/mailbox";
import { makeEmailFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { get, post } = server;
const RELYING_PARTY = { origin: "http://panel.test", rpId: "panel.test" };

const toTokenHash = (token: string) => Uint8Array.from(hashSecret(token));
const inAnHour = () => fromNow(HOUR);

interface Secret {
  value: string;
  code?: string;
}

const logInWithPassword = (email: string) =>
  post("/api/auth/login", { email, password: "correct-horse" }).then(({ json }) => json);

async function makeSecrets(): Promise<{
  person: { id: number; email: string; token: string; exportId: string };
  secrets: Record<string, Secret>;
}> {
  const user = await makeUser({ role: "reseller" });
  const { id: userId, email } = user;
  await makeEmailFactor(userId);
  const [token, apiKey] = await Promise.all([
    makeToken(userId, { provenAt: new Date() }),
    makeToken(userId, { kind: "api_key" }),
  ]);
  const site = await makeSite(userId);
  const tokens = Object.fromEntries(
    (["dsr", "dsv", "dsc", "dsj", "dsb", "dsx", "dst", "dse"] as const).map((prefix) => [
      prefix,
      createToken(prefix),
    ]),
  ) as Record<"dsr" | "dsv" | "dsc" | "dsj" | "dsb" | "dsx" | "dst" | "dse", string>;
  const db = prisma();
  const emailKey = email.toLowerCase();
  await db.passwordReset.create({
    data: { userId, emailKey, tokenHash: toTokenHash(tokens.dsr), expiresAt: inAnHour() },
  });
  await db.emailVerification.create({
    data: {
      userId,
      emailKey,
      tokenHash: toTokenHash(tokens.dsv),
      codeHash: hashCode("100003", `verify:${emailKey}`),
      expiresAt: inAnHour(),
    },
  });
  await db.emailChange.create({
    data: {
      userId,
      oldEmail: `old-${email}`,
      oldEmailKey: `old-${emailKey}`,
      oldVerified: new Date(),
      newEmail: email,
      newEmailKey: emailKey,
      tokenHash: toTokenHash(tokens.dsc),
      appliedAt: new Date(),
      expiresAt: inAnHour(),
    },
  });
  const invitationFields = { name: "Guest", expiresAt: fromNow(DAY) };
  const buildEmailFields = (name: string) => ({ email: `${name}-${email}`, emailKey: `${name}-${emailKey}` });
  await db.invitation.create({
    data: {
      ...invitationFields,
      ...buildEmailFields("member"),
      inviterId: userId,
      tokenHash: toTokenHash(tokens.dsj),
    },
  });
  await db.customerInvitation.create({
    data: {
      ...invitationFields,
      ...buildEmailFields("customer"),
      resellerId: userId,
      tokenHash: toTokenHash(tokens.dsb),
    },
  });
  const exportId = "01JD0000000000000000000000";
  await db.dataExport.create({
    data: {
      id: exportId,
      userId,
      state: "ready",
      file: "exports/copy.zip",
      tokenHash: toTokenHash(tokens.dsx),
      readyAt: new Date(),
      expiresAt: inAnHour(),
    },
  });
  await storage().write("exports/copy.zip", Readable.from([Buffer.from("PK")]));
  await db.trustedDevice.create({
    data: { userId, tokenHash: toTokenHash(tokens.dst), expiresAt: inAnHour() },
  });
  await db.externalKey.create({
    data: { siteId: site.id, keyHash: toTokenHash(tokens.dse), lastFour: "0000" },
  });

  const administrator = await makeUser({ role: "admin" });
  const factorResetResponse = await post(
    `/api/admin/users/${userId}/reset-two-factor`,
    { reason: "Call of today" },
    { token: await makeToken(administrator.id, { provenAt: new Date() }) },
  );
  expect(factorResetResponse.status).toBe(201);
  const factorResetStopToken = getLinkParam(
    (await deliverAndReadMails(server, email, "factor_reset_asked"))[0]!,
    "token",
  );

  // The second code is stored directly: codes are sent at most once a minute.
  const signInToken: string = (await logInWithPassword(email)).interim_token;
  const identityCheckToken = (await post("/api/auth/confirm-identity/start", {}, { token: apiKey })).json
    .interim_token;
  const identityCheckCode = extractCode((await deliverAndReadMails(server, email, "sign_in_code"))[0]!);
  const interimToken = await db.interimToken.findUniqueOrThrow({
    where: { tokenHash: toTokenHash(signInToken) },
  });
  await db.factorCode.create({
    data: {
      interimId: interimToken.id,
      kind: "email",
      codeHash: hashCode("100001", `factor:${interimToken.id}`),
      expiresAt: inAnHour(),
    },
  });
  return {
    person: { id: userId, email, token, exportId },
    secrets: {
      sign_in: { value: signInToken, code: "100001" },
      identity: { value: identityCheckToken, code: identityCheckCode },
      reset: { value: tokens.dsr },
      verification: { value: tokens.dsv },
      undo: { value: tokens.dsc },
      team_invitation: { value: tokens.dsj },
      customer_invitation: { value: tokens.dsb },
      export: { value: tokens.dsx },
      device: { value: tokens.dst },
      external_key: { value: tokens.dse },
      stop: { value: factorResetStopToken },
      bearer: { value: apiKey },
    },
  };
}

type Person = Awaited<ReturnType<typeof makeSecrets>>["person"];
type Attempt = (secret: Secret, person: Person) => Promise<boolean>;
const isAccepted = ({ status, json }: TestResponse) => status < 300 && json?.success !== false;

/** Endpoints with the secrets they accept; those that end other secrets come last. */
const ENDPOINTS: Record<string, { accepts: string[]; attempt: Attempt }> = {
  bearer: {
    accepts: ["bearer"],
    attempt: async ({ value }) => isAccepted(await get("/api/user", value)),
  },
  external_key: {
    accepts: ["external_key"],
    attempt: async ({ value }) =>
      (await server.call("GET", "/api/sites", { headers: { "x-api-key": value } })).status === 200,
  },
  device: {
    accepts: ["device"],
    attempt: async ({ value }, { email }) =>
      "token" in
      (await post("/api/auth/login", { email, password: "correct-horse", device_token: value })).json,
  },
  export: {
    accepts: ["export"],
    attempt: async ({ value }, { exportId }) =>
      (await get(`/api/user/export/${exportId}?token=${value}`)).status !== 404,
  },
  invitation: {
    accepts: ["team_invitation", "customer_invitation"],
    attempt: async ({ value }) => isAccepted(await get(`/api/auth/invitation?token=${value}`)),
  },
  send_code: {
    accepts: ["sign_in"],
    // A valid token gets 422, because the account has no app.
    attempt: async ({ value }) =>
      (await post("/api/auth/2fa/send-code", { interim_token: value, method: "totp" })).status === 422,
  },
  recovery: {
    accepts: [],
    attempt: async ({ value, code = "100009" }) =>
      (await post("/api/auth/2fa/recovery", { interim_token: value, recovery_code: code })).status < 300,
  },
  identity: {
    accepts: ["identity"],
    attempt: async ({ value, code = "100009" }, { token }) => {
      const body = { method: "email", value: code, interim_token: value };
      return isAccepted(await post("/api/auth/confirm-identity", body, { token }));
    },
  },
  sign_in: {
    accepts: ["sign_in"],
    attempt: async ({ value, code = "100009" }) =>
      isAccepted(await post("/api/auth/2fa/challenge", { interim_token: value, method: "email", code })),
  },
  verification: {
    accepts: ["verification"],
    attempt: async ({ value }) => isAccepted(await post("/api/auth/verify-email", { token: value })),
  },
  stop: {
    accepts: ["stop"],
    attempt: async ({ value }) => isAccepted(await post("/api/auth/stop-factor-reset", { token: value })),
  },
  reset: {
    accepts: ["reset"],
    attempt: async ({ value }, { email }) => {
      const password = "another-long-password";
      const body = { token: value, email, password, password_confirmation: password };
      return isAccepted(await post("/api/auth/reset-password", body));
    },
  },
  undo: {
    accepts: ["undo"],
    attempt: async ({ value }) => isAccepted(await post("/api/auth/undo-email-change", { token: value })),
  },
};

describe("a secret of an account", () => {
  it("works at its own endpoint only", async () => {
    const { person, secrets } = await makeSecrets();
    const wronglyAccepted: string[] = [];
    for (const [endpoint, { accepts, attempt: tryEndpoint }] of Object.entries(ENDPOINTS))
      for (const [name, secret] of Object.entries(secrets).filter(
        ([secretName]) => !accepts.includes(secretName),
      )) {
        await prisma().rateLimit.deleteMany();
        if (await tryEndpoint(secret, person)) wronglyAccepted.push(`${name} at ${endpoint}`);
      }
    expect(wronglyAccepted).toEqual([]);
    const wronglyRefused: string[] = [];
    for (const [endpoint, { accepts, attempt: tryEndpoint }] of Object.entries(ENDPOINTS))
      for (const name of accepts) {
        await prisma().rateLimit.deleteMany();
        if (!(await tryEndpoint(secrets[name]!, person))) wronglyRefused.push(`${name} at ${endpoint}`);
      }
    expect(wronglyRefused).toEqual([]);
  });

  it("of six digits works only for its own purpose", async () => {
    const user = await makeUser({ phone: "+905321112233" });
    const { id: userId, email } = user;
    const token = await makeToken(userId, { provenAt: new Date() });
    const emailKey = email.toLowerCase();
    const codes = { verify: "200001", deletion: "200002", phone: "200003" };
    await prisma().emailVerification.create({
      data: {
        userId,
        emailKey,
        tokenHash: toTokenHash(createToken("dsv")),
        codeHash: hashCode(codes.verify, `verify:${emailKey}`),
        expiresAt: inAnHour(),
      },
    });
    await prisma().deletionRequest.create({
      data: { userId, codeHash: hashCode(codes.deletion, `deletion:${userId}`), expiresAt: inAnHour() },
    });
    await prisma().phoneCode.create({
      data: {
        userId,
        codeHash: hashCode(codes.phone, `phone:${userId}:+905321112233`),
        expiresAt: inAnHour(),
      },
    });
    const endpoints: Record<keyof typeof codes, (code: string) => Promise<TestResponse>> = {
      verify: (code) => post("/api/auth/verify-email", { email, code }),
      phone: (code) => post("/api/profile/phone/confirm", { code }, { token }),
      deletion: (code) => post("/api/auth/account/confirm-delete", { code }, { token }),
    };
    const kinds = Object.keys(endpoints) as Array<keyof typeof codes>;
    for (const endpoint of kinds)
      for (const kind of kinds.filter((otherKind) => otherKind !== endpoint))
        expect([endpoint, kind, isAccepted(await endpoints[endpoint](codes[kind]))]).toEqual([
          endpoint,
          kind,
          false,
        ]);
    for (const endpoint of kinds)
      expect([endpoint, isAccepted(await endpoints[endpoint](codes[endpoint]))]).toEqual([endpoint, true]);
  });
});

describe("a passkey ceremony", () => {
  it("works for its own purpose only", async () => {
    const { token } = await makeProvenUser();
    const passkeyDevice = new Authenticator(RELYING_PARTY);
    const registrationOptions = await post("/api/profile/passkeys/register/options", {}, { token });
    const credential = passkeyDevice.create(registrationOptions.json.options);
    const registration = { credential, challenge_ref: registrationOptions.json.challenge_ref };
    expect((await post("/api/profile/passkeys/register/verify", registration, { token })).status).toBe(201);
    const finishCeremony = async (purpose: string | undefined, path: string) => {
      const { json } = await post("/api/auth/passkey/login/options", { purpose });
      const body = { credential: passkeyDevice.get(json.options), challenge_ref: json.challenge_ref };
      return (await post(path, body, { token })).status;
    };
    const [signInPath, identityPath] = [
      "/api/auth/passkey/login/verify",
      "/api/auth/confirm-identity/passkey",
    ];
    expect(await finishCeremony("identity", signInPath)).toBe(422);
    expect(await finishCeremony("login", identityPath)).toBe(422);
    expect(await finishCeremony(undefined, identityPath)).toBe(422);
    expect(await finishCeremony("identity", identityPath)).toBe(200);
    expect(await finishCeremony("login", signInPath)).toBe(200);
    expect(await finishCeremony(undefined, signInPath)).toBe(200);
  });
});

describe("an API key", () => {
  it("cannot sign in with the code of its identity check", async () => {
    const user = await makeUser();
    await makeEmailFactor(user.id);
    const apiKey = await makeToken(user.id, { kind: "api_key" });
    const { json } = await post("/api/auth/confirm-identity/start", { method: "email" }, { token: apiKey });
    const code = extractCode((await deliverAndReadMails(server, user.email, "sign_in_code"))[0]!);
    const body = { interim_token: json.interim_token, method: "email", code };
    expect((await post("/api/auth/2fa/challenge", body)).status).toBe(401);
    expect(await prisma().accessToken.count({ where: { userId: user.id, kind: "sign_in" } })).toBe(0);
  });
});

describe("a sign-in", () => {
  it("can prove the identity with a mailed code", async () => {
    const user = await makeUser();
    await makeEmailFactor(user.id);
    const token = await makeToken(user.id);
    expect((await post("/api/user/tokens", { name: "CI" }, { token })).status).toBe(403);
    const { json } = await post("/api/auth/confirm-identity/start", { method: "email" }, { token });
    const value = extractCode((await deliverAndReadMails(server, user.email, "sign_in_code"))[0]!);
    const body = { method: "email", value, interim_token: json.interim_token };
    expect((await post("/api/auth/confirm-identity", body, { token })).status).toBe(200);
    expect((await post("/api/user/tokens", { name: "CI" }, { token })).status).toBe(201);
  });
});
