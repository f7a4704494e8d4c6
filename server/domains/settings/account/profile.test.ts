import { ulid } from "ulid";
import { describe, expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { renderStoredMail } from "@/server/infrastructure/mail/outbox";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeSignedInUser, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { createIpAddress } from "@/server/testing/http";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { buildRegistrationBody } from "@/server/testing/requests";
import { makeTotpFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";

const { get, post, call, runJobs } = await startTestServer();

const PASSWORD = "correct-horse";
const NEW_PASSWORD = "battery-staple-9";
const ROUTES = [
  { path: "/api/user", field: "password" },
  { path: "/api/auth/profile", field: "new_password" },
] as const;

const put = (path: string, token: string, body: unknown, ip?: string) =>
  call("PUT", path, { token, body, ip });
const readUser = (id: number) => prisma().user.findUniqueOrThrow({ where: { id } });
async function changeVerifiedEmail(token: string, email: string): Promise<void> {
  expect((await put("/api/user", token, { email })).status).toBe(200);
  const linkToken = readLinkToken((await readMailsTo(email, "verify_email"))[0]);
  expect((await post("/api/auth/verify-email", { token: linkToken })).status).toBe(200);
}
const makePasskey = (userId: number, { deviceName, createdAt }: { deviceName: string; createdAt?: Date }) =>
  prisma().passkey.create({
    data: {
      id: ulid(),
      userId,
      credentialId: createToken("dsu"),
      publicKey: new Uint8Array(1),
      deviceName,
      createdAt,
      aaguid: "",
      backupEligible: false,
      backedUp: false,
    },
  });
const signIn = (email: string, password = PASSWORD) => post("/api/auth/login", { email, password });
const readMailsTo = async (address: string, template?: string) => {
  const rows = await prisma().mailMessage.findMany({
    where: { toAddress: address, template },
    orderBy: { id: "asc" },
  });
  return rows.map((row) => ({ template: row.template, ...renderStoredMail(row.sealed) }));
};
const readLinkToken = (mail: { text: string } | undefined) => /token=(\w+)/.exec(mail?.text ?? "")?.[1] ?? "";
let addressCount = 0;
const buildNewEmail = () => `fresh.${process.pid}.${addressCount++}@example.com`;

describe("profile operations", () => {
  it("have the documented shapes, and change nothing for an empty body", async () => {
    const { id, token, email } = await makeSignedInUser();
    const userResponse = await put("/api/user", token, {});
    expect(userResponse.status).toBe(200);
    expect(Object.keys(userResponse.json)).toEqual(["success", "user", "message"]);
    const profileResponse = await put("/api/auth/profile", token, {});
    expect(profileResponse.json).toEqual({
      success: true,
      user: { id, name: "Ayşe Kaya", email, phone: "+905321234567" },
      message: expect.any(String),
    });
    for (const { path } of ROUTES)
      expect((await put(path, token, { name: "", email: null, phone: "  " })).status).toBe(200);
    expect(await readUser(id)).toMatchObject({ name: "Ayşe Kaya", email, phone: "+905321234567" });
    expect(await prisma().auditEvent.count({ where: { actorId: id } })).toBe(0);
  });

  it("count only the account's own usage of the current month", async () => {
    const [{ id, token }, other] = [await makeSignedInUser(), await makeSignedInUser()];
    const getMonthStart = (monthsAgo: number) => {
      const now = new Date();
      return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo));
    };
    const makeUsageRow = (userId: number, monthsAgo: number, aiCalls: number) => ({
      userId,
      month: getMonthStart(monthsAgo),
      aiCalls,
    });
    await prisma().usageMonth.createMany({ data: [makeUsageRow(id, 1, 100), makeUsageRow(other.id, 0, 30)] });
    expect((await get("/api/auth/user", token)).json.usage.ai_calls).toBe(0);
    await prisma().usageMonth.create({ data: makeUsageRow(id, 0, 7) });
    expect((await get("/api/auth/user", token)).json.usage.ai_calls).toBe(7);
  });

  it.each(ROUTES)("change the name at $path", async ({ path }) => {
    const { id, token } = await makeSignedInUser();
    expect((await put(path, token, { name: "  Işıl Çağlar " })).json.user.name).toBe("Işıl Çağlar");
    expect((await readUser(id)).name).toBe("Işıl Çağlar");
    for (const name of ["x".repeat(256), "a\u202eb", "a\nb"])
      expect(Object.keys((await put(path, token, { name })).json.errors)).toEqual(["name"]);
    expect((await put(path, token, { name: "x".repeat(255) })).status).toBe(200);
  });

  it("store phone numbers as E.164, and accept all IANA time zones", async () => {
    const { id, token, email } = await makeSignedInUser();
    await prisma().factor.create({ data: { userId: id, kind: "sms", confirmedAt: new Date() } });
    const countSmsFactors = () => prisma().factor.count({ where: { userId: id } });
    const sameNumberResponse = await put("/api/auth/profile", token, {
      phone: "0532 123 45 67",
      timezone: "Europe/Berlin",
    });
    expect(sameNumberResponse.json.user.phone).toBe("+905321234567");
    expect(await countSmsFactors(), "the number is the same").toBe(1);
    const unprovenResponse = await put("/api/auth/profile", token, { phone: "+49 30 901820" });
    expect(unprovenResponse).toMatchObject({ status: 403, json: { requires_identity: true } });
    await prisma().accessToken.updateMany({ where: { userId: id }, data: { provenAt: new Date() } });
    await put("/api/auth/profile", token, { phone: "+49 30 901820" });
    expect(await readUser(id)).toMatchObject({ phone: "+4930901820", timezone: "Europe/Berlin" });
    expect(await countSmsFactors(), "codes by SMS went to the old number").toBe(0);
    expect(await readMailsTo(email, "two_factor_removed")).toHaveLength(1);
    for (const timezone of ["Mars/Olympus", "+03:00", "Europe", "x"]) {
      const { status, json } = await put("/api/auth/profile", token, { timezone, name: "Nobody" });
      expect(status).toBe(422);
      expect(Object.keys(json.errors)).toEqual(["timezone"]);
    }
    expect((await put("/api/auth/profile", token, { phone: "12" })).json.errors).toHaveProperty("phone");
    expect((await readUser(id)).name, "nothing is saved").toBe("Ayşe Kaya");
    await put("/api/auth/profile", token, { timezone: null });
    expect((await readUser(id)).timezone).toBeNull();
  });

  it("keep concurrent changes of different fields", async () => {
    for (let round = 0; round < 5; round++) {
      const { id, token } = await makeSignedInUser();
      const partialChanges = [{ phone: "+4930901820" }, { timezone: "Europe/Berlin" }, { name: "Deniz" }];
      await runConcurrently(12, (index) => put("/api/auth/profile", token, partialChanges[index % 3]));
      expect(await readUser(id)).toMatchObject(Object.assign({}, ...partialChanges));
    }
  });

  it("need the ability to write the profile", async () => {
    const { id } = await makeSignedInUser();
    const readOnlyToken = await makeToken(id, { abilities: ["read"] });
    for (const { path } of ROUTES) expect((await put(path, readOnlyToken, { name: "x" })).status).toBe(403);
  });
});

