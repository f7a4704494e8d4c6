import { beforeEach, describe, expect, it } from "vitest";
import { fromNow, MINUTE } from "@/server/core/time";
import { lockUser } from "@/server/domains/accounts/users/service/lock";
import { prisma } from "@/server/infrastructure/database/client";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { makeToken, makeUser } from "@/server/testing/factories";
import { countLockWaits } from "@/server/testing/locks";
import { getWrongCode } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";
import { startFakeTwilio } from "@/server/testing/twilio";

const twilio = await startFakeTwilio();
const server = await startTestServer({ env: twilio.env });
const { post, get, call, runJobs } = server;

const login = async (email: string) =>
  (await post("/api/auth/login", { email, password: "correct-horse" })).json;
const resetRateLimits = () => prisma().rateLimit.deleteMany();
const readLastCode = () => /\b\d{6}\b/.exec(twilio.listMessages().at(-1)!.body)![0];

beforeEach(async () => {
  await resetRateLimits();
  twilio.clearMessages();
});

async function makeUserWithSmsFactor() {
  const user = await makeUser({ phone: "+905321234567" });
  const { token } = await login(user.email);
  await post("/api/profile/2fa/sms", undefined, { token });
  await runJobs();
  const { json } = await post("/api/profile/2fa/sms/confirm", { code: readLastCode() }, { token });
  await resetRateLimits();
  return { user, token, json };
}

