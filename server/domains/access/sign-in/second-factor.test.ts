import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { fromNow, HOUR, MINUTE } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeToken, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails, extractCode } from "@/server/testing/mailbox";
import { getWrongCode, makeEmailFactor, makeTotpFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";

const ROUNDS = Number(process.env.BURST_ROUNDS ?? 3);
const server = await startTestServer();
const { post, get } = server;

const login = (email: string, extraFields = {}) =>
  post("/api/auth/login", { email, password: "correct-horse", ...extraFields });
const getInterimToken = async (email: string): Promise<string> => (await login(email)).json.interim_token;
const challenge = (interimToken: string, code: string, method = "totp", extraFields = {}) =>
  post("/api/auth/2fa/challenge", { interim_token: interimToken, method, code, ...extraFields });
const recoverSignIn = (interimToken: string, code: string) =>
  post("/api/auth/2fa/recovery", { interim_token: interimToken, recovery_code: code });
const sendCode = (interimToken: string, method = "email") =>
  post("/api/auth/2fa/send-code", { interim_token: interimToken, method });

async function makeUserWithApp() {
  const user = await makeUser();
  return { user, app: await makeTotpFactor(user.id) };
}

const resetRateLimits = () => prisma().rateLimit.deleteMany();
const resetTotpStep = (userId: number) =>
  prisma().factor.updateMany({ where: { userId }, data: { lastStep: null } });

beforeEach(resetRateLimits);

describe("a sign-in with a second factor", () => {
  it("returns the documented body without an access token", async () => {
    const { user } = await makeUserWithApp();
    await makeEmailFactor(user.id);
    const { status, json } = await login(user.email);
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        success: true,
        requires_2fa: true,
        interim_token: expect.stringMatching(/^dsi_/),
        available_methods: ["totp", "email"],
      },
    });
    expect(await prisma().accessToken.count({ where: { userId: user.id } })).toBe(0);
    expect((await get("/api/user", json.interim_token)).status).toBe(401);
  });

  it("finishes with the response of a login and ends the interim token", async () => {
    const { user, app } = await makeUserWithApp();
    const interimToken = await getInterimToken(user.email);
    const { status, json } = await challenge(interimToken, app.getCode());
    expect(status).toBe(200);
    expect(json).toMatchObject({
      success: true,
      user: { id: user.id, email: user.email, is_agent_only: false },
      token: expect.stringMatching(/^dsu_/),
      modules: ["appointment", "saas"],
      recovery_codes_remaining: 10,
      device_token: null,
    });
    expect((await get("/api/user", json.token)).status).toBe(200);
    expect((await challenge(interimToken, app.getCode(1))).status).toBe(401);
    expect((await recoverSignIn(interimToken, app.recoveryCodes[0]!)).status).toBe(401);
  });

  it("accepts codes of three time steps, each once per account", async () => {
    // Freeze the time: twelve sign-ins may take longer than a step.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    const { user, app } = await makeUserWithApp();
    const acceptedSteps: number[] = [];
    for (const step of [-4, -3, -2, -1, 0, 1, 2, 3, 4]) {
      await resetRateLimits();
      if ((await challenge(await getInterimToken(user.email), app.getCode(step))).status === 200)
        acceptedSteps.push(step);
    }
    expect(acceptedSteps).toEqual([-1, 0, 1]);
    await resetRateLimits();
    for (const step of [-1, 0, 1])
      expect((await challenge(await getInterimToken(user.email), app.getCode(step))).status).toBe(422);
    const userWithSameApp = await makeUser();
    await makeTotpFactor(userWithSameApp.id, app.secret);
    expect((await challenge(await getInterimToken(userWithSameApp.email), app.getCode())).status).toBe(200);
  });

  it("refuses interim tokens that are unknown, expired or of a removed factor", async () => {
    const { user, app } = await makeUserWithApp();
    const token = (await challenge(await getInterimToken(user.email), app.getCode())).json.token;
    const invalidTokens = [
      "dsi_nothing",
      token,
      await getInterimToken(user.email),
      await getInterimToken(user.email),
    ];
    await prisma().interimToken.update({
      where: { tokenHash: Uint8Array.from(hashSecret(invalidTokens[2]!)) },
      data: { expiresAt: fromNow(-MINUTE) },
    });
    const { json } = await post(
      "/api/auth/confirm-identity",
      { method: "totp", value: app.getCode(1) },
      { token },
    );
    expect(json.success).toBe(true);
    await server.call("DELETE", "/api/profile/2fa/totp", { token });
    for (const interimToken of invalidTokens) {
      for (const response of [
        await challenge(interimToken, app.getCode(1)),
        await recoverSignIn(interimToken, app.recoveryCodes[0]!),
      ])
        expect({ status: response.status, json: response.json }).toEqual({
          status: 401,
          json: { success: false, error: expect.any(String) },
        });
    }
  });
});