const READ_ONLY_FIELDS: Record<string, unknown> = {
  id: 1,
  role: "admin",
  credits: 999_999,
  is_active: false,
  isActive: false,
  reseller_id: 1,
  resellerId: 1,
  parent_user_id: 1,
  parentUserId: 1,
  email_verified_at: "2020-01-01T00:00:00.000000Z",
  emailVerifiedAt: "2020-01-01T00:00:00.000Z",
  allowed_modules: [],
  allowedModules: [],
  assigned_site_id: 1,
  is_agent_only: true,
  isAgentOnly: true,
  provider: "google",
  user_id: 1,
  subscription_id: 1,
  created_at: "2020-01-01T00:00:00.000000Z",
  updated_at: "2020-01-01T00:00:00.000000Z",
  anonymised_at: "2020-01-01T00:00:00.000000Z",
  email_key: "x@example.com",
  password_hash: "x",
  passwordHash: "x",
  avatar_url: "https://example.com/x.png",
  app_name: "X",
  app_logo_url: "https://example.com/x.png",
  app_primary_color: "#000000",
  menu_labels: { dashboard: "X" },
  locale: "de",
};

it.each(ROUTES)("ignores read-only fields at $path", async ({ path }) => {
  expect(Object.keys(READ_ONLY_FIELDS).length).toBeGreaterThanOrEqual(25);
  const { id, token } = await makeSignedInUser({ locale: "tr" });
  const { updatedAt: _, ...userBefore } = await readUser(id);
  for (const [field, value] of [...Object.entries(READ_ONLY_FIELDS), ["all", READ_ONLY_FIELDS]] as const) {
    const body = field === "all" ? READ_ONLY_FIELDS : { [field]: value };
    expect((await put(path, token, { name: userBefore.name, ...(body as object) })).status, field).toBe(200);
    const { updatedAt: __, ...userAfter } = await readUser(id);
    expect(userAfter, field).toEqual(userBefore);
  }
});

