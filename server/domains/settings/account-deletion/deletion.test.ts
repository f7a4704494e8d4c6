import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import {
  makeReseller,
  makeSignedInUser,
  makeSite,
  makeSubscription,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { deliverAndReadMails, extractCode, getLinkParam } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { buildRegistrationBody } from "@/server/testing/requests";
import { getWrongCode } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";
import { getRetentionEnd } from "./policy";

const server = await startTestServer();
const { get, post } = server;

const HOUR = 3_600_000;
const BURST_ROUNDS = Number(process.env.BURST_ROUNDS ?? 3);

const requestCode = (token: string) => post("/api/auth/account/delete-request", undefined, { token });
const confirmDeletion = (token: string, body: unknown) =>
  post("/api/auth/account/confirm-delete", body, { token });
const ageTokens = (userId: number, ageMs: number) =>
  prisma().accessToken.updateMany({ where: { userId }, data: { createdAt: new Date(Date.now() - ageMs) } });
const accountExists = async (id: number) =>
  (await prisma().user.count({ where: { id, anonymisedAt: null } })) === 1;
async function requestMailedCode({ email, token }: { email: string; token: string }): Promise<string> {
  expect((await requestCode(token)).status).toBe(200);
  const [mail] = await deliverAndReadMails(server, email, "deletion_code");
  return extractCode(mail!);
}

describe("the forecast", () => {
  it("is a complete deletion for an account without retained records", async () => {
    const { token } = await makeSignedInUser({ email: "ayse.kaya@example.com" });
    const { status, json } = await get("/api/user/deletion", token);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      mode: "delete",
      reasons: [],
      summary: { sites: 0, connections: 0, invoices: 0, agents: 0 },
      kept_until: null,
      word_accepted: true,
      masked_email: "a***a@e***.com",
    });
    expect(json.topics).toContainEqual({ topic: "profile", rule: "delete", count: 1 });
  });

  it("names each reason for anonymising, and the end of the retention", async () => {
    const { id, token } = await makeSignedInUser({ role: "reseller" });
    await makeReseller(id);
    await makeSubscription(id);
    await makeSite(id);
    await makeUser({ parentUserId: id, isAgentOnly: true });
    await prisma().creditEntry.create({
      data: { userId: id, amount: 5, balance: 1005, reason: "admin_adjust" },
    });
    const startedAt = new Date();
    const { json } = await get("/api/user/deletion", token);
    expect(json).toMatchObject({
      mode: "anonymize",
      reasons: ["sites", "subscriptions", "credits", "agreement"],
      summary: { sites: 1, agents: 1 },
    });
    expect(
      [startedAt, new Date()].map((at) => getRetentionEnd(at).getTime()),
      "the year may change during the test",
    ).toContain(Date.parse(json.kept_until));
    const response = await requestCode(token);
    expect(response.json).toEqual({
      success: true,
      message: expect.any(String),
      masked_email: expect.stringContaining("***"),
      expires_in: 900,
      mode: "anonymize",
      reasons: json.reasons,
      summary: json.summary,
    });
  });

  it.each([
    ["2026-01-01T00:00:00Z", "2036-12-31T20:59:59.999Z"],
    ["2026-12-31T20:59:59Z", "2036-12-31T20:59:59.999Z"],
    // In Turkey, the new year has begun.
    ["2026-12-31T21:00:00Z", "2037-12-31T20:59:59.999Z"],
  ])("keeps records of an account deleted at %s until %s", (at, until) => {
    expect(getRetentionEnd(new Date(at)).toISOString()).toBe(until);
  });

  it("includes a site that was deleted long ago", async () => {
    const { id, token } = await makeSignedInUser();
    await prisma().auditEvent.create({ data: { actorKind: "user", actorId: id, action: "site.created" } });
    expect((await get("/api/user/deletion", token)).json).toMatchObject({
      mode: "anonymize",
      reasons: ["sites"],
    });
  });
});