it("keeps the recovery codes of other accounts when one gets a new set", async () => {
  const [owner, other] = await Promise.all([makeUserWithApp(), makeUserWithApp()]);
  const newApp = await makeTotpFactor((await makeUser()).id);
  expect(newApp.recoveryCodes).toHaveLength(10);
  for (const { user, app } of [owner, other]) {
    const { status } = await recoverSignIn(await getInterimToken(user.email), app.recoveryCodes[0]!);
    expect(status).toBe(200);
  }
});

describe("a pending sign-in after ten minutes", () => {
  it("cannot be finished and gets no new code", async () => {
    const { user, app } = await makeUserWithApp();
    await makeEmailFactor(user.id);
    const interimToken = await getInterimToken(user.email);
    const where = { tokenHash: Uint8Array.from(hashSecret(interimToken)) };
    const { expiresAt } = await prisma().interimToken.findUniqueOrThrow({ where });
    const minutes = (expiresAt.getTime() - Date.now()) / MINUTE;
    expect(minutes).toBeGreaterThan(5);
    expect(minutes).toBeLessThanOrEqual(10);
    await prisma().interimToken.update({ where, data: { expiresAt: fromNow(-MINUTE) } });
    for (const response of [
      await sendCode(interimToken),
      await challenge(interimToken, app.getCode()),
      await recoverSignIn(interimToken, app.recoveryCodes[0]!),
    ])
      expect(response.status).toBe(401);
    expect(await prisma().accessToken.count({ where: { userId: user.id } })).toBe(0);
    await prisma().interimToken.update({ where, data: { expiresAt } });
    expect((await challenge(interimToken, app.getCode())).status).toBe(200);
  });
});

