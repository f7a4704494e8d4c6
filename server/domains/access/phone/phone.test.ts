import { beforeEach, describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { burst } from "@/server/testing/burst";
import { makeUser } from "@/server/testing/factories";
import { wrongCode } from "@/server/testing/second-factor";
import { testServer } from "@/server/testing/server";
import { twilioPeer } from "@/server/testing/twilio";

const twilio = await twilioPeer();
const server = await testServer({ env: twilio.env });
const { post, get, call, work } = server;

const NUMBER = "+905321234567";
const nextHour = () => prisma().rateLimit.deleteMany();
const lastCode = () => /\b\d{6}\b/.exec(twilio.messages.at(-1)!.body)![0];

async function person(phone: string | null = NUMBER) {
  const user = await makeUser({ phone });
  const { json } = await post("/api/auth/login", { email: user.email, password: "correct-horse" });
  const token: string = json.token;
  return {
    ...user,
    token,
    send: () => post("/api/profile/phone/send-code", undefined, { token }),
    confirm: (code: string) => post("/api/profile/phone/confirm", { code }, { token }),
    phone: async () => (await get("/api/profile/phone", token)).json,
  };
}

beforeEach(async () => {
  await nextHour();
  twilio.messages.length = 0;
});

describe("a telephone", () => {
  it("is confirmed by the code that reached it, once", async () => {
    const me = await person();
    const unconfirmed = { phone: NUMBER, verified_at: null, sms_offered: true, receives_texts: true };
    expect(await me.phone()).toEqual({ success: true, ...unconfirmed });
    const sent = await me.send();
    expect([sent.status, sent.json]).toMatchObject([
      200,
      { masked_destination: "+90 5** *** ** 67", expires_in: 300, resend_after: 60 },
    ]);
    await work();
    expect(twilio.messages.map(({ to }) => to)).toEqual([NUMBER]);
    expect((await me.confirm(wrongCode(lastCode()))).status).toBe(422);
    const { status, json } = await me.confirm(lastCode());
    expect([status, json.verified_at]).toEqual([200, (await me.phone()).verified_at]);
    expect((await me.confirm(lastCode())).status).toBe(422);
    const again = await me.send();
    expect([again.status, again.headers["retry-after"]]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  });

  it("is unconfirmed again when it changes, and an older code is for the older number", async () => {
    const me = await person();
    const change = (phone: string) =>
      call("PUT", "/api/auth/profile", { token: me.token, body: { phone } }).then(({ status }) => status);
    await me.send();
    await work();
    expect(await change("+905329999999")).toBe(200);
    expect((await me.confirm(lastCode())).status).toBe(422);
    await nextHour();
    await me.send();
    await work();
    expect((await me.confirm(lastCode())).status).toBe(200);
    expect(await change("0532 999 99 99")).toBe(200);
    expect((await me.phone()).verified_at, "the same number, spelled otherwise").not.toBeNull();
    expect(await change(NUMBER)).toBe(200);
    expect((await me.phone()).verified_at).toBeNull();
  });

  it("wants a number, a verified address, and a code in time", async () => {
    expect((await (await person(null)).send()).status).toBe(422);
    const me = await person();
    await me.send();
    await work();
    await prisma().phoneCode.updateMany({ data: { expiresAt: new Date(Date.now() - 1000) } });
    expect((await me.confirm(lastCode())).status).toBe(422);
    await nextHour();
    twilio.messages.length = 0;
    await prisma().user.update({ where: { id: me.id }, data: { emailVerifiedAt: null } });
    expect((await me.send()).status).toBe(422);
    await work();
    expect(twilio.messages).toEqual([]);
  });

  it("takes five tries in five minutes, whatever comes at once", async () => {
    const me = await person();
    await me.send();
    await work();
    const wrong = await burst(20, () => me.confirm(wrongCode(lastCode())));
    expect(wrong.map(({ status }) => status).sort()).toEqual([...Array(5).fill(422), ...Array(15).fill(429)]);
    await nextHour();
    const right = await burst(5, () => me.confirm(lastCode()));
    expect(right.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("is confirmed with the second factor that it becomes", async () => {
    const me = await person();
    await post("/api/profile/2fa/sms", undefined, { token: me.token });
    await work();
    await post("/api/profile/2fa/sms/confirm", { code: lastCode() }, { token: me.token });
    expect((await me.phone()).verified_at).not.toBeNull();
  });
});