describe.each(ROUTES)("the password at $path", ({ path, field }) => {
  it("checks the current password whenever it is sent, except for API keys", async () => {
    const { id, token } = await makeSignedInUser({ password: PASSWORD });
    const wrongPasswordResponse = await put(path, token, { current_password: "bad", name: "Neu" });
    expect(wrongPasswordResponse.status).toBe(422);
    expect(Object.keys(wrongPasswordResponse.json)).toEqual(["success", "error"]);
    expect((await readUser(id)).name).not.toBe("Neu");
    expect((await put(path, token, { current_password: PASSWORD, name: "Neu" })).status).toBe(200);
    const apiKey = await makeToken(id, { kind: "api_key" });
    expect((await put(path, apiKey, { current_password: "bad", name: "Anahtar" })).status).toBe(200);
  });

  const changePassword = (
    token: string,
    current_password: unknown,
    password: string,
    extraFields: object = {},
  ) => put(path, token, { current_password, [field]: password, ...extraFields });

  it("changes with the current password, and revokes all other tokens", async () => {
    const { id, email, token } = await makeSignedInUser();
    const otherTokens = [await makeToken(id), await makeToken(id)];
    await prisma().accessToken.updateMany({
      where: { tokenHash: Uint8Array.from(hashSecret(otherTokens[1]!)) },
      data: { kind: "api_key" },
    });
    await post("/api/auth/forgot-password", { email });
    const expiresAt = new Date(Date.now() + 60_000);
    const makeSecretHash = () => Uint8Array.from(hashSecret(createToken("dst")));
    await prisma().passwordReset.create({
      data: { userId: id, emailKey: email, tokenHash: makeSecretHash(), expiresAt },
    });
    await prisma().interimToken.create({ data: { userId: id, tokenHash: makeSecretHash(), expiresAt } });
    await prisma().trustedDevice.create({ data: { userId: id, tokenHash: makeSecretHash(), expiresAt } });
    const { status, json } = await changePassword(token, PASSWORD, NEW_PASSWORD);
    expect({ status, success: json.success }).toEqual({ status: 200, success: true });
    expect((await get("/api/user", token)).status).toBe(200);
    for (const other of otherTokens) expect((await get("/api/user", other)).status).toBe(401);
    const where = { userId: id };
    expect([
      await prisma().accessToken.count({ where }),
      await prisma().passwordReset.count({ where }),
      await prisma().interimToken.count({ where }),
      await prisma().trustedDevice.count({ where }),
    ]).toEqual([1, 0, 0, 0]);
    expect((await signIn(email)).status).toBe(401);
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200);
    expect(await readMailsTo(email, "password_changed")).toHaveLength(1);
    const passwordState = await get("/api/profile/password", token);
    expect(passwordState.json).toEqual({ success: true, has_password: true, changed_at: expect.any(String) });
  });

  it("does not change without the current password or with a wrong one", async () => {
    const { id, token } = await makeSignedInUser();
    const userBefore = await readUser(id);
    for (const missingPassword of [undefined, null, ""]) {
      const { status, json } = await changePassword(token, missingPassword, NEW_PASSWORD, { name: "X" });
      expect(status).toBe(422);
      expect(Object.keys(json.errors)).toEqual(["current_password"]);
    }
    const { status, json } = await changePassword(token, "not-the-password", NEW_PASSWORD, {
      name: "X",
      email: buildNewEmail(),
    });
    expect({ status, json }).toEqual({ status: 422, json: { success: false, error: expect.any(String) } });
    expect(await readUser(id)).toEqual(userBefore);
    expect((await get("/api/profile/password", token)).json).toMatchObject({ changed_at: null });
  });

  it("allows five wrong attempts, even in a burst", async () => {
    const { id, token } = await makeSignedInUser();
    const responses = await runConcurrently(50, () =>
      changePassword(token, "not-the-password", NEW_PASSWORD),
    );
    expect(countByStatus(responses)).toEqual({ 422: 5, 429: 45 });
    const limitedResponse = await changePassword(token, PASSWORD, NEW_PASSWORD);
    expect(limitedResponse).toMatchObject({ status: 429, text: '{"message":"Too Many Attempts."}' });
    await resetRateLimits();
    expect((await changePassword(token, PASSWORD, NEW_PASSWORD)).status).toBe(200);
    expect(await prisma().auditEvent.count({ where: { actorId: id, action: "password.changed" } })).toBe(1);
  });

  it("must be a valid new password", async () => {
    const { token, email } = await makeSignedInUser();
    const weakPasswords = [
      "short",
      "password123",
      "Galatasaray1905",
      "aaaaaaaa",
      email,
      email.toUpperCase(),
      "a\u0000bcdefgh",
    ];
    for (const password of weakPasswords) {
      const { status, json } = await changePassword(token, PASSWORD, password);
      expect(status, password).toBe(422);
      expect(Object.keys(json.errors), password).toEqual([field]);
      await resetRateLimits();
    }
    const newEmail = buildNewEmail();
    expect((await changePassword(token, PASSWORD, newEmail, { email: newEmail })).json.errors).toHaveProperty(
      field,
    );
    expect((await changePassword(token, PASSWORD, " ünïcode 😀 and spaces ")).status).toBe(200);
    expect((await signIn(email, " ünïcode 😀 and spaces ")).status).toBe(200);
    expect((await signIn(email, "ünïcode 😀 and spaces")).status).toBe(401);
  });

  it("can be set by an account without one after a recent proof of identity", async () => {
    const { id, token, email } = await makeSignedInUser();
    await prisma().user.update({ where: { id }, data: { passwordHash: null } });
    expect((await get("/api/profile/password", token)).json).toMatchObject({ has_password: false });
    const unprovenChange = await changePassword(token, undefined, NEW_PASSWORD);
    expect(unprovenChange).toMatchObject({ status: 403, json: { requires_identity: true } });
    await prisma().accessToken.updateMany({ where: { userId: id }, data: { provenAt: new Date() } });
    expect((await changePassword(token, undefined, NEW_PASSWORD)).status).toBe(200);
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200);
  });

  it("changes once in a burst with the current password", async () => {
    const { id, token } = await makeSignedInUser();
    const responses = await runConcurrently(5, (index) =>
      changePassword(token, PASSWORD, `${NEW_PASSWORD}-${index}`),
    );
    expect(countByStatus(responses)[200]).toBe(1);
    expect(await prisma().auditEvent.count({ where: { actorId: id, action: "password.changed" } })).toBe(1);
  });
});