describe("wrong codes", () => {
  it("report the attempts left; after five, every method gets 429 with retry-after", async () => {
    const { user, app } = await makeUserWithApp();
    const interimToken = await getInterimToken(user.email);
    const wrongCode = getWrongCode(app.getCode(-1), app.getCode(), app.getCode(1));
    const remainingAttempts: number[] = [];
    for (let index = 0; index < 5; index++) {
      const { status, json } =
        index % 2
          ? await recoverSignIn(interimToken, "AAAA-BBBB-CCCC-DDDD")
          : await challenge(interimToken, wrongCode);
      expect(status).toBe(422);
      expect(Object.keys(json)).toEqual(["success", "error", "remaining_attempts"]);
      remainingAttempts.push(json.remaining_attempts);
    }
    expect(remainingAttempts).toEqual([4, 3, 2, 1, 0]);
    for (const response of [
      await challenge(interimToken, app.getCode()),
      await recoverSignIn(interimToken, app.recoveryCodes[0]!),
    ]) {
      expect(response.status).toBe(429);
      expect(response.json).toEqual({
        success: false,
        error: expect.any(String),
        message: "Too Many Attempts.",
        retry_after: Number(response.headers["retry-after"]),
      });
      expect(response.json.retry_after).toBeGreaterThan(3500);
      expect(response.json.retry_after).toBeLessThanOrEqual(3600);
    }
    expect((await challenge(await getInterimToken(user.email), app.getCode())).status).toBe(200);
  });

  it("are not counted for a method that the account does not have", async () => {
    const { user, app } = await makeUserWithApp();
    const interimToken = await getInterimToken(user.email);
    const wrongCode = getWrongCode(app.getCode(-1), app.getCode(), app.getCode(1));
    const readAttempts = () =>
      prisma().interimToken.findFirstOrThrow({
        where: { userId: user.id },
        orderBy: { id: "desc" },
        select: { attempts: true },
      });
    for (const method of ["email", "sms"]) {
      const refusal = await sendCode(interimToken, method);
      for (let attempt = 0; attempt < 6; attempt++) {
        const { status, json } = await challenge(interimToken, "123456", method);
        expect({ status, json }).toEqual({ status: 422, json: refusal.json });
      }
      expect(refusal.json).toEqual({ message: expect.any(String), errors: { method: [expect.any(String)] } });
    }
    expect(await readAttempts()).toEqual({ attempts: 0 });
    expect(await prisma().auditEvent.count({ where: { actorId: user.id, action: "sign_in.failed" } })).toBe(
      0,
    );
    expect((await challenge("dsi_nothing", "123456", "email")).status).toBe(401);
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await challenge(interimToken, wrongCode)).status).toBe(422);
    expect((await challenge(interimToken, "123456", "email")).status).toBe(429);

    await makeEmailFactor(user.id);
    const { interim_token, available_methods } = (await login(user.email)).json;
    expect(available_methods).toEqual(["totp", "email"]);
    expect((await challenge(interim_token, "123456", "email")).json.remaining_attempts).toBe(4);
    await sendCode(interim_token);
    const code = extractCode((await deliverAndReadMails(server, user.email, "sign_in_code"))[0]!);
    expect((await challenge(interim_token, code, "email")).status).toBe(200);
  });

  it("are evaluated five times in a burst of fifty across all methods", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { user, app } = await makeUserWithApp();
      const interimToken = await getInterimToken(user.email);
      const wrongCode = getWrongCode(app.getCode(-1), app.getCode(), app.getCode(1));
      const responses = await runConcurrently(50, (index) =>
        index % 2 ? recoverSignIn(interimToken, "AAAA-BBBB-CCCC-DDDD") : challenge(interimToken, wrongCode),
      );
      expect(countByStatus(responses)).toEqual({ 422: 5, 429: 45 });
    }
  });

  it("are limited to 15 an hour per account, across all pending sign-ins and identity checks", async () => {
    const { user, app } = await makeUserWithApp();
    const wrongCode = getWrongCode(app.getCode(-1), app.getCode(), app.getCode(1));
    const responses: Array<{ status: number }> = [];
    for (let index = 0; index < 4; index++) {
      const interimToken = await getInterimToken(user.email);
      for (let attempt = 0; attempt < 5; attempt++) responses.push(await challenge(interimToken, wrongCode));
    }
    expect(countByStatus(responses)).toEqual({ 422: 15, 429: 5 });
    expect((await challenge(await getInterimToken(user.email), app.getCode())).status).toBe(429);
    expect((await recoverSignIn(await getInterimToken(user.email), app.recoveryCodes[0]!)).status).toBe(429);
    const token = await makeToken(user.id);
    const proofBody = { method: "totp", value: app.getCode() };
    const proofResponse = await post("/api/auth/confirm-identity", proofBody, { token });
    expect({ status: proofResponse.status, json: proofResponse.json }).toEqual({
      status: 429,
      json: { message: "Too Many Attempts." },
    });
    await resetRateLimits();
    expect((await recoverSignIn(await getInterimToken(user.email), app.recoveryCodes[0]!)).status).toBe(200);
  });

  it("for a phone number do not block sign-ins, so that a limited key cannot lock its owner out", async () => {
    const { user, app } = await makeUserWithApp();
    const key = await makeToken(user.id, { abilities: ["profile:write"] });
    const guesses = [];
    for (let attempt = 0; attempt < 16; attempt++) {
      await prisma().rateLimit.deleteMany({ where: { key: { startsWith: "op:" } } });
      guesses.push(await post("/api/profile/phone/confirm", { code: "123456" }, { token: key }));
    }
    expect(countByStatus(guesses)).toEqual({ 422: 15, 429: 1 });
    expect((await challenge(await getInterimToken(user.email), app.getCode())).status).toBe(200);
    const where = { actorId: user.id, action: "two_factor.throttled" };
    expect(await prisma().auditEvent.count({ where })).toBe(1);
  });

  it("count against the limit of 15; right ones do not", async () => {
    const { user, app } = await makeUserWithApp();
    const token = await makeToken(user.id);
    const wrongCode = getWrongCode(app.getCode(-1), app.getCode(), app.getCode(1));
    for (let attempt = 0; attempt < 14; attempt++) {
      const body = { method: "totp", value: wrongCode };
      // The operation itself allows ten.
      if (attempt === 9) await prisma().rateLimit.deleteMany({ where: { key: { startsWith: "op:" } } });
      expect((await post("/api/auth/confirm-identity", body, { token })).status).toBe(422);
    }
    for (let round = 0; round < 3; round++) {
      await resetTotpStep(user.id);
      expect((await challenge(await getInterimToken(user.email), app.getCode())).status).toBe(200);
    }
    expect((await challenge(await getInterimToken(user.email), wrongCode)).status).toBe(422);
    expect((await challenge(await getInterimToken(user.email), wrongCode)).status).toBe(429);
  });
});