describe("the code", () => {
  it("has six digits, deletes the account once, and all tokens stop working", async () => {
    const account = await makeSignedInUser();
    const code = await requestMailedCode(account);
    expect(code).toMatch(/^\d{6}$/);
    const { status, json } = await confirmDeletion(account.token, { code });
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        success: true,
        message: expect.any(String),
        mode: "deleted",
        channels: { cleaned: 0, pending: 0 },
        certificate_id: expect.stringMatching(/^[0-9A-Z]{26}$/),
        certificate_code: expect.any(String),
      },
    });
    expect((await get("/api/user", account.token)).status).toBe(401);
    expect((await confirmDeletion(account.token, { code })).status).toBe(401);
    expect(await prisma().user.count({ where: { id: account.id } })).toBe(0);
  });

  it.each([
    ["nothing", {}],
    ["empty texts", { code: "", confirmation: "" }],
    ["nulls", { code: null, confirmation: null }],
    ["five digits", { code: "12345" }],
    ["seven digits", { code: "1234567" }],
    ["a number", { code: 123456 }],
    ["a long word", { confirmation: "SİL".padEnd(33, "L") }],
    ["an object", { confirmation: { $ne: "" } }],
  ])("is rejected when malformed, like a malformed word: %s", async (_name, body) => {
    const { id, token } = await makeSignedInUser();
    const { status, json } = await confirmDeletion(token, body);
    expect(status).toBe(422);
    expect(Object.keys(json)).toEqual(["message", "errors"]);
    expect(await accountExists(id)).toBe(true);
  });

  it("is invalid after five wrong attempts, even if the next one is right", async () => {
    const account = await makeSignedInUser();
    const code = await requestMailedCode(account);
    const wrongCodeBody = { code: getWrongCode(code) };
    for (let attempt = 0; attempt < 5; attempt++) {
      const { status, json } = await confirmDeletion(account.token, wrongCodeBody);
      expect({ status, json }).toEqual({ status: 422, json: { success: false, error: expect.any(String) } });
    }
    const limitedResponse = await confirmDeletion(account.token, { code });
    expect({ status: limitedResponse.status, json: limitedResponse.json }).toEqual({
      status: 429,
      json: { message: "Too Many Attempts." },
    });
    expect(Number(limitedResponse.headers["retry-after"])).toBeGreaterThan(600);
    expect(await accountExists(account.id)).toBe(true);
    expect((await confirmDeletion(account.token, { code: await requestMailedCode(account) })).status).toBe(
      200,
    );
  });

  it("is rejected when it is another account's, replaced or expired", async () => {
    const [account, otherAccount] = [await makeSignedInUser(), await makeSignedInUser()];
    const firstCode = await requestMailedCode(account);
    expect((await confirmDeletion(otherAccount.token, { code: firstCode })).status).toBe(422);
    let secondCode = await requestMailedCode(account);
    while (secondCode === firstCode) {
      await resetRateLimits();
      secondCode = await requestMailedCode(account);
    }
    expect((await confirmDeletion(account.token, { code: firstCode })).status).toBe(422);
    await prisma().deletionRequest.update({ where: { userId: account.id }, data: { expiresAt: new Date() } });
    expect((await confirmDeletion(account.token, { code: secondCode })).status).toBe(422);
    expect([await accountExists(account.id), await accountExists(otherAccount.id)]).toEqual([true, true]);
  });

  it("works with an old sign-in", async () => {
    const account = await makeSignedInUser();
    await ageTokens(account.id, 25 * HOUR);
    expect((await confirmDeletion(account.token, { code: await requestMailedCode(account) })).status).toBe(
      200,
    );
  });

  it("is mailed at most three times an hour", async () => {
    const { token } = await makeSignedInUser();
    const responses = [];
    for (let call = 0; call < 4; call++) responses.push(await requestCode(token));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(responses[3]!.headers["retry-after"]).toBeDefined();
  });

  it.each(Array.from({ length: BURST_ROUNDS }, (_, round) => round))(
    "deletes the account once in a burst of 50 (round %i)",
    async () => {
      const account = await makeSignedInUser();
      await makeSite(account.id);
      const code = await requestMailedCode(account);
      const counts = countByStatus(await runConcurrently(50, () => confirmDeletion(account.token, { code })));
      expect(counts[200]).toBe(1);
      expect(Object.keys(counts).filter((status) => !["200", "401", "422", "429"].includes(status))).toEqual(
        [],
      );
      expect(
        await prisma().auditEvent.count({
          where: { action: "account.anonymised", objectId: String(account.id) },
        }),
      ).toBe(1);
      expect(await deliverAndReadMails(server, account.email, "account_deleted")).toHaveLength(1);
    },
  );

  it.each(Array.from({ length: BURST_ROUNDS }, (_, round) => round))(
    "is checked five times in a burst of 50 guesses (round %i)",
    async () => {
      const account = await makeSignedInUser();
      const wrongCode = getWrongCode(await requestMailedCode(account));
      expect(
        countByStatus(await runConcurrently(50, () => confirmDeletion(account.token, { code: wrongCode }))),
      ).toEqual({
        422: 5,
        429: 45,
      });
    },
  );
});

describe("the word", () => {
  it.each([
    "SİL",
    "sil",
    "si\u0307l",
    "SIL",
    "sıl",
    " Sil ",
    "HESABIMI SİL",
    "hesabımı  sil",
    "DELETE",
    "delete",
    "УДАЛИТЬ",
    "löschen",
    "حذف",
    "Supprimer",
    "ELIMINA",
  ])("%s is accepted", async (confirmation) => {
    const account = await makeSignedInUser();
    expect((await confirmDeletion(account.token, { confirmation })).status).toBe(200);
    expect(await accountExists(account.id)).toBe(false);
  });

  it.each(["SİLL", "S", "DEL", "HESABIMI", "ŞİL", "yes", "S\u0130\u0307L"])(
    "%s is rejected",
    async (confirmation) => {
      const account = await makeSignedInUser();
      const { status, json } = await confirmDeletion(account.token, { confirmation });
      expect({ status, json }).toEqual({ status: 422, json: { success: false, error: expect.any(String) } });
      expect(await accountExists(account.id)).toBe(true);
    },
  );

  it("needs a sign-in within the last hour", async () => {
    const account = await makeSignedInUser();
    await ageTokens(account.id, HOUR + 1000);
    expect((await get("/api/user/deletion", account.token)).json.word_accepted).toBe(false);
    const { status, json } = await confirmDeletion(account.token, { confirmation: "SİL" });
    expect({ status, json }).toEqual({
      status: 422,
      json: { success: false, error: expect.stringContaining("kod") },
    });
    await ageTokens(account.id, HOUR - 10_000);
    expect((await confirmDeletion(account.token, { confirmation: "SİL" })).status).toBe(200);
  });

  it("does not replace a wrong code", async () => {
    const account = await makeSignedInUser();
    const code = getWrongCode(await requestMailedCode(account));
    expect((await confirmDeletion(account.token, { code, confirmation: "SİL" })).status).toBe(422);
    expect(await accountExists(account.id)).toBe(true);
  });
});