it("requires a password confirmation to match, if it is sent", async () => {
  const { token } = await makeSignedInUser();
  const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
  const mismatchResponse = await put("/api/auth/profile", token, {
    ...body,
    new_password_confirmation: `${NEW_PASSWORD}x`,
  });
  expect(mismatchResponse.status).toBe(422);
  expect(Object.keys(mismatchResponse.json.errors)).toEqual(["new_password_confirmation"]);
  expect(
    (await put("/api/auth/profile", token, { ...body, new_password_confirmation: NEW_PASSWORD })).status,
  ).toBe(200);
  const oldPasswordBody = { current_password: NEW_PASSWORD, new_password: PASSWORD };
  expect((await put("/api/auth/profile", token, oldPasswordBody)).status).toBe(200);
});

describe.each(ROUTES)("the address at $path", ({ path }) => {
  it("is shown immediately, takes effect when verified, and can be undone from the old address", async () => {
    const { id, token, email, emailVerifiedAt } = await makeSignedInUser();
    const newEmail = buildNewEmail();
    const { status, json } = await put(path, token, {
      email: newEmail,
      email_verified_at: "2020-01-01T00:00:00.000000Z",
    });
    expect({ status, email: json.user.email }).toEqual({ status: 200, email: newEmail });
    for (const profilePath of ["/api/user", "/api/auth/user"]) {
      const { user } = (await get(profilePath, token)).json;
      expect({ email: user.email, email_verified_at: user.email_verified_at }).toEqual({
        email: newEmail,
        email_verified_at: null,
      });
    }
    expect(await readUser(id)).toMatchObject({
      email,
      emailKey: email,
      emailVerifiedAt,
      pendingEmail: newEmail,
    });
    expect((await signIn(newEmail)).status, "not verified yet").toBe(401);
    expect((await signIn(email)).status).toBe(200);
    expect(await readMailsTo(email, "email_changed"), "the old address gets no mail yet").toEqual([]);

    const verifyToken = readLinkToken((await readMailsTo(newEmail, "verify_email"))[0]);
    for (const method of ["GET", "HEAD", "GET"] as const)
      expect((await call(method, `/api/auth/verify-email?token=${verifyToken}`)).status).toBe(405);
    const verifyResponses = await runConcurrently(20, () =>
      post("/api/auth/verify-email", { token: verifyToken }),
    );
    expect(countByStatus(verifyResponses)).toEqual({ 200: 1, 400: 19 });
    expect(await readUser(id)).toMatchObject({ email: newEmail, emailKey: newEmail, pendingEmail: null });
    expect((await get("/api/user", token)).json.user.email_verified_at).not.toBeNull();
    expect((await signIn(newEmail)).status).toBe(200);
    const [notice] = await readMailsTo(email, "email_changed");
    expect(notice!.text).toContain(newEmail);

    const undoToken = readLinkToken(notice);
    for (const method of ["GET", "HEAD"] as const)
      expect((await call(method, `/api/auth/undo-email-change?token=${undoToken}`)).status).toBe(405);
    const undoResponses = await runConcurrently(20, () =>
      post("/api/auth/undo-email-change", { token: undoToken }),
    );
    expect(countByStatus(undoResponses)).toEqual({ 200: 1, 400: 19 });
    expect(await readUser(id)).toMatchObject({ email, emailKey: email, emailVerifiedAt, passwordHash: null });
    expect((await get("/api/user", token)).status, "every session ended").toBe(401);
    expect((await readMailsTo(email)).map(({ template }) => template)).toContain("email_change_undone");
  });

  it("can be verified by the mailed code, and by a mail sent again", async () => {
    const { id, token } = await makeSignedInUser();
    const newEmail = buildNewEmail();
    await put(path, token, { email: newEmail });
    await post("/api/auth/resend-verification", { email: newEmail });
    await runJobs();
    const repeatedMail = (await readMailsTo(newEmail, "verify_email")).at(-1);
    const code = /\b\d{6}\b/.exec(repeatedMail!.text)![0];
    expect((await post("/api/auth/verify-email", { email: newEmail, code })).status).toBe(200);
    expect((await readUser(id)).email).toBe(newEmail);
  });

  it("is no longer pending once the old address is entered again", async () => {
    const { id, token, email, emailVerifiedAt } = await makeSignedInUser();
    const newEmail = buildNewEmail();
    await put(path, token, { email: newEmail });
    expect((await put(path, token, { email })).json.user.email).toBe(email);
    expect(await readUser(id)).toMatchObject({ email, emailVerifiedAt, pendingEmail: null });
    const verifyToken = readLinkToken((await readMailsTo(newEmail, "verify_email"))[0]);
    expect((await post("/api/auth/verify-email", { token: verifyToken })).status).toBe(400);
  });

  it("needs a recent proof with a second factor or passkey", async () => {
    const { id, token } = await makeSignedInUser();
    await makeTotpFactor(id);
    const unprovenChange = await put(path, token, { email: buildNewEmail() });
    expect(unprovenChange).toMatchObject({ status: 403, json: { requires_identity: true } });
    await prisma().accessToken.updateMany({ where: { userId: id }, data: { provenAt: new Date() } });
    expect((await put(path, token, { email: buildNewEmail() })).status).toBe(200);
  });

  it("stays verified when only the spelling changes", async () => {
    const { id, token, email, emailVerifiedAt } = await makeSignedInUser();
    const respelledEmail = email.replace("person", "PERSON");
    expect((await put(path, token, { email: respelledEmail })).json.user.email).toBe(respelledEmail);
    expect(await readUser(id)).toMatchObject({ email: respelledEmail, emailKey: email, emailVerifiedAt });
    expect(await readMailsTo(email)).toEqual([]);
    expect(await readMailsTo(respelledEmail)).toEqual([]);
    expect((await signIn(email)).status).toBe(200);
  });

  it("is rejected when taken, after all other checks, at most five times per account and IP address", async () => {
    const takenAddress = (await makeUser()).email;
    const { id, token } = await makeSignedInUser();
    const ip = createIpAddress();
    const firstResponse = await put(path, token, { email: takenAddress, name: "X" }, ip);
    expect(firstResponse.status).toBe(422);
    expect(Object.keys(firstResponse.json.errors)).toEqual(["email"]);
    expect((await readUser(id)).name).toBe("Ayşe Kaya");
    const otherResponse = await put(path, token, {
      email: takenAddress.toUpperCase(),
      phone: "12",
      current_password: null,
    });
    expect(Object.keys(otherResponse.json.errors)).toEqual([path === "/api/user" ? "email" : "phone"]);
    const responses = await runConcurrently(20, () => put(path, token, { email: takenAddress }));
    expect(Object.keys(countByStatus(responses))).toEqual(["422", "429"]);
    // Two of five attempts were used by /api/user above; /api/auth/profile one, because the phone failed first.
    const expectedRejections = path === "/api/user" ? 3 : 4;
    expect(countByStatus(responses)[422]).toBe(expectedRejections);
    expect((await put(path, token, { email: buildNewEmail() })).status, "also for a free one").toBe(429);
    expect((await put(path, token, { name: "Y" })).status).toBe(200);

    const otherUsers = await Promise.all(Array.from({ length: 10 }, () => makeSignedInUser()));
    const probeResponses = await runConcurrently(10, (index) =>
      put(path, otherUsers[index]!.token, { email: takenAddress }, ip),
    );
    // The IP address has used one of five attempts above.
    expect(countByStatus(probeResponses)).toEqual({ 422: 4, 429: 6 });
  });
});

