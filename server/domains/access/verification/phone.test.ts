import { beforeEach, describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { runConcurrently } from "@/server/testing/burst";
import { makeUser } from "@/server/testing/factories";
import { getWrongCode } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";
import { startFakeTwilio } from "@/server/testing/twilio";

const twilio = await startFakeTwilio();
const server = await startTestServer({
  env: { ...twilio.env, SMS_PER_NUMBER: "3", SMS_PER_COUNTRY: "5", SMS_PER_DAY: "8" },
});
const { post, get, call, runJobs } = server;

const PHONE_NUMBER = "+905321234567";
const resetRateLimits = () => prisma().rateLimit.deleteMany();
const readLastCode = () => /\b\d{6}\b/.exec(twilio.listMessages().at(-1)!.body)![0];

async function makeUserWithPhone(phone: string | null = PHONE_NUMBER) {
  const user = await makeUser({ phone });
  const { json } = await post("/api/auth/login", { email: user.email, password: "correct-horse" });
  const token: string = json.token;
  return {
    ...user,
    token,
    sendCode: () => post("/api/profile/phone/send-code", undefined, { token }),
    confirmCode: (code: string) => post("/api/profile/phone/confirm", { code }, { token }),
    readPhone: async () => (await get("/api/profile/phone", token)).json,
  };
}

beforeEach(async () => {
  await resetRateLimits();
  twilio.clearMessages();
});

describe("a phone number", () => {
  it("is confirmed once by the code that was sent", async () => {
    const person = await makeUserWithPhone();
    const unconfirmedState = {
      phone: PHONE_NUMBER,
      verified_at: null,
      sms_offered: true,
      receives_texts: true,
    };
    expect(await person.readPhone()).toEqual({ success: true, ...unconfirmedState });
    const sendResponse = await person.sendCode();
    expect([sendResponse.status, sendResponse.json]).toMatchObject([
      200,
      { masked_destination: "+90 5** *** ** 67", expires_in: 300, resend_after: 60 },
    ]);
    await runJobs();
    expect(twilio.listMessages().map(({ to }) => to)).toEqual([PHONE_NUMBER]);
    expect((await person.confirmCode(getWrongCode(readLastCode()))).status).toBe(422);
    const { status, json } = await person.confirmCode(readLastCode());
    expect({ status, verified_at: json.verified_at }).toEqual({
      status: 200,
      verified_at: (await person.readPhone()).verified_at,
    });
    expect((await person.confirmCode(readLastCode())).status).toBe(422);
    const secondSend = await person.sendCode();
    expect(secondSend.status).toBe(429);
    expect(secondSend.headers["retry-after"]).toEqual(expect.stringMatching(/^\d+$/));
  });

  it("loses its confirmation and its code when it changes", async () => {
    const person = await makeUserWithPhone();
    const changePhone = (phone: string) =>
      call("PUT", "/api/auth/profile", { token: person.token, body: { phone } }).then(({ status }) => status);
    await person.sendCode();
    await runJobs();
    expect(await changePhone("+905329999999")).toBe(200);
    expect((await person.confirmCode(readLastCode())).status).toBe(422);
    await resetRateLimits();
    await person.sendCode();
    await runJobs();
    expect((await person.confirmCode(readLastCode())).status).toBe(200);
    expect(await changePhone("0532 999 99 99")).toBe(200);
    expect((await person.readPhone()).verified_at, "the same number in another format").not.toBeNull();
    expect(await changePhone(PHONE_NUMBER)).toBe(200);
    expect((await person.readPhone()).verified_at).toBeNull();
  });

  it("needs a number, a verified address and a valid code", async () => {
    expect((await (await makeUserWithPhone(null)).sendCode()).status).toBe(422);
    const person = await makeUserWithPhone();
    await person.sendCode();
    await runJobs();
    await prisma().phoneCode.updateMany({ data: { expiresAt: new Date(Date.now() - 1000) } });
    expect((await person.confirmCode(readLastCode())).status).toBe(422);
    await resetRateLimits();
    twilio.clearMessages();
    await prisma().user.update({ where: { id: person.id }, data: { emailVerifiedAt: null } });
    expect((await person.sendCode()).status).toBe(422);
    await runJobs();
    expect(twilio.listMessages()).toEqual([]);
  });

  it("allows five attempts in five minutes, even in a burst", async () => {
    const person = await makeUserWithPhone();
    await person.sendCode();
    await runJobs();
    const wrongAttempts = await runConcurrently(20, () => person.confirmCode(getWrongCode(readLastCode())));
    expect(wrongAttempts.map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill(422),
      ...Array(15).fill(429),
    ]);
    await resetRateLimits();
    const rightAttempts = await runConcurrently(5, () => person.confirmCode(readLastCode()));
    expect(rightAttempts.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("is confirmed by the activation of codes by SMS as a second factor", async () => {
    const person = await makeUserWithPhone();
    await post("/api/profile/2fa/sms", undefined, { token: person.token });
    await runJobs();
    await post("/api/profile/2fa/sms/confirm", { code: readLastCode() }, { token: person.token });
    expect((await person.readPhone()).verified_at).not.toBeNull();
  });
});

describe("text messages", () => {
  it.each([
    ["+905321112233", true],
    ["+12025550100", true],
    ["+905011234567", true],
    ["+902121234567", true],
    ["+909001234567", false],
    ["+19002345678", false],
    ["+448431234567", false],
    ["+447012345678", false],
    ["+904441234", false],
    ["+908001234567", false],
    ["+8821300655", false],
    ["+88213300655", false],
    ["+883510012345678", false],
    ["+870773111632", false],
    ["+881612345678", false],
    ["+878102345678901", false],
    ["+979123456789", false],
    ["+80812345678", false],
  ])("are sent to %s: %s", async (phone, receivesTexts) => {
    const person = await makeUserWithPhone(phone);
    expect((await person.readPhone()).receives_texts).toBe(receivesTexts);
    expect((await person.sendCode()).status).toBe(receivesTexts ? 200 : 422);
    await runJobs();
    expect(twilio.listMessages()).toHaveLength(receivesTexts ? 1 : 0);
  });

  it("are limited per day and number, over all accounts and purposes", async () => {
    const responses = await runConcurrently(4, async () => (await makeUserWithPhone()).sendCode());
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
    const otherPerson = await makeUserWithPhone();
    const refusedResponse = await otherPerson.sendCode();
    expect({ status: refusedResponse.status, json: refusedResponse.json }).toEqual({
      status: 429,
      json: { message: "Too Many Attempts." },
    });
    expect(Number(refusedResponse.headers["retry-after"])).toBeGreaterThan(3600);
    const factorResponse = await post("/api/profile/2fa/sms", undefined, {
      token: (await makeUserWithPhone()).token,
    });
    expect(factorResponse.status).toBe(429);
    expect((await (await makeUserWithPhone("+905321234568")).sendCode()).status).toBe(200);
    await runJobs();
    expect(twilio.listMessages()).toHaveLength(4);
  });

  it("are limited per day and country, and per day in total", async () => {
    const sendTo = async (phones: string[]) => {
      const statuses: number[] = [];
      for (const phone of phones) statuses.push((await (await makeUserWithPhone(phone)).sendCode()).status);
      return statuses;
    };
    const usNumbers = ["0", "1", "2", "3", "4", "5"].map((digit) => `+1202555010${digit}`);
    expect(await sendTo(usNumbers)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await sendTo(["+14165550100", "+905321234561", "+905321234562"])).toEqual([200, 200, 200]);
    expect(await sendTo(["+905321234563", "+4915112345678"])).toEqual([429, 429]);
    await runJobs();
    expect(twilio.listMessages()).toHaveLength(8);
  });
});