describe("the deletion", () => {
  it("is refused for agents, keys without the ability, anonymous callers and the last administrator", async () => {
    const owner = await makeSignedInUser();
    const site = await makeSite(owner.id);
    const agent = await makeSignedInUser({
      parentUserId: owner.id,
      isAgentOnly: true,
      assignedSiteId: site.id,
    });
    for (const response of [
      await requestCode(agent.token),
      await confirmDeletion(agent.token, { confirmation: "SİL" }),
    ])
      expect({ status: response.status, json: response.json }).toEqual({
        status: 403,
        json: { message: "This action is unauthorized." },
      });
    const apiKey = await makeToken(owner.id, { abilities: ["read", "profile:write"] });
    expect((await confirmDeletion(apiKey, { confirmation: "SİL" })).status).toBe(403);
    expect((await post("/api/auth/account/confirm-delete", { confirmation: "SİL" })).status).toBe(401);
    expect((await post("/api/auth/account/delete-request")).status).toBe(401);
    const [firstAdmin, secondAdmin] = [
      await makeSignedInUser({ role: "admin" }),
      await makeSignedInUser({ role: "admin" }),
    ];
    const responses = await Promise.all(
      [firstAdmin, secondAdmin].map(({ token }) => confirmDeletion(token, { confirmation: "SİL" })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
  });
});

describe("after a deletion", () => {
  it.each(["deleted", "anonymized"])(
    "nothing of a %s account works, and its address can register again",
    async (mode) => {
      const body = buildRegistrationBody();
      const { json: registered } = await post("/api/auth/register", body);
      const id = registered.user.id as number;
      await prisma().user.update({ where: { id }, data: { emailVerifiedAt: new Date() } });
      if (mode === "anonymized") await makeSite(id, { domain: "eski.example.com" });
      const { json: signedIn } = await post("/api/auth/login", {
        email: body.email,
        password: body.password,
      });
      await post("/api/auth/forgot-password", { email: body.email });
      const [resetMail] = await deliverAndReadMails(server, body.email, "reset_password");
      const [verifyMail] = await deliverAndReadMails(server, body.email, "verify_email");
      const deletion = await confirmDeletion(signedIn.token, { confirmation: "HESABIMI SİL" });
      expect(deletion.json.mode).toBe(mode);

      for (const token of [registered.token, signedIn.token])
        expect((await get("/api/auth/user", token)).status).toBe(401);
      expect((await post("/api/auth/login", { email: body.email, password: body.password })).status).toBe(
        401,
      );
      const newPassword = { password: "another-horse", password_confirmation: "another-horse" };
      const resetBody = { token: getLinkParam(resetMail!, "token"), email: body.email, ...newPassword };
      expect((await post("/api/auth/reset-password", resetBody)).status).toBe(400);
      expect(
        (await post("/api/auth/verify-email", { token: getLinkParam(verifyMail!, "token") })).status,
      ).toBe(400);
      await post("/api/auth/forgot-password", { email: body.email });
      await post("/api/auth/forgot-password", { email: `deleted-${id}@anon.invalid` });
      await post("/api/auth/resend-verification", { email: body.email });
      expect((await deliverAndReadMails(server, body.email)).map(({ template }) => template)).toEqual([
        "account_deleted",
      ]);
      expect(await deliverAndReadMails(server, `deleted-${id}@anon.invalid`)).toEqual([]);

      const newRegistration = await post("/api/auth/register", { ...body, ...{ name: "Yeni Kişi" } });
      expect(newRegistration.status).toBe(201);
      expect(newRegistration.json.user.id).not.toBe(id);
      expect((await get("/api/sites", newRegistration.json.token)).json.data).toEqual([]);
      expect((await get("/api/auth/user", newRegistration.json.token)).json).toMatchObject({
        user: { name: "Yeni Kişi", sites: [], credits: 1000 },
        stats: { sites_count: 0, monthly_usage: 0 },
      });
      const site = { name: "Eski", domain: "eski.example.com" };
      await makeSubscription(newRegistration.json.user.id);
      if (mode === "anonymized")
        expect(
          (await post("/api/sites", site, { token: newRegistration.json.token })).status,
          "the domain is free",
        ).toBe(201);
    },
  );
});
