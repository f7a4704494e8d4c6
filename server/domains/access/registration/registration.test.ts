import { describe, expect, it } from "vitest";
import { formatText } from "@/server/core/texts";
import { CONSENT_VERSIONS, CONSENTS, MANDATORY_CONSENTS } from "@/server/domains/accounts/consents/contract";
import { prisma } from "@/server/infrastructure/database/client";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { openFakeDnsServer } from "@/server/testing/dns";
import { makeReseller, makeUser } from "@/server/testing/factories";
import { countRows } from "@/server/testing/hostile-values";
import { createIpAddress } from "@/server/testing/http";
import { buildRegistrationBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";

const dns = await openFakeDnsServer();
const { post, get, call, runJobs } = await startTestServer({ env: { DNS_SERVERS: dns.address } });
const register = (changes?: Record<string, unknown>) =>
  post("/api/auth/register", buildRegistrationBody(changes));

describe("a registration", () => {
  it("returns exactly the documented body and a working token", async () => {
    const body = buildRegistrationBody({ email: "Ayse.Kaya@Example.com" });
    const { status, json } = await post("/api/auth/register", body);
    expect(status).toBe(201);
    expect(json).toEqual({
      success: true,
      user: {
        id: expect.any(Number),
        name: "Ayşe Kaya",
        email: "Ayse.Kaya@Example.com",
        role: "user",
        credits: 1000,
        email_verified_at: null,
      },
      token: expect.stringMatching(/^dsu_[0-9A-Za-z]{49}$/),
      message: formatText("tr", "responses.registered"),
    });
    expect((await get("/api/auth/user", json.token)).json.user.email_verified_at).toBeNull();
  });

  it("starts with 1000 credits and records seven consents with text, language and IP address", async () => {
    const ip = createIpAddress();
    const consents = { ...Object.fromEntries(CONSENTS.map((key) => [key, true])), marketing: false };
    const headers = { "user-agent": "a browser" };
    const { json } = await post("/api/auth/register", buildRegistrationBody({ consents }), { ip, headers });
    const userId = json.user.id as number;
    const creditEntries = await prisma().creditEntry.findMany({ where: { userId } });
    expect(creditEntries).toMatchObject([{ amount: 1000, balance: 1000, reason: "welcome" }]);
    const records = await prisma().consentRecord.findMany({ where: { userId }, orderBy: { id: "asc" } });
    expect(records.map(({ key, granted }) => [key, granted])).toEqual(
      CONSENTS.map((key) => [key, key !== "marketing"]),
    );
    for (const record of records) {
      expect(record).toMatchObject({
        textVersion: CONSENT_VERSIONS.terms,
        textHash: hashSecret(formatText("tr", `consents.${record.key}.text`)).toString("hex"),
        locale: "tr",
        ip,
        userAgent: "a browser",
        source: "register",
      });
    }
    expect(await prisma().mailMessage.count({ where: { userId, template: "verify_email" } })).toBe(1);
  });

  it.each([
    ["de-AT,de;q=0.9", "de"],
    ["ar", "ar"],
    ["zh", "en"],
  ])("mails in the language of the sign-up: %s", async (acceptLanguage, locale) => {
    const headers = { "accept-language": acceptLanguage };
    const body = buildRegistrationBody();
    const { json } = await post("/api/auth/register", body, { headers });
    expect(json.message).toBe(formatText("tr", "responses.registered"));
    const where = { userId: json.user.id as number };
    expect(await prisma().mailMessage.findMany({ where, select: { locale: true } })).toEqual([{ locale }]);
    await post("/api/auth/resend-verification", { email: body.email }, { headers });
    await runJobs();
    expect(await prisma().mailMessage.count({ where: { ...where, locale } })).toBe(2);
    await post("/api/auth/forgot-password", body, { headers: { "accept-language": "fr" } });
    await runJobs();
    expect(await prisma().mailMessage.count({ where: { ...where, locale } }), "also from elsewhere").toBe(3);
    const profile = await call("GET", "/api/user", { token: json.token });
    expect(profile.json.user.mail_locale).toBe(locale);
  });

  it("mails in Turkish without a language, and later in the language of the request", async () => {
    const body = buildRegistrationBody();
    const { json } = await post("/api/auth/register", body);
    await post("/api/auth/forgot-password", body, { headers: { "accept-language": "fr" } });
    await runJobs();
    const mails = await prisma().mailMessage.findMany({
      where: { userId: json.user.id as number },
      orderBy: { id: "asc" },
      select: { locale: true },
    });
    expect(mails).toEqual([{ locale: "tr" }, { locale: "fr" }]);
    const profile = await call("GET", "/api/user", { token: json.token });
    expect(profile.json.user.mail_locale).toBeNull();
  });

  it("accepts 1 and 0 for consents, and the password exactly as typed", async () => {
    const consents = Object.fromEntries(
      MANDATORY_CONSENTS.map((key, index) => [key, [true, 1, "1", 1][index]]),
    );
    const password = "  pass  word  ";
    const body = buildRegistrationBody({ consents, password, password_confirmation: password });
    const { json } = await post("/api/auth/register", body);
    await prisma().user.update({ where: { id: json.user.id }, data: { emailVerifiedAt: new Date() } });
    const login = (typedPassword: string) =>
      post("/api/auth/login", { email: body.email, password: typedPassword });
    expect((await login(password)).status).toBe(200);
    expect((await login(password.trim())).status).toBe(401);
  });

  it("checks fields, then consents, then the spam guard, and last whether the address is free", async () => {
    const { email } = await makeUser();
    const consents = Object.fromEntries(CONSENTS.map((key) => [key, true]));
    const invalidInput = { email, company_fax: "x", consents: { privacy: true }, name: null };
    const rowCountsBefore = await countRows();
    const fieldsResponse = await register(invalidInput);
    expect(fieldsResponse.status).toBe(422);
    expect(Object.keys(fieldsResponse.json)).toEqual(["message", "errors"]);
    expect(Object.keys(fieldsResponse.json.errors)).toEqual(["name"]);
    const consentsResponse = await register({ ...invalidInput, name: "A" });
    expect(consentsResponse.status).toBe(422);
    expect(Object.keys(consentsResponse.json)).toEqual(["success", "error", "missing_consents"]);
    expect(consentsResponse.json.missing_consents).toEqual(["terms", "yurtdisi", "cagri_kayit"]);
    const spamResponse = await register({ ...invalidInput, name: "A", consents });
    expect(spamResponse.status).toBe(422);
    expect(Object.keys(spamResponse.json)).toEqual(["success", "error"]);
    const takenResponse = await register({ ...invalidInput, name: "A", consents, company_fax: null });
    expect(takenResponse.status).toBe(422);
    expect(Object.keys(takenResponse.json.errors)).toEqual(["email"]);
    const expectedRowCounts = { ...rowCountsBefore, sign_up_refusals: rowCountsBefore.sign_up_refusals! + 1 };
    expect(await countRows()).toEqual(expectedRowCounts);
  });

  it.each([
    ["no consents", undefined],
    ["null", null],
    ["none given", {}],
    ["all refused", Object.fromEntries(MANDATORY_CONSENTS.map((key) => [key, false]))],
  ])("lists all missing mandatory consents: %s", async (_, consents) => {
    expect((await register({ consents })).json.missing_consents).toEqual(MANDATORY_CONSENTS);
  });

  it("names all invalid fields, and the first in the message", async () => {
    const { json } = await post("/api/auth/register", {});
    expect(Object.keys(json.errors)).toEqual(["name", "phone", "email", "password", "password_confirmation"]);
    expect(json.message).toContain(json.errors.name[0]);
    // The message counts the four other fields.
    expect(json.message).toContain("4");
  });

  it("reports an invalid address and different passwords together", async () => {
    const body = buildRegistrationBody({ email: "plain", password_confirmation: "something else" });
    const { status, json } = await post("/api/auth/register", body);
    expect([status, Object.keys(json.errors)]).toEqual([422, ["email", "password_confirmation"]]);
  });

  it.each([
    [{ password: "1234567", password_confirmation: "1234567" }, "password"],
    [{ password_confirmation: "something else" }, "password_confirmation"],
    [{ name: "a".repeat(256) }, "name"],
    [{ name: "a\nb" }, "name"],
    [{ timezone: "a".repeat(65) }, "timezone"],
    [{ referral_code: "NOBODYS" }, "referral_code"],
    [{ password: "é".repeat(2000), password_confirmation: "é".repeat(2000) }, "password"],
  ])("refuses %j", async (changes, field) => {
    const { status, json } = await register(changes);
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual([field]);
  });

  it("stores a known time zone, else null", async () => {
    const expectedZones: Array<[unknown, string | null]> = [
      ["Europe/Istanbul", "Europe/Istanbul"],
      ["America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"],
      ["UTC", "UTC"],
      ["europe/istanbul", "Europe/Istanbul"],
      ["Turkey", "Europe/Istanbul"],
      ["ASIA/KOLKATA", "Asia/Kolkata"],
      ["Asia/Calcutta", "Asia/Kolkata"],
      ["Mars/Olympus", null],
      ["+03:00", null],
      ["a".repeat(64), null],
      ["Europe/Istanbul\u0000", null],
      ["", null],
      [undefined, null],
    ];
    for (const [timezone, expectedZone] of expectedZones) {
      const { json, status } = await register({ timezone });
      expect(status, String(timezone)).toBe(201);
      const user = await prisma().user.findUniqueOrThrow({ where: { id: json.user.id } });
      expect(user.timezone, String(timezone)).toBe(expectedZone);
    }
  });

  it("assigns the active reseller of a code, in upper or lower case, if the agreement is signed", async () => {
    const reseller = await makeUser({ role: "reseller" });
    await makeReseller(reseller.id, { code: "KAHVE1" });
    const { json } = await register({ referral_code: " kahve1 " });
    expect((await prisma().user.findUniqueOrThrow({ where: { id: json.user.id } })).resellerId).toBe(
      reseller.id,
    );
    const unsignedReseller = await makeUser({ role: "reseller" });
    await makeReseller(unsignedReseller.id, { code: "UNSIGNED", signed: false });
    const deactivatedReseller = await makeUser({ role: "reseller", isActive: false });
    await makeReseller(deactivatedReseller.id, { code: "PASSIVE" });
    for (const referral_code of ["UNSIGNED", "PASSIVE", "KAHVE1%", "KAHVE_", "kahve1'"])
      expect((await register({ referral_code })).status, referral_code).toBe(422);
  });

  it("reads phone numbers in common formats and stores E.164", async () => {
    const expectedPhones = {
      "0532 123 45 67": "+905321234567",
      "5321234567": "+905321234567",
      "(0532) 123-45-67": "+905321234567",
      "+90 532 123 45 67": "+905321234567",
      "00905321234567": "+905321234567",
      "+44 20 7946 0958": "+442079460958",
      "٠٥٣٢١٢٣٤٥٦٧": "+905321234567",
      "+1234567890": "+1234567890",
      "555-1234": "555-1234",
      "12345": "12345",
      "+999123456789": "+999123456789",
    };
    for (const [phone, expectedPhone] of Object.entries(expectedPhones)) {
      const { json, status } = await register({ phone });
      expect(status, phone).toBe(201);
      expect((await prisma().user.findUniqueOrThrow({ where: { id: json.user.id } })).phone).toBe(
        expectedPhone,
      );
    }
    for (const phone of [
      "1234",
      "abc",
      "+",
      "0532 123 45 67 x",
      "<script>",
      "1".repeat(33),
      "555\n1234",
      null,
    ])
      expect(Object.keys((await register({ phone })).json.errors), String(phone)).toEqual(["phone"]);
  });

  it("is limited to five per client in half an hour", async () => {
    const ip = createIpAddress();
    const remainingPoints: unknown[] = [];
    for (let index = 0; index < 5; index++) {
      const { status, headers } = await post("/api/auth/register", buildRegistrationBody(), { ip });
      expect(status).toBe(201);
      remainingPoints.push(headers["x-ratelimit-remaining"]);
    }
    expect(remainingPoints).toEqual(["4", "3", "2", "1", "0"]);
    const { status, text: body, headers } = await post("/api/auth/register", buildRegistrationBody(), { ip });
    expect({ status, body }).toEqual({ status: 429, body: '{"message":"Too Many Attempts."}' });
    expect(Number(headers["retry-after"])).toBeGreaterThan(1700);
    expect(headers["x-ratelimit-remaining"]).toBe("0");
    expect(Number(headers["x-ratelimit-reset"])).toBeGreaterThan(Date.now() / 1000);
  });
});

describe("the limit of registrations", () => {
  it("does not count mistakes, but counts responses that reveal something about others", async () => {
    const ip = createIpAddress();
    const { email } = await makeUser();
    const attempts: Array<[Record<string, unknown>, string]> = [
      [{ password_confirmation: "something else" }, "5"],
      [{ phone: "none" }, "5"],
      [{ password: "password1", password_confirmation: "password1" }, "5"],
      [{ consents: {} }, "5"],
      [{ email }, "4"],
      [{ referral_code: "NOBODYS" }, "3"],
      [{ email: "a@mailinator.com" }, "2"],
    ];
    for (const [changes, remainingPoints] of attempts) {
      const { status, headers } = await post("/api/auth/register", buildRegistrationBody(changes), { ip });
      expect(status, JSON.stringify(changes)).toBe(422);
      expect(headers["x-ratelimit-remaining"], JSON.stringify(changes)).toEqual(remainingPoints);
    }
    const malformedResponse = await post("/api/auth/register", undefined, { ip, raw: "{" });
    expect(malformedResponse).toMatchObject({ status: 400, headers: { "x-ratelimit-remaining": "2" } });
  });

  it("counts mistakes against the limit of all operations", async () => {
    const ip = createIpAddress();
    const responses = [];
    for (let count = 0; count < 605; count++) responses.push(await post("/api/auth/register", {}, { ip }));
    // 600 is the limit of DEFAULT_LIMIT.
    expect(countByStatus(responses)).toEqual({ 422: 600, 429: 5 });
    expect((await call("GET", "/api/i18n/meta", { ip })).status, "its own limit").toBe(200);
    expect((await call("GET", "/api/health", { ip })).status, "the shared one").toBe(429);
  });
});

describe("an e-mail address", () => {
  it("opens one account in a burst of 50 spellings", async () => {
    const rowCountsBefore = await countRows();
    const mixCase = (index: number) =>
      [..."one.person@example.com"].map((c, at) => ((index >> (at % 6)) & 1 ? c.toUpperCase() : c)).join("");
    const responses = await runConcurrently(50, (index) => register({ email: mixCase(index) }));
    expect(countByStatus(responses)).toEqual({ 201: 1, 422: 49 });
    const rowCountsAfter = await countRows();
    expect(rowCountsAfter.users).toBe(rowCountsBefore.users! + 1);
    expect(rowCountsAfter.credit_entries).toBe(rowCountsBefore.credit_entries! + 1);
    expect(rowCountsAfter.consent_records).toBe(rowCountsBefore.consent_records! + 7);
    expect(rowCountsAfter.mail_messages).toBe(rowCountsBefore.mail_messages! + 1);
    expect(rowCountsAfter.access_tokens).toBe(rowCountsBefore.access_tokens! + 1);
  });

  it("is refused in every equivalent spelling of a taken one, and when invalid", async () => {
    expect((await register({ email: "victim@example.com" })).status).toBe(201);
    const rowCountsBefore = await countRows();
    const spellings = [
      "VICTIM@EXAMPLE.COM",
      " victim@example.com\t",
      "ｖｉｃｔｉｍ@example.com",
      "victim＠example.com",
      "victim@ｅxample.com",
      "victim@example。com",
      "victim@exam\u00adple.com",
      "victim@example.com.",
      "victim@example.com/evil",
      "victim@example.com?x",
      "victim@example.com#x",
      "victim@%65xample.com",
      "victim@example.com:25",
      "victim@example.com\\x",
      "victim@example.com,evil@example.com",
      "victim@example.com;evil@example.com",
      "victim@example.com evil@example.com",
      "evil@evil.com＠example.com",
      "victim@evil.com@example.com",
      '"victim"@example.com',
      "victim(x)@example.com",
      "<victim@example.com>",
      "Victim <victim@example.com>",
      "mailto:victim@example.com",
      "victim@example.com\r\nBcc: evil@example.com",
      "victim@example.com\u0000",
      "vic\u202etim@example.com",
      "victim@\u2066example.com",
      "victim\ud800@example.com",
      "victim@[127.0.0.1]",
      "victim@127.0.0.1",
      "victim@2130706433",
      "victim@localhost",
      "victim@example",
      "victim@.example.com",
      "victim@example..com",
      "victim@-example.com",
      "victim@exam_ple.com",
      ".victim@example.com",
      "victim.@example.com",
      "vic..tim@example.com",
      "victim @example.com",
      "victim@ example.com",
      "@example.com",
      "victim@",
      "victim",
      `${"v".repeat(65)}@example.com`,
      `victim@${"e".repeat(64)}.com`,
      `victim@${"e.".repeat(126)}com`,
      "victim@example.c",
    ];
    for (const email of spellings) {
      const { status, json } = await register({ email });
      expect(status, email).toBe(422);
      expect(Object.keys(json.errors ?? {}), email).toEqual(["email"]);
    }
    expect(await countRows()).toEqual(rowCountsBefore);
    const internationalResponse = await register({ email: "kişi@kahve.example.com" });
    expect(internationalResponse.status).toBe(201);
  });
});

describe("the spam guard", () => {
  const isRefused = (status: number) => status === 422;

  it("refuses bots, disposable addresses and domains without mail with the same text", async () => {
    dns.zones.set("tellal-null-mx.com", { mx: ["."] });
    const responses = [
      await register({ company_fax: "+90 212" }),
      await register({ email: "a@mailinator.com" }),
      await register({ email: "a@x.mailinator.com" }),
      await register({ email: "a@tellal-null-mx.com" }),
      await register({ email: "a@tellal-unknown.com" }),
      await register({ email: "a@something.invalid" }),
      await register({ email: "a@something.nosuchsuffix" }),
      await register({ email: "a@co.uk" }),
    ];
    for (const { status, json } of responses) {
      expect(isRefused(status)).toBe(true);
      expect(json).toEqual({ success: false, error: formatText("tr", "errors.sign_up_refused") });
    }
  });

  it("accepts domains with mail, and every domain when DNS fails", async () => {
    dns.zones.set("tellal-mail.com", { mx: ["mx1.tellal-mail.com", "mx2.tellal-mail.com"] });
    dns.zones.set("tellal-nodata.com", "nodata");
    dns.zones.set("tellal-servfail.com", "servfail");
    for (const name of ["mail", "nodata", "servfail"])
      expect((await register({ email: `a@tellal-${name}.com` })).status, name).toBe(201);
    expect(dns.queries).toContain("tellal-mail.com");
  });

  it("accepts a domain when DNS is silent for two seconds, or denies every name as in a closed network", async () => {
    dns.zones.set("tellal-silent.com", "silent");
    const startedAt = performance.now();
    expect((await register({ email: "a@tellal-silent.com" })).status).toBe(201);
    const seconds = (performance.now() - startedAt) / 1000;
    expect(seconds).toBeGreaterThan(1.5);
    expect(seconds).toBeLessThan(30);
    dns.zones.set("com", "nxdomain");
    expect((await register({ email: "a@tellal-closed.com" })).status).toBe(201);
    dns.zones.set("com", "silent");
    expect((await register({ email: "b@tellal-closed.com" })).status).toBe(201);
  });
});
