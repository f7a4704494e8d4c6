import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { DAY, fromNow, HOUR } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { codeDigest, digest, newToken } from "@/server/infrastructure/secrets/tokens";
import { storage } from "@/server/infrastructure/storage/storage";
import { Authenticator } from "@/server/testing/authenticator";
import { makeProvenUser, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import type { TestResponse } from "@/server/testing/http";
import { codeIn, linkParam, mailsTo } from "@/server/testing/mailbox";
import { makeEmailFactor } from "@/server/testing/second-factor";
import { testServer } from "@/server/testing/server";

/* Tries every secret of an account at every endpoint that takes one: each works only at its own. */

const server = await testServer();
const { get, post } = server;
const SITE = { origin: "http://panel.test", rpId: "panel.test" };

const hashOf = (token: string) => Uint8Array.from(digest(token));
const inAnHour = () => fromNow(HOUR);

interface Secret {
  value: string;
  /** Code of an interim token. */
  code?: string;
}

const signInOf = (email: string) =>
  post("/api/auth/login", { email, password: "correct-horse" }).then(({ json }) => json);

async function secretsOf(): Promise<{
  person: { id: number; email: string; token: string; exportId: string };
  secrets: Record<string, Secret>;
}> {
  const user = await makeUser({ role: "reseller" });
  const { id: userId, email } = user;
  await makeEmailFactor(userId);
  const [token, key] = await Promise.all([
    makeToken(userId, { provenAt: new Date() }),
    makeToken(userId, { kind: "api_key" }),
  ]);
  const site = await makeSite(userId);
  const tokens = Object.fromEntries(
    (["dsr", "dsv", "dsc", "dsj", "dsb", "dsx", "dst", "dse"] as const).map((prefix) => [
      prefix,
      newToken(prefix),
    ]),
  ) as Record<"dsr" | "dsv" | "dsc" | "dsj" | "dsb" | "dsx" | "dst" | "dse", string>;
  const db = prisma();
  const emailKey = email.toLowerCase();
  await db.passwordReset.create({
    data: { userId, emailKey, tokenHash: hashOf(tokens.dsr), expiresAt: inAnHour() },
  });
  await db.emailVerification.create({
    data: {
      userId,
      emailKey,
      tokenHash: hashOf(tokens.dsv),
      codeHash: codeDigest("100003", `verify:${emailKey}`),
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
      tokenHash: hashOf(tokens.dsc),
      appliedAt: new Date(),
      expiresAt: inAnHour(),
    },
  });
  const guest = { name: "Guest", expiresAt: fromNow(DAY) };
  const addressed = (name: string) => ({ email: `${name}-${email}`, emailKey: `${name}-${emailKey}` });
  await db.invitation.create({
    data: { ...guest, ...addressed("member"), inviterId: userId, tokenHash: hashOf(tokens.dsj) },
  });
  await db.customerInvitation.create({
    data: { ...guest, ...addressed("customer"), resellerId: userId, tokenHash: hashOf(tokens.dsb) },
  });
  const exportId = "01JD0000000000000000000000";
  await db.dataExport.create({
    data: {
      id: exportId,
      userId,
      state: "ready",
      file: "exports/copy.zip",
      tokenHash: hashOf(tokens.dsx),
      readyAt: new Date(),
      expiresAt: inAnHour(),
    },
  });
  await storage().write("exports/copy.zip", Readable.from([Buffer.from("PK")]));
  await db.trustedDevice.create({ data: { userId, tokenHash: hashOf(tokens.dst), expiresAt: inAnHour() } });
  await db.externalKey.create({ data: { siteId: site.id, keyHash: hashOf(tokens.dse), lastFour: "0000" } });

  const boss = await makeUser({ role: "admin" });
  const resetRequest = await post(
    `/api/admin/users/${userId}/reset-two-factor`,
    { reason: "Call of today" },
    { token: await makeToken(boss.id, { provenAt: new Date() }) },
  );
  expect(resetRequest.status).toBe(201);
  const stop = linkParam((await mailsTo(server, email, "factor_reset_asked"))[0]!, "token");

  // The second code is stored directly: codes are sent at most once a minute.
  const signIn: string = (await signInOf(email)).interim_token;
  const check = (await post("/api/auth/confirm-identity/start", {}, { token: key })).json.interim_token;
  const checkCode = codeIn((await mailsTo(server, email, "sign_in_code"))[0]!);
  const interim = await db.interimToken.findUniqueOrThrow({ where: { tokenHash: hashOf(signIn) } });
  await db.factorCode.create({
    data: {
      interimId: interim.id,
      kind: "email",
      codeHash: codeDigest("100001", `factor:${interim.id}`),
      expiresAt: inAnHour(),
    },
  });
  return {
    person: { id: userId, email, token, exportId },
    secrets: {
      sign_in: { value: signIn, code: "100001" },
      identity: { value: check, code: checkCode },
      reset: { value: tokens.dsr },
      verification: { value: tokens.dsv },
      undo: { value: tokens.dsc },
      team_invitation: { value: tokens.dsj },
      customer_invitation: { value: tokens.dsb },
      export: { value: tokens.dsx },
      device: { value: tokens.dst },
      external_key: { value: tokens.dse },
      stop: { value: stop },
      bearer: { value: key },
    },
  };
}

type Person = Awaited<ReturnType<typeof secretsOf>>["person"];
type Attempt = (secret: Secret, person: Person) => Promise<boolean>;
const isOpen = ({ status, json }: TestResponse) => status < 300 && json?.success !== false;

/** Endpoints with the secrets they accept; those that end other secrets come last. */
const ENDPOINTS: Record<string, { opens: string[]; try: Attempt }> = {
  bearer: {
    opens: ["bearer"],
    try: async ({ value }) => isOpen(await get("/api/user", value)),
  },
  external_key: {
    opens: ["external_key"],
    try: async ({ value }) =>
      (await server.call("GET", "/api/sites", { headers: { "x-api-key": value } })).status === 200,
  },
  device: {
    opens: ["device"],
    try: async ({ value }, { email }) =>
      "token" in
      (await post("/api/auth/login", { email, password: "correct-horse", device_token: value })).json,
  },
  export: {
    opens: ["export"],
    try: async ({ value }, { exportId }) =>
      (await get(`/api/user/export/${exportId}?token=${value}`)).status !== 404,
  },
  invitation: {
    opens: ["team_invitation", "customer_invitation"],
    try: async ({ value }) => isOpen(await get(`/api/auth/invitation?token=${value}`)),
  },
  send_code: {
    opens: ["sign_in"],
    // The account has no app, which is reported for a valid token only.
    try: async ({ value }) =>
      (await post("/api/auth/2fa/send-code", { interim_token: value, method: "totp" })).status === 422,
  },
  recovery: {
    opens: [],
    try: async ({ value, code = "100009" }) =>
      (await post("/api/auth/2fa/recovery", { interim_token: value, recovery_code: code })).status < 300,
  },
  identity: {
    opens: ["identity"],
    try: async ({ value, code = "100009" }, { token }) => {
      const body = { method: "email", value: code, interim_token: value };
      return isOpen(await post("/api/auth/confirm-identity", body, { token }));
    },
  },
  sign_in: {
    opens: ["sign_in"],
    try: async ({ value, code = "100009" }) =>
      isOpen(await post("/api/auth/2fa/challenge", { interim_token: value, method: "email", code })),
  },
  verification: {
    opens: ["verification"],
    try: async ({ value }) => isOpen(await post("/api/auth/verify-email", { token: value })),
  },
  stop: {
    opens: ["stop"],
    try: async ({ value }) => isOpen(await post("/api/auth/stop-factor-reset", { token: value })),
  },
  reset: {
    opens: ["reset"],
    try: async ({ value }, { email }) => {
      const password = "another-long-password";
      const body = { token: value, email, password, password_confirmation: password };
      return isOpen(await post("/api/auth/reset-password", body));
    },
  },
  undo: {
    opens: ["undo"],
    try: async ({ value }) => isOpen(await post("/api/auth/undo-email-change", { token: value })),
  },
};

describe("a secret of an account", () => {
  it("works at its own endpoint only", async () => {
    const { person, secrets } = await secretsOf();
    const opened: string[] = [];
    for (const [endpoint, { opens, try: open }] of Object.entries(ENDPOINTS))
      for (const [name, secret] of Object.entries(secrets).filter(([each]) => !opens.includes(each))) {
        await prisma().rateLimit.deleteMany();
        if (await open(secret, person)) opened.push(`${name} at ${endpoint}`);
      }
    expect(opened).toEqual([]);
    const closed: string[] = [];
    for (const [endpoint, { opens, try: open }] of Object.entries(ENDPOINTS))
      for (const name of opens) {
        await prisma().rateLimit.deleteMany();
        if (!(await open(secrets[name]!, person))) closed.push(`${name} at ${endpoint}`);
      }
    expect(closed).toEqual([]);
  });

  it("of six digits works only for its own purpose", async () => {
    const user = await makeUser({ phone: "+905321112233" });
    const { id: userId, email } = user;
    const token = await makeToken(userId, { provenAt: new Date() });
    const key = email.toLowerCase();
    const codes = { verify: "200001", deletion: "200002", phone: "200003" };
    await prisma().emailVerification.create({
      data: {
        userId,
        emailKey: key,
        tokenHash: hashOf(newToken("dsv")),
        codeHash: codeDigest(codes.verify, `verify:${key}`),
        expiresAt: inAnHour(),
      },
    });
    await prisma().deletionRequest.create({
      data: { userId, codeHash: codeDigest(codes.deletion, `deletion:${userId}`), expiresAt: inAnHour() },
    });
    await prisma().phoneCode.create({
      data: {
        userId,
        codeHash: codeDigest(codes.phone, `phone:${userId}:+905321112233`),
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
      for (const kind of kinds.filter((each) => each !== endpoint))
        expect([endpoint, kind, isOpen(await endpoints[endpoint](codes[kind]))]).toEqual([
          endpoint,
          kind,
          false,
        ]);
    for (const endpoint of kinds)
      expect([endpoint, isOpen(await endpoints[endpoint](codes[endpoint]))]).toEqual([endpoint, true]);
  });
});

describe("a passkey ceremony", () => {
  it("works for its own purpose only", async () => {
    const { token } = await makeProvenUser();
    const device = new Authenticator(SITE);
    const registrationOptions = await post("/api/profile/passkeys/register/options", {}, { token });
    const credential = device.create(registrationOptions.json.options);
    const registration = { credential, challenge_ref: registrationOptions.json.challenge_ref };
    expect((await post("/api/profile/passkeys/register/verify", registration, { token })).status).toBe(201);
    const finish = async (purpose: string | undefined, path: string) => {
      const { json } = await post("/api/auth/passkey/login/options", { purpose });
      const body = { credential: device.get(json.options), challenge_ref: json.challenge_ref };
      return (await post(path, body, { token })).status;
    };
    const [signIn, identity] = ["/api/auth/passkey/login/verify", "/api/auth/confirm-identity/passkey"];
    expect(await finish("identity", signIn)).toBe(422);
    expect(await finish("login", identity)).toBe(422);
    expect(await finish(undefined, identity)).toBe(422);
    expect(await finish("identity", identity)).toBe(200);
    expect(await finish("login", signIn)).toBe(200);
    expect(await finish(undefined, signIn)).toBe(200);
  });
});

describe("an API key", () => {
  it("cannot sign in with the code of its identity check", async () => {
    const user = await makeUser();
    await makeEmailFactor(user.id);
    const key = await makeToken(user.id, { kind: "api_key" });
    const { json } = await post("/api/auth/confirm-identity/start", { method: "email" }, { token: key });
    const code = codeIn((await mailsTo(server, user.email, "sign_in_code"))[0]!);
    const body = { interim_token: json.interim_token, method: "email", code };
    expect((await post("/api/auth/2fa/challenge", body)).status).toBe(401);
    expect(await prisma().accessToken.count({ where: { userId: user.id, kind: "sign_in" } })).toBe(0);
  });
});

describe("a sign-in", () => {
  it("proves the identity with a mailed code", async () => {
    const user = await makeUser();
    await makeEmailFactor(user.id);
    const token = await makeToken(user.id);
    expect((await post("/api/user/tokens", { name: "CI" }, { token })).status).toBe(403);
    const { json } = await post("/api/auth/confirm-identity/start", { method: "email" }, { token });
    const value = codeIn((await mailsTo(server, user.email, "sign_in_code"))[0]!);
    const body = { method: "email", value, interim_token: json.interim_token };
    expect((await post("/api/auth/confirm-identity", body, { token })).status).toBe(200);
    expect((await post("/api/user/tokens", { name: "CI" }, { token })).status).toBe(201);
  });
});
