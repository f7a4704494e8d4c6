import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeReseller, makeSignedInUser, makeSubscription, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails, extractCode } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { buildRegistrationBody } from "@/server/testing/requests";
import { makeTotpFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { call, post } = server;

const MALFORMED_CODES = ["12345ş", "12345", "1234567", "abcdef", "beş altı", "12345\u0001", "1e5", "-12345"];
const groupDigits = (code: string) => `\u202a${code.slice(0, 3)}\u00a0${code.slice(3)}\u202c`;
const toArabicDigits = (code: string) =>
  code.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));

async function expectMalformedCodesRefused(submit: (code: string) => ReturnType<typeof post>, field: string) {
  for (const code of MALFORMED_CODES) {
    const { status, json } = await submit(code);
    expect([status, Object.keys(json.errors ?? {})], code).toEqual([422, [field]]);
  }
}

describe("counts no attempt for a malformed code and accepts a grouped one", () => {
  it("at the second factor of a sign-in", async () => {
    const { id, email } = await makeUser();
    const authenticatorApp = await makeTotpFactor(id);
    const { json } = await post("/api/auth/login", { email, password: "correct-horse" });
    const challenge = (code: string) =>
      post("/api/auth/2fa/challenge", { interim_token: json.interim_token, method: "totp", code });
    await expectMalformedCodesRefused(challenge, "code");
    expect((await challenge(toArabicDigits(authenticatorApp.getCode()))).status).toBe(200);
  });

  it("with a recovery code", async () => {
    const { id, email } = await makeUser();
    const { recoveryCodes } = await makeTotpFactor(id);
    const { json } = await post("/api/auth/login", { email, password: "correct-horse" });
    const recovery_code = `\u200b${recoveryCodes[0]!.toLowerCase().replaceAll("-", "\u2011")} `;
    const body = { interim_token: json.interim_token, recovery_code };
    expect((await post("/api/auth/2fa/recovery", body)).status).toBe(200);
  });

  it("when an authenticator app is set up", async () => {
    const { email } = await makeUser();
    const { token } = (await post("/api/auth/login", { email, password: "correct-horse" })).json;
    const { json } = await post("/api/profile/2fa/totp", undefined, { token });
    const confirm = (code: string) => post("/api/profile/2fa/totp/confirm", { code }, { token });
    await expectMalformedCodesRefused(confirm, "code");
    const { createTotp } = await import("@/server/domains/access/two-factor/service/consume-code");
    expect((await confirm(groupDigits(createTotp(json.secret).generate()))).status).toBe(200);
  });

  it("at a proof of identity", async () => {
    const { id, token } = await makeSignedInUser();
    const authenticatorApp = await makeTotpFactor(id);
    const confirm = (value: string) =>
      post("/api/auth/confirm-identity", { method: "totp", value }, { token });
    await expectMalformedCodesRefused(confirm, "value");
    await resetRateLimits();
    expect((await confirm(groupDigits(authenticatorApp.getCode()))).status).toBe(200);
  });

  it("when an address is verified", async () => {
    const body = buildRegistrationBody();
    await post("/api/auth/register", body);
    const [mail] = await deliverAndReadMails(server, body.email, "verify_email");
    const verify = (code: string) => post("/api/auth/verify-email", { email: body.email, code });
    for (const code of MALFORMED_CODES) expect((await verify(code)).status, code).toBe(400);
    expect((await verify(groupDigits(extractCode(mail!)))).status).toBe(200);
  });

  it("when an account is deleted", async () => {
    const { email, token } = await makeSignedInUser();
    await post("/api/auth/account/delete-request", undefined, { token });
    const [mail] = await deliverAndReadMails(server, email, "deletion_code");
    const confirm = (code: string) => post("/api/auth/account/confirm-delete", { code }, { token });
    await expectMalformedCodesRefused(confirm, "code");
    expect((await confirm(groupDigits(extractCode(mail!)))).status).toBe(200);
  });
});