describe("codes by SMS", () => {
  it("are activated with the code that was sent, with recovery codes", async () => {
    const user = await makeUser({ phone: "+905321234567" });
    const { token } = await login(user.email);
    const { status, json } = await post("/api/profile/2fa/sms", undefined, { token });
    expect([status, json]).toMatchObject([
      200,
      { success: true, masked_destination: "+90 5** *** ** 67", expires_in: 300, resend_after: 60 },
    ]);
    await runJobs();
    const { to, from, body } = twilio.listMessages()[0]!;
    expect({ to, from }).toEqual({ to: "+905321234567", from: "+12025550100" });
    expect(body).toMatch(/^\d{6} .+\n\n@panel\.test #\d{6}$/);
    expect((await login(user.email)).token).toBeTruthy();
    const wrongCodeResponse = await post(
      "/api/profile/2fa/sms/confirm",
      { code: getWrongCode(readLastCode()) },
      { token },
    );
    expect(wrongCodeResponse.status).toBe(422);
    const confirmResponse = await post("/api/profile/2fa/sms/confirm", { code: readLastCode() }, { token });
    expect(confirmResponse.json.recovery_codes).toHaveLength(10);
    expect((await post("/api/profile/2fa/sms/confirm", { code: readLastCode() }, { token })).status).toBe(
      422,
    );
    const { methods, choices } = (await get("/api/profile/2fa/methods", token)).json;
    expect(methods).toMatchObject([{ method: "sms", enabled: true, available: true, is_default: true }]);
    expect(choices.map(({ method }: { method: string }) => method)).toEqual(["totp", "email", "sms"]);
    expect((await login(user.email)).available_methods).toEqual(["sms"]);
  });

  it("are activated with a code of the last five minutes only", async () => {
    const user = await makeUser({ phone: "+905321234568" });
    const { token } = await login(user.email);
    expect((await post("/api/profile/2fa/sms", undefined, { token })).status).toBe(200);
    await runJobs();
    const confirm = () => post("/api/profile/2fa/sms/confirm", { code: readLastCode() }, { token });
    const setCodeAge = (minutes: number) =>
      prisma().factor.updateMany({
        where: { userId: user.id, kind: "sms" },
        data: { createdAt: fromNow(-minutes * MINUTE) },
      });
    await setCodeAge(5.1);
    expect((await confirm()).status).toBe(422);
    await setCodeAge(4.9);
    expect((await confirm()).status).toBe(200);
  });

  it("finish their own sign-in once", async () => {
    const { user } = await makeUserWithSmsFactor();
    const { interim_token } = await login(user.email);
    const sendResponse = await post("/api/auth/2fa/send-code", { interim_token, method: "sms" });
    expect(sendResponse.json).toMatchObject({
      method: "sms",
      masked_destination: "+90 5** *** ** 67",
      expires_in: 300,
    });
    await runJobs();
    const code = readLastCode();
    const otherInterimToken = (await login(user.email)).interim_token;
    const challenge = (interimToken: string) =>
      post("/api/auth/2fa/challenge", { interim_token: interimToken, method: "sms", code });
    expect((await challenge(otherInterimToken)).status).toBe(422);
    expect((await challenge(interim_token)).status).toBe(200);
    expect((await challenge(interim_token)).status).toBe(401);
    expect((await challenge(otherInterimToken)).status).toBe(422);
  });

  it("are void after a change of the number", async () => {
    const user = await makeUser({ phone: "+905321234567" });
    const { token } = await login(user.email);
    await post("/api/profile/2fa/sms", undefined, { token });
    await runJobs();
    await prisma().user.update({ where: { id: user.id }, data: { phone: "+905321234568" } });
    expect((await post("/api/profile/2fa/sms/confirm", { code: readLastCode() }, { token })).status).toBe(
      422,
    );
  });

  it.each([
    ["which fails without a proof of identity", undefined, 403, "+905321234567", 1],
    ["which removes them", new Date(), 200, "+905329999999", 0],
  ])(
    "are confirmed before a change of the number, %s",
    async (_, provenAt, status, phone, expectedFactorCount) => {
      const user = await makeUser({ phone: "+905321234567" });
      const { token } = await login(user.email);
      const otherToken = await makeToken(user.id, { provenAt });
      await post("/api/profile/2fa/sms", undefined, { token });
      await runJobs();
      const pendingResponses: Array<ReturnType<typeof call>> = [];
      await inTransaction(
        async (tx) => {
          await lockUser(tx, user.id);
          pendingResponses.push(post("/api/profile/2fa/sms/confirm", { code: readLastCode() }, { token }));
          await expect.poll(countLockWaits, { timeout: 30_000 }).toBe(1);
          pendingResponses.push(
            call("PUT", "/api/auth/profile", { token: otherToken, body: { phone: "+905329999999" } }),
          );
          await expect.poll(countLockWaits, { timeout: 30_000 }).toBe(2);
        },
        { seconds: 60 },
      );
      const responses = await Promise.all(pendingResponses);
      expect(responses.map((response) => response.status)).toEqual([200, status]);
      const where = { userId: user.id, kind: "sms", confirmedAt: { not: null } } as const;
      expect((await prisma().user.findUniqueOrThrow({ where: { id: user.id } })).phone).toEqual(phone);
      expect(await prisma().factor.count({ where })).toEqual(expectedFactorCount);
    },
  );

  it("need a phone number, a recent proof of identity and no active SMS factor", async () => {
    const userWithoutPhone = await makeUser({ phone: null });
    const { token } = await login(userWithoutPhone.email);
    expect((await post("/api/profile/2fa/sms", undefined, { token })).json.error).toContain("telefon");
    const { token: tokenWithFactor } = await makeUserWithSmsFactor();
    expect((await post("/api/profile/2fa/sms", undefined, { token: tokenWithFactor })).status).toBe(422);
    await prisma().accessToken.updateMany({ data: { provenAt: null } });
    expect((await post("/api/profile/2fa/sms", undefined, { token })).status).toBe(403);
  });

  it("are retried when the provider fails, but not when it rejects the number", async () => {
    const { user } = await makeUserWithSmsFactor();
    const findLastSms = () =>
      prisma().smsMessage.findFirstOrThrow({ where: { userId: user.id }, orderBy: { id: "desc" } });
    const { interim_token } = await login(user.email);
    twilio.failNextCall(503, 20500);
    twilio.failNextCall(429, 20429);
    await post("/api/auth/2fa/send-code", { interim_token, method: "sms" });
    await runJobs();
    expect(await findLastSms()).toMatchObject({
      state: "queued",
      attempts: 1,
      error: expect.stringContaining("503"),
    });
    const { deliverSms } = await import("@/server/infrastructure/sms/deliver");
    for (let run = 0; run < 3; run++) await deliverSms({ smsId: (await findLastSms()).id });
    expect(await findLastSms()).toMatchObject({ state: "sent", remoteId: expect.stringMatching(/^SM/) });
    expect(twilio.listMessages().filter(({ body }) => body.includes(readLastCode()))).toHaveLength(1);
    await resetRateLimits();
    twilio.failNextCall(400, 21211);
    await post("/api/auth/2fa/send-code", { interim_token, method: "sms" });
    await runJobs();
    expect(await findLastSms()).toMatchObject({ state: "failed", error: expect.stringContaining("21211") });
  });

  it("are stored sealed, and the factor can be removed", async () => {
    const { user, token } = await makeUserWithSmsFactor();
    const storedSms = await prisma().smsMessage.findFirstOrThrow({ where: { userId: user.id } });
    expect(Buffer.from(storedSms.sealed).toString("latin1")).not.toMatch(/panel\.test|\d{6} /);
    expect((await call("DELETE", "/api/profile/2fa/sms", { token })).status).toBe(200);
    expect((await login(user.email)).token).toBeTruthy();
  });
});