describe("a change of address", () => {
  it("does not reserve the address until it is verified; then the other requesters are notified", async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => makeSignedInUser()));
    const requestedAddress = buildNewEmail();
    const responses = await runConcurrently(4, (index) =>
      put(ROUTES[index % 2]!.path, people[index]!.token, { email: requestedAddress }),
    );
    expect(countByStatus(responses)).toEqual({ 200: 4 });
    const linkTokens = (await readMailsTo(requestedAddress, "verify_email")).map(readLinkToken);
    expect(linkTokens).toHaveLength(4);
    const verifyResponses = await runConcurrently(4, (index) =>
      post("/api/auth/verify-email", { token: linkTokens[index] }),
    );
    expect(countByStatus(verifyResponses)).toEqual({ 200: 1, 400: 3 });
    const rows = await Promise.all(people.map(({ id }) => readUser(id)));
    expect(rows.filter(({ emailKey }) => emailKey === requestedAddress)).toHaveLength(1);
    expect(rows.filter(({ pendingEmail }) => pendingEmail !== null)).toEqual([]);
    const notices = await Promise.all(people.map(({ email }) => readMailsTo(email, "email_change_ended")));
    expect(notices.flat()).toHaveLength(3);
  });

  it("and a registration with the same address can be verified concurrently: one of them gets it", async () => {
    for (let round = 0; round < 10; round++) {
      const pendingUser = await makeSignedInUser();
      const requestedAddress = buildNewEmail();
      await put("/api/user", pendingUser.token, { email: requestedAddress }, createIpAddress());
      const { json } = await post("/api/auth/register", buildRegistrationBody({ email: requestedAddress }));
      const linkTokens = (await readMailsTo(requestedAddress, "verify_email")).map(readLinkToken);
      const verifyResponses = await runConcurrently(2, (index) =>
        post("/api/auth/verify-email", { token: linkTokens[index] }),
      );
      const statuses = verifyResponses.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect([400, 422]).toContain(statuses.find((status) => status !== 200));
      const { emailVerifiedAt } = await readUser(json.user.id);
      expect(emailVerifiedAt).not.toBe(null);
      expect(await readUser(pendingUser.id)).toMatchObject({ pendingEmail: null, email: pendingUser.email });
    }
  });

  it("leaves one audit entry, however it ends", async () => {
    const admin = await makeUser({ role: "admin" });
    type Person = Awaited<ReturnType<typeof makeSignedInUser>>;
    const findSession = ({ id }: Person) =>
      prisma().accessToken.findFirstOrThrow({ where: { userId: id }, orderBy: { id: "asc" } });
    const makeOtherToken = ({ id }: Person) => makeToken(id, { provenAt: new Date() });
    const endings: Record<string, (person: Person, requestedAddress: string) => Promise<{ status: number }>> =
      {
        "the session ended elsewhere": async (person) =>
          call("DELETE", `/api/profile/sessions/${(await findSession(person)).id}`, {
            token: await makeOtherToken(person),
          }),
        "all other sessions ended": async (person) =>
          call("DELETE", "/api/profile/sessions", { token: await makeOtherToken(person) }),
        "another password": async (person) =>
          put("/api/user", await makeOtherToken(person), {
            current_password: PASSWORD,
            password: NEW_PASSWORD,
          }),
        "a reset": async ({ email }) => {
          await post("/api/auth/forgot-password", { email }, { ip: createIpAddress() });
          await runJobs();
          const token = readLinkToken((await readMailsTo(email, "reset_password"))[0]);
          return post("/api/auth/reset-password", {
            token,
            email,
            password: NEW_PASSWORD,
            password_confirmation: NEW_PASSWORD,
          });
        },
        "another role": async ({ id, email }) =>
          call("PUT", `/api/admin/users/${id}/role`, {
            token: await makeToken(admin.id, { provenAt: new Date() }),
            body: { role: "admin", reason: "A good reason", email },
          }),
        "the old address": async ({ token, email }) => put("/api/user", token, { email }),
        "another account verifies the address": async (_, requestedAddress) => {
          const rival = await makeSignedInUser();
          await put("/api/user", rival.token, { email: requestedAddress });
          const linkToken = readLinkToken((await readMailsTo(requestedAddress, "verify_email")).at(-1));
          return post("/api/auth/verify-email", { token: linkToken });
        },
      };
    for (const [ending, endChange] of Object.entries(endings)) {
      const person = await makeSignedInUser();
      const requestedAddress = buildNewEmail();
      await put("/api/user", person.token, { email: requestedAddress }, createIpAddress());
      const countEndedChanges = () =>
        prisma().auditEvent.count({
          where: { action: "profile.email_change_ended", objectType: "User", objectId: String(person.id) },
        });
      expect(await countEndedChanges(), ending).toBe(0);
      expect((await endChange(person, requestedAddress)).status, ending).toBe(200);
      expect(await countEndedChanges(), ending).toBe(1);
      expect((await readUser(person.id)).pendingEmail, ending).toBe(null);
    }
  });

  it("is cancelled with an audit entry when an earlier one is undone", async () => {
    const { id, token, email } = await makeSignedInUser();
    await changeVerifiedEmail(token, buildNewEmail());
    const undoToken = readLinkToken((await readMailsTo(email, "email_changed"))[0]);
    await put("/api/user", token, { email: buildNewEmail() });
    expect((await post("/api/auth/undo-email-change", { token: undoToken })).status).toBe(200);
    const where = { action: "profile.email_change_ended", objectId: String(id) };
    expect((await readUser(id)).pendingEmail).toBe(null);
    expect(await prisma().auditEvent.count({ where })).toBe(1);
  });

  it("does not block a registration by the owner of the address, and then fails", async () => {
    const { id, token, email } = await makeSignedInUser();
    const requestedAddress = buildNewEmail();
    await put("/api/user", token, { email: requestedAddress });
    const linkToken = readLinkToken((await readMailsTo(requestedAddress, "verify_email"))[0]);
    expect(
      (await post("/api/auth/register", buildRegistrationBody({ email: requestedAddress }))).status,
    ).toBe(201);
    const lateResponse = await post("/api/auth/verify-email", { token: linkToken });
    expect(lateResponse.status).toBe(422);
    expect(Object.keys(lateResponse.json.errors)).toEqual(["email"]);
    expect(await readUser(id)).toMatchObject({ email, pendingEmail: requestedAddress });
    const other = await makeSignedInUser();
    expect((await put("/api/user", other.token, { email: requestedAddress })).status, "taken by now").toBe(
      422,
    );
  });

  it("can be undone by the owner after further changes by an attacker", async () => {
    const { id, token, email } = await makeSignedInUser();
    const [secondEmail, thirdEmail] = [buildNewEmail(), buildNewEmail()];
    await changeVerifiedEmail(token, secondEmail);
    const ownerUndoToken = readLinkToken((await readMailsTo(email, "email_changed"))[0]);
    await changeVerifiedEmail(token, thirdEmail);
    const attackerUndoToken = readLinkToken((await readMailsTo(secondEmail, "email_changed"))[0]);
    // The previous address is reserved: neither a registration nor a change can take it.
    const registerResponse = await post(
      "/api/auth/register",
      buildRegistrationBody({ email: email.toUpperCase() }),
    );
    expect(registerResponse.status).toBe(422);
    expect(Object.keys(registerResponse.json.errors)).toEqual(["email"]);
    const other = await makeSignedInUser();
    expect((await put("/api/user", other.token, { email })).status).toBe(422);
    expect(await prisma().user.count({ where: { emailKey: email } })).toBe(0);

    expect((await post("/api/auth/undo-email-change", { token: ownerUndoToken })).status).toBe(200);
    expect((await readUser(id)).email).toBe(email);
    expect(
      (await post("/api/auth/undo-email-change", { token: attackerUndoToken })).status,
      "a later undo link is void",
    ).toBe(400);
    expect((await readUser(id)).email).toBe(email);
  });

  it("removes an attacker's sign-in methods when it is undone, and keeps the owner's", async () => {
    const { id, token, email } = await makeSignedInUser();
    await makePasskey(id, { deviceName: "Of the owner", createdAt: fromNow(-4 * DAY) });
    await prisma().accessToken.updateMany({ where: { userId: id }, data: { provenAt: new Date() } });
    await changeVerifiedEmail(token, buildNewEmail());
    await makePasskey(id, { deviceName: "Of the thief" });
    await makeTotpFactor(id);
    await prisma().externalIdentity.create({
      data: {
        userId: id,
        provider: "google",
        issuer: "thief",
        subject: `thief-${id}`,
        email: "t@example.com",
      },
    });
    await makeToken(id);
    const undoToken = readLinkToken((await readMailsTo(email, "email_changed"))[0]);
    // Concurrent changes either finish before the undo or fail.
    const [undoResponse] = await Promise.all([
      post("/api/auth/undo-email-change", { token: undoToken }),
      ...Array.from({ length: 5 }, (_, index) => put("/api/user", token, { name: `Thief ${index}` })),
    ]);
    expect(undoResponse!.status).toBe(200);
    expect((await prisma().passkey.findMany({ where: { userId: id } })).map((key) => key.deviceName)).toEqual(
      ["Of the owner"],
    );
    for (const countPromise of [
      prisma().externalIdentity.count({ where: { userId: id } }),
      prisma().factor.count({ where: { userId: id } }),
      prisma().recoveryCode.count({ where: { userId: id } }),
      prisma().accessToken.count({ where: { userId: id } }),
    ])
      expect(await countPromise).toBe(0);
    const [undoMail] = await readMailsTo(email, "email_change_undone");
    for (const methodName of ["Of the thief", "Google"]) expect(undoMail!.text).toContain(methodName);
    expect(undoMail!.text).not.toContain("Of the owner");
    expect((await signIn(email)).status, "the attacker may know the password").toBe(401);
  });

  it("is not undone by a used, foreign, expired or mistyped link", async () => {
    const { id, token, email } = await makeSignedInUser();
    const newEmail = buildNewEmail();
    await changeVerifiedEmail(token, newEmail);
    const linkToken = readLinkToken((await readMailsTo(email, "email_changed"))[0]);
    const wrongTokens = [
      "x",
      createToken("dsc"),
      createToken("dsr"),
      `${linkToken}x`,
      linkToken.toLowerCase(),
    ];
    for (const candidate of wrongTokens) {
      const { status, json } = await post("/api/auth/undo-email-change", { token: candidate });
      expect(status).toBe(400);
      expect(Object.keys(json)).toEqual(["success", "message"]);
    }
    await prisma().emailChange.updateMany({ where: { userId: id }, data: { expiresAt: new Date() } });
    expect((await post("/api/auth/undo-email-change", { token: linkToken })).status).toBe(400);
    expect((await readUser(id)).email).toBe(newEmail);
    // The reservation ends after 72 hours.
    expect((await post("/api/auth/register", buildRegistrationBody({ email }))).status).toBe(201);
  });

  it("cannot be undone from an address that was never verified", async () => {
    const { token, email } = await makeSignedInUser({ emailVerifiedAt: null });
    await put("/api/user", token, { email: buildNewEmail() });
    expect(await readMailsTo(email)).toEqual([]);
    expect((await post("/api/auth/register", buildRegistrationBody({ email }))).status).toBe(201);
  });

  it("invalidates links mailed to the old address", async () => {
    const { id, token, email } = await makeSignedInUser({ emailVerifiedAt: null });
    const resetToken = createToken("dsr");
    await prisma().passwordReset.create({
      data: {
        userId: id,
        emailKey: email,
        tokenHash: Uint8Array.from(hashSecret(resetToken)),
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    const newEmail = buildNewEmail();
    await put("/api/user", token, { email: newEmail });
    await resetRateLimits();
    await put("/api/user", token, { email });
    const body = { token: resetToken, email, password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD };
    expect((await post("/api/auth/reset-password", body)).status).toBe(400);
    const [newAddressMail] = await readMailsTo(newEmail, "verify_email");
    expect((await post("/api/auth/verify-email", { token: readLinkToken(newAddressMail) })).status).toBe(400);
    const [oldAddressMail] = await readMailsTo(email, "verify_email");
    expect((await post("/api/auth/verify-email", { token: readLinkToken(oldAddressMail) })).status).toBe(200);
  });
});

it("keeps sites and other data of the account after a change of address", async () => {
  const { id, token } = await makeSignedInUser();
  const site = await makeSite(id);
  await put("/api/user", token, { name: "Z", email: buildNewEmail() });
  const { rows } = await pool().query("select user_id from sites where id = $1", [site.id]);
  expect(rows).toEqual([{ user_id: id }]);
});