describe("concurrent second factors", () => {
  it("let one of fifty with the same authenticator code sign in", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { user, app } = await makeUserWithApp();
      const interimTokens = await runConcurrently(10, () => getInterimToken(user.email));
      const code = app.getCode();
      const responses = await runConcurrently(50, (index) => challenge(interimTokens[index % 10]!, code));
      expect(countByStatus(responses)[200]).toBe(1);
      expect(await prisma().accessToken.count({ where: { userId: user.id } })).toBe(1);
    }
  });

  it("let one of fifty with the same recovery code sign in", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { user, app } = await makeUserWithApp();
      const interimTokens = await runConcurrently(10, () => getInterimToken(user.email));
      const responses = await runConcurrently(50, (index) =>
        recoverSignIn(interimTokens[index % 10]!, app.recoveryCodes[0]!),
      );
      expect(countByStatus(responses)[200]).toBe(1);
      const { json } = await get(
        "/api/profile/2fa/methods",
        responses.find(({ status }) => status === 200)!.json.token,
      );
      expect(json.recovery_codes_count).toBe(9);
    }
  });

  it("let one of fifty finish the same pending sign-in with different codes", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { user, app } = await makeUserWithApp();
      const interimToken = await getInterimToken(user.email);
      const responses = await runConcurrently(50, (index) =>
        index % 2
          ? challenge(interimToken, app.getCode((index % 3) - 1))
          : recoverSignIn(interimToken, app.recoveryCodes[index % 10]!),
      );
      expect(countByStatus(responses)[200]).toBe(1);
      expect(await prisma().accessToken.count({ where: { userId: user.id } })).toBe(1);
    }
  });

  it("let one of fifty with the same mailed code sign in", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await resetRateLimits();
      const user = await makeUser();
      await makeEmailFactor(user.id);
      const interimToken = await getInterimToken(user.email);
      await sendCode(interimToken);
      const code = extractCode((await deliverAndReadMails(server, user.email, "sign_in_code"))[0]!);
      const responses = await runConcurrently(50, () => challenge(interimToken, code, "email"));
      expect(countByStatus(responses)[200]).toBe(1);
    }
  });
});