describe("an e-mail address", () => {
  it.each(["İsmail.", "i̇smail.", "I\u0307SMAİL."])("starting with %j belongs to ismail", async (name) => {
    const suffix = `${Math.random()}@example.com`.slice(2);
    const { id } = await makeUser({ email: `ismail.${suffix}` });
    const email = name + suffix;
    const { json } = await post("/api/auth/login", { email, password: "correct-horse" });
    expect(json.user?.id).toBe(id);
    const secondRegistration = await post("/api/auth/register", buildRegistrationBody({ email }));
    expect([secondRegistration.status, Object.keys(secondRegistration.json.errors)]).toEqual([
      422,
      ["email"],
    ]);
  });

  it("with a dotless ı before the @ is rejected with a suggestion", async () => {
    const email = "ısmail@example.com";
    for (const path of ["register", "login", "forgot-password", "resend-verification"]) {
      const { status, json } = await post(`/api/auth/${path}`, { ...buildRegistrationBody(), email });
      expect(status, path).toBe(422);
      expect(json.errors.email[0], path).toContain("ismail@example.com");
    }
    expect((await post("/api/auth/forgot-password", { email: "ışık@örnek.com" })).status).toBe(200);
  });

  it.each([
    ["\u200b", ""],
    ["", "\u200b"],
    ["\u202a", "\u202c"],
    ["\ufeff\u00a0", "\u2060"],
  ])("is stored without a surrounding %j and %j", async (prefix, postfix) => {
    await resetRateLimits();
    const newEmail = (name: string) => `${name}.${Math.random()}@example.com`;
    const [registeredEmail, changedEmail, customerEmail, agentEmail] = [
      "own",
      "moved",
      "invited",
      "agent",
    ].map(newEmail);
    const pad = (email: string) => prefix + email + postfix;
    const { json } = await post(
      "/api/auth/register",
      buildRegistrationBody({ email: pad(registeredEmail!) }),
    );
    expect(json.user.email).toBe(registeredEmail);
    const reseller = await makeUser({ role: "reseller" });
    await makeReseller(reseller.id);
    const token = (await post("/api/auth/login", { email: pad(reseller.email), password: "correct-horse" }))
      .json.token;
    const statuses = [
      await post("/api/reseller/customers", { name: "Ayşe", email: pad(customerEmail!) }, { token }),
      await post(
        "/api/team/invitations",
        { name: "Ece", email: pad(agentEmail!), kind: "sub_user" },
        { token },
      ),
      await call("PUT", "/api/user", {
        token,
        body: { email: pad(changedEmail!), current_password: "correct-horse" },
      }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([201, 201, 200]);
    const { id } = reseller;
    const customerInvitation = await prisma().customerInvitation.findFirstOrThrow({
      where: { resellerId: id },
    });
    const memberInvitation = await prisma().invitation.findFirstOrThrow({ where: { inviterId: id } });
    const account = await prisma().user.findUniqueOrThrow({ where: { id } });
    expect([customerInvitation.email, memberInvitation.email, account.pendingEmail]).toEqual([
      customerEmail,
      agentEmail,
      changedEmail,
    ]);
    const invisibleInsideResponse = await post(
      "/api/auth/register",
      buildRegistrationBody({ email: `a${prefix}${postfix}b@example.com` }),
    );
    expect([invisibleInsideResponse.status, Object.keys(invisibleInsideResponse.json.errors)]).toEqual([
      422,
      ["email"],
    ]);
  });
});

describe("an e-mail address or domain is rejected with adjacent characters", () => {
  it.each(["“{}”", "«{}»", "{}→", "•{}", "{}\ufe0f", "{}\u2800.com", "{}¹"])("as in %j", async (template) => {
    await resetRateLimits();
    const { id, token } = await makeSignedInUser({ role: "reseller" });
    await makeReseller(id);
    await makeSubscription(id);
    const surround = (text: string) => template.replace("{}", text);
    const submit = async (path: string, body: object) => {
      const { status, json } = await post(path, body, { token });
      return [status, Object.keys(json.errors ?? {})];
    };
    const email = surround(`beside.${id}@example.com`);
    expect(await submit("/api/auth/register", buildRegistrationBody({ email }))).toEqual([422, ["email"]]);
    expect(await submit("/api/reseller/customers", { name: "A", email })).toEqual([422, ["email"]]);
    // Domain names ignore a variation selector.
    if (template.endsWith("\ufe0f")) return;
    const site = { name: "A", domain: surround(`beside${id}.com`), confirm_pay_per_site: true };
    expect(await submit("/api/sites", site)).toEqual([422, ["domain"]]);
    const webhook = { url: `https://${surround(`beside${id}.com`)}/hook` };
    expect(await submit("/api/webhooks", webhook)).toEqual([422, ["url"]]);
  });

  it("and as an IP address in Arabic digits", async () => {
    const { id, token } = await makeSignedInUser();
    await makeSubscription(id);
    const { status } = await post("/api/sites", { name: "A", domain: "١٢٧.٠.٠.١" }, { token });
    expect(status).toBe(422);
  });
});

it("replaces an ideographic dot in an e-mail address", async () => {
  const email = `dot.${Math.random()}@example。com`;
  expect((await post("/api/auth/register", buildRegistrationBody({ email }))).json.user.email).toBe(
    email.replace("。", "."),
  );
});

describe("a phone number", () => {
  it.each([
    "\u202a+90 532 123 45 67\u202c",
    "+90\u00a0532\u00a0123\u00a045\u00a067",
    "0532–123–45–67",
    "٠٥٣٢١٢٣٤٥٦٧",
  ])("pasted as %j is stored in E.164", async (phone) => {
    await resetRateLimits();
    const { json } = await post("/api/auth/register", buildRegistrationBody({ phone }));
    const { id, token } = await makeSignedInUser({ role: "reseller", phone: null });
    await makeReseller(id);
    await call("PUT", "/api/auth/profile", { token, body: { phone, current_password: "correct-horse" } });
    const email = `phone.${id}@example.com`;
    await post("/api/reseller/customers", { name: "Ayşe", email, phone }, { token });
    const accounts = await prisma().user.findMany({ where: { id: { in: [id, json.user.id] } } });
    const invitation = await prisma().customerInvitation.findFirstOrThrow({ where: { resellerId: id } });
    expect([...accounts, invitation].map((row) => row.phone)).toEqual(Array(3).fill("+905321234567"));
  });
});

it("converts a site's domain in Turkish capital letters", async () => {
  const { id, token } = await makeSignedInUser();
  await makeSubscription(id);
  const domain = `\u200bhttps://İSTANBUL${id}.COM/`;
  const { status, json } = await post("/api/sites", { name: "Kahve", domain }, { token });
  expect([status, json.site?.domain]).toEqual([201, `istanbul${id}.com`]);
});

it("parses amounts as the panel displays them", async () => {
  const { email } = await makeUser({ role: "admin" });
  const { token } = (await post("/api/auth/login", { email, password: "correct-horse" })).json;
  const [plan] = await prisma().subscriptionPlan.findMany({ where: { slug: "pro" } });
  for (const [amount, parsedAmount] of [
    ["₺3.999,00", 3999],
    ["3 999,50 TL", 3999.5],
  ]) {
    const user = await makeUser();
    const body = { user_id: user.id, plan_id: plan!.id, amount };
    const { status, json } = await post("/api/admin/subscriptions/manual-activate", body, { token });
    expect([status, json.payment?.amount]).toEqual([201, parsedAmount]);
  }
});

it("removes invisible characters from a name", async () => {
  const { json } = await post(
    "/api/auth/register",
    buildRegistrationBody({ name: "\u2068Ayşe\u2069\u00a0Ka\u200bya" }),
  );
  expect(json.user.name).toBe("Ayşe Kaya");
});

it.each(["\u200d", "\ufe0f", "\u3164", "\u2800"])("treats a name of only %j as missing", async (name) => {
  const { status, json } = await post("/api/auth/register", buildRegistrationBody({ name }));
  expect([status, Object.keys(json.errors ?? {})]).toEqual([422, ["name"]]);
});

it("finds audit entries and mails by pasted values", async () => {
  const admin = await makeSignedInUser({ role: "admin" });
  const { email } = buildRegistrationBody();
  await post("/api/auth/register", buildRegistrationBody({ email }));
  const countResults = async (path: string) => {
    const { status, json } = await call("GET", path, { token: admin.token });
    expect(status, path).toBe(200);
    return json.data.length;
  };
  const pastedEmail = encodeURIComponent(email.replace("@", "＠").toUpperCase());
  expect(await countResults(`/api/admin/mails?q=${pastedEmail}`)).toBe(1);
  expect(await countResults(`/api/admin/audit?q=${pastedEmail}`)).toBeGreaterThan(0);
  const today = new Date().toLocaleDateString("de-DE", {
    ...({ day: "2-digit", month: "2-digit", year: "numeric" } as const),
    timeZone: "Europe/Istanbul",
  });
  expect(
    await countResults(
      `/api/admin/audit?from=${encodeURIComponent(toArabicDigits("01.01.2026"))}&to=${today}`,
    ),
  ).toBeGreaterThan(0);
});