describe("a sent code", () => {
  it("is mailed at most once a minute, for an active factor only", async () => {
    const user = await makeUser({ email: "ayse.kaya@example.com" });
    await makeEmailFactor(user.id);
    const interimToken = await getInterimToken(user.email);
    const { status, json } = await sendCode(interimToken);
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        success: true,
        message: expect.any(String),
        method: "email",
        masked_destination: "a***a@e***.com",
        expires_in: 300,
        resend_after: 60,
      },
    });
    const secondSend = await sendCode(interimToken);
    expect({ status: secondSend.status, json: secondSend.json }).toEqual({
      status: 429,
      json: {
        success: false,
        error: expect.any(String),
        message: "Too Many Attempts.",
        retry_after: Number(secondSend.headers["retry-after"]),
      },
    });
    expect(secondSend.json.retry_after).toBeLessThanOrEqual(60);
    expect((await sendCode(interimToken, "sms")).json.errors.method).toHaveLength(1);
    expect((await sendCode("dsi_nothing")).status).toBe(401);
    expect((await sendCode(interimToken, "fax")).status).toBe(422);
  });

  it("is not sent for an authenticator app, without an error", async () => {
    const { user } = await makeUserWithApp();
    const { status, json } = await sendCode(await getInterimToken(user.email), "totp");
    expect({ status, success: json.success, masked_destination: json.masked_destination }).toEqual({
      status: 200,
      success: true,
      masked_destination: null,
    });
    expect(await deliverAndReadMails(server, user.email)).toEqual([]);
  });

  it("works for its own sign-in only, for five minutes, until a newer one is sent", async () => {
    const user = await makeUser();
    await makeEmailFactor(user.id);
    const [firstToken, secondToken] = [await getInterimToken(user.email), await getInterimToken(user.email)];
    const codes: string[] = [];
    for (const interimToken of [firstToken, firstToken, secondToken]) {
      await resetRateLimits();
      await sendCode(interimToken!);
      codes.push(extractCode((await deliverAndReadMails(server, user.email, "sign_in_code"))[0]!));
    }
    const [oldCode, newestCode, otherCode] = codes;
    expect((await challenge(secondToken!, newestCode!, "email")).status).toBe(422);
    if (oldCode !== newestCode) expect((await challenge(firstToken!, oldCode!, "email")).status).toBe(422);
    expect((await challenge(firstToken!, newestCode!, "email")).status).toBe(200);
    await prisma().factorCode.updateMany({ data: { expiresAt: fromNow(-MINUTE) } });
    expect((await challenge(secondToken!, otherCode!, "email")).status).toBe(422);
  });
});

describe("a trusted device", () => {
  it("skips the second factor for its own account and a right password only", async () => {
    const { user, app } = await makeUserWithApp();
    const { json } = await challenge(await getInterimToken(user.email), app.getCode(), "totp", {
      remember_device: true,
    });
    const device_token = json.device_token;
    expect(device_token).toMatch(/^dst_/);
    const trustedLogin = await login(user.email, { device_token });
    expect(trustedLogin.status).toBe(200);
    expect(typeof trustedLogin.json.token).toBe("string");
    expect((await login(user.email)).json.requires_2fa).toBe(true);
    expect((await login(user.email, { device_token: `${device_token}x` })).json.requires_2fa).toBe(true);
    const other = await makeUserWithApp();
    expect((await login(other.user.email, { device_token })).json.requires_2fa).toBe(true);
    const wrongPasswordResponse = await login(user.email, { device_token, password: "wrong-password" });
    expect(wrongPasswordResponse.status).toBe(401);
    await prisma().trustedDevice.updateMany({ data: { expiresAt: fromNow(-HOUR) } });
    expect((await login(user.email, { device_token })).json.requires_2fa).toBe(true);
  });

  it("does not count as a proof of identity", async () => {
    const { user, app } = await makeUserWithApp();
    const { json } = await challenge(await getInterimToken(user.email), app.getCode(), "totp", {
      remember_device: true,
    });
    const { token } = (await login(user.email, { device_token: json.device_token })).json;
    const refusedResponse = await post("/api/user/tokens", { name: "CI" }, { token });
    expect({
      status: refusedResponse.status,
      requires_identity: refusedResponse.json.requires_identity,
      methods: refusedResponse.json.methods,
    }).toEqual({ status: 403, requires_identity: true, methods: ["totp"] });
    await resetTotpStep(user.id);
    await post("/api/auth/confirm-identity", { method: "password", value: "correct-horse" }, { token });
    expect((await post("/api/user/tokens", { name: "CI" }, { token })).status).toBe(403);
    await post("/api/auth/confirm-identity", { method: "totp", value: app.getCode() }, { token });
    expect((await post("/api/user/tokens", { name: "CI" }, { token })).status).toBe(201);
  });
});
