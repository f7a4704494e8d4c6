import { describe, expect, it } from "vitest";
import { fromNow, HOUR, MINUTE } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeToken, makeUser } from "@/server/testing/factories";
import { createIpAddress } from "@/server/testing/http";
import { runWhileCallWaits } from "@/server/testing/locks";
import { deliverAndReadMails, getLinkParam } from "@/server/testing/mailbox";
import { makeEmailFactor, makeTotpFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";
import { findResetEmail } from "./service/find-reset-email";
import { voidPasswordResetLink } from "./service/request-reset";

const ROUNDS = Number(process.env.BURST_ROUNDS ?? 3);
const server = await startTestServer();
const { post, get } = server;

const PASSWORD = "a-brand-new-password";
const requestResetLink = (email: string, ip?: string) =>
  post("/api/auth/forgot-password", { email }, ip ? { ip } : {});
const resetPassword = (email: string, token: string, password = PASSWORD, ip?: string) =>
  post(
    "/api/auth/reset-password",
    { token, email, password, password_confirmation: password },
    ip ? { ip } : {},
  );
const login = (email: string, password: string) => post("/api/auth/login", { email, password });

async function getResetToken(email: string): Promise<string> {
  expect((await requestResetLink(email)).status).toBe(200);
  return getLinkParam((await deliverAndReadMails(server, email, "reset_password"))[0]!, "token");
}

describe("a request for a reset link", () => {
  it("returns the same response for every address and mails accounts only", async () => {
    const deactivatedUser = await makeUser({ isActive: false });
    const unverifiedUser = await makeUser({ emailVerifiedAt: null });
    const activeUser = await makeUser();
    const bodies = new Set<string>();
    for (const email of [
      "nobody@example.com",
      activeUser.email,
      deactivatedUser.email,
      unverifiedUser.email.toUpperCase(),
    ]) {
      const { status, text } = await requestResetLink(email);
      bodies.add(`${status} ${text}`);
    }
    expect([...bodies]).toEqual([expect.stringMatching(/^200 \{"success":true,"message":".+"\}$/)]);
    expect(await deliverAndReadMails(server, "nobody@example.com")).toEqual([]);
    for (const { email } of [activeUser, deactivatedUser, unverifiedUser])
      expect(await deliverAndReadMails(server, email, "reset_password")).toHaveLength(1);
  });

  it("silently limits mails to three an hour per address", async () => {
    const { email } = await makeUser();
    for (let index = 0; index < 5; index++) expect((await requestResetLink(email)).status).toBe(200);
    expect(await deliverAndReadMails(server, email, "reset_password")).toHaveLength(3);
  });

  it("is limited to five in half an hour per client", async () => {
    const ip = createIpAddress();
    const responses = await runConcurrently(8, (index) =>
      requestResetLink(`person.${index}@example.com`, ip),
    );
    expect(countByStatus(responses)).toEqual({ 200: 5, 429: 3 });
    const refusedResponse = responses.find(({ status }) => status === 429)!;
    expect(refusedResponse.json).toEqual({ message: "Too Many Attempts." });
    expect(Number(refusedResponse.headers["retry-after"])).toBeGreaterThan(1790);
  });

  it("ignores host headers of the request", async () => {
    const { email } = await makeUser();
    await post(
      "/api/auth/forgot-password",
      { email },
      {
        headers: {
          host: "evil.test",
          "x-forwarded-host": "evil.test",
          "x-forwarded-proto": "ftp",
          forwarded: "host=evil.test",
        },
      },
    );
    const [mail] = await deliverAndReadMails(server, email);
    expect(mail!.text).toContain("http://panel.test/reset-password?token=");
    expect(mail!.text + mail!.html).not.toContain("evil");
  });
});

describe("a reset link", () => {
  it("signs in with the documented body and ends older tokens", async () => {
    const user = await makeUser();
    const oldTokens = [await makeToken(user.id), (await login(user.email, "correct-horse")).json.token];
    const token = await getResetToken(user.email);
    const { status, json } = await resetPassword(user.email.toUpperCase(), token);
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        success: true,
        message: expect.any(String),
        auto_login: true,
        user: { id: user.id, name: user.name, email: user.email, role: "user" },
        token: expect.stringMatching(/^dsu_/),
        modules: ["appointment", "saas"],
      },
    });
    expect((await get("/api/user", json.token)).status).toBe(200);
    for (const oldToken of oldTokens) expect((await get("/api/user", oldToken)).status).toBe(401);
    expect((await login(user.email, "correct-horse")).status).toBe(401);
    expect((await login(user.email, PASSWORD)).status).toBe(200);
    expect(await deliverAndReadMails(server, user.email, "password_changed")).toHaveLength(1);
  });

  it("is refused when used, replaced, expired, mistyped, of another account or of an old address", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const usedToken = await getResetToken(user.email);
    await resetPassword(user.email, usedToken);
    const replacedToken = await getResetToken(user.email);
    const newestToken = await getResetToken(user.email);
    const invalidLinks: [string, string][] = [
      [user.email, usedToken],
      [user.email, replacedToken],
      [other.email, newestToken],
      [user.email, `${newestToken}x`],
      [user.email, createToken("dsr")],
      [user.email, createToken("dsv")],
      [user.email, "nothing"],
    ];
    const responses = await Promise.all(invalidLinks.map(([email, token]) => resetPassword(email, token)));
    await prisma().passwordReset.update({
      where: { tokenHash: Uint8Array.from(hashSecret(newestToken)) },
      data: { expiresAt: fromNow(-MINUTE) },
    });
    responses.push(await resetPassword(user.email, newestToken));
    const tokenBeforeMove = await getResetToken(other.email);
    await prisma().user.update({
      where: { id: other.id },
      data: { email: "moved@example.com", emailKey: "moved@example.com" },
    });
    responses.push(
      await resetPassword(other.email, tokenBeforeMove),
      await resetPassword("moved@example.com", tokenBeforeMove),
    );
    for (const { status, json } of responses)
      expect({ status, json }).toEqual({
        status: 400,
        json: { success: false, message: expect.any(String) },
      });
    expect((await login(user.email, PASSWORD)).status).toBe(200);
  });

  it("is stored as a digest and expires after an hour", async () => {
    const user = await makeUser();
    const token = await getResetToken(user.email);
    const storedLink = await prisma().passwordReset.findUniqueOrThrow({ where: { userId: user.id } });
    expect(JSON.stringify(storedLink)).not.toContain(token);
    expect(Math.abs(storedLink.expiresAt.getTime() - Date.now() - HOUR)).toBeLessThan(20_000);
  });

  it("shows the account's address on its page while it is valid", async () => {
    const user = await makeUser();
    const token = await getResetToken(user.email);
    const [mail] = await deliverAndReadMails(server, user.email, "reset_password");
    const link = /https?:\/\/\S+/.exec(mail!.text)![0];
    expect([...new URL(link).searchParams.keys()]).toEqual(["token"]);
    expect(await findResetEmail(token)).toBe(user.email);
    expect(await findResetEmail(token), "the page does not use the link up").toBe(user.email);
    for (const invalidToken of [createToken("dsr"), createToken("dsv"), `${token}x`, ""])
      expect(await findResetEmail(invalidToken)).toBeUndefined();
    const tokenHash = Uint8Array.from(hashSecret(token));
    const setMinutesLeft = (minutes: number) =>
      prisma().passwordReset.update({ where: { tokenHash }, data: { expiresAt: fromNow(minutes * MINUTE) } });
    await setMinutesLeft(-1);
    expect(await findResetEmail(token)).toBeUndefined();
    await setMinutesLeft(1);
    const newAddress = `moved.${user.email}`;
    await prisma().user.update({ where: { id: user.id }, data: { email: newAddress, emailKey: newAddress } });
    expect(await findResetEmail(token), "after a change of address").toBeUndefined();
  });

  it("sets the password of one of fifty concurrent requests", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { email } = await makeUser();
      const token = await getResetToken(email);
      const responses = await runConcurrently(50, (index) =>
        resetPassword(email, token, `new-password-${index}`),
      );
      expect(countByStatus(responses)).toEqual({ 200: 1, 400: 49 });
      const winnerIndex = responses.findIndex(({ status }) => status === 200);
      expect((await login(email, `new-password-${winnerIndex}`)).status).toBe(200);
    }
  });

  it("waits for a concurrent change that voids it, and is refused", async () => {
    const { id, email } = await makeUser();
    const token = await getResetToken(email);
    const response = await runWhileCallWaits(
      id,
      () => resetPassword(email, token),
      (tx) => voidPasswordResetLink(tx, id),
    );
    expect(response.status).toBe(400);
    expect((await login(email, "correct-horse")).status).toBe(200);
  });

  it("is limited to eight attempts in 15 minutes per client", async () => {
    const { email } = await makeUser();
    const ip = createIpAddress();
    const responses = await runConcurrently(12, () => resetPassword(email, createToken("dsr"), PASSWORD, ip));
    expect(countByStatus(responses)).toEqual({ 400: 8, 429: 4 });
    const refusedResponse = responses.find(({ status }) => status === 429)!;
    expect(refusedResponse.json).toEqual({ message: "Too Many Attempts." });
    expect(refusedResponse.headers).toMatchObject({ "x-ratelimit-limit": "8", "x-ratelimit-remaining": "0" });
  });

  it("ends pending sign-ins and trusted devices", async () => {
    const user = await makeUser();
    const app = await makeTotpFactor(user.id);
    const startSignIn = async () => (await login(user.email, "correct-horse")).json.interim_token;
    const trustedSignIn = await post("/api/auth/2fa/challenge", {
      interim_token: await startSignIn(),
      method: "totp",
      code: app.getCode(-1),
      remember_device: true,
    });
    const pendingToken = await startSignIn();
    await resetPassword(user.email, await getResetToken(user.email));
    const lateChallenge = await post("/api/auth/2fa/challenge", {
      interim_token: pendingToken,
      method: "totp",
      code: app.getCode(),
    });
    expect(lateChallenge.status).toBe(401);
    const secondLogin = await post("/api/auth/login", {
      email: user.email,
      password: PASSWORD,
      device_token: trustedSignIn.json.device_token,
    });
    expect(secondLogin.json.requires_2fa).toBe(true);
  });
});

describe("a reset with a closed gate changes the password and reports the gate", () => {
  const closedGateCases = [
    {
      gate: "unverified address",
      data: { emailVerifiedAt: null },
      expected: (email: string) => ({ requires_verification: true, email }),
    },
    {
      gate: "deactivated account",
      data: { isActive: false },
      expected: () => ({
        account_disabled: true,
        contact: {
          source: "system",
          name: expect.any(String),
          email: expect.any(String),
          phone: null,
          message: expect.any(String),
        },
      }),
    },
    {
      gate: "both, in the contract's order",
      data: { isActive: false, emailVerifiedAt: null },
      expected: (email: string) => ({ requires_verification: true, email }),
    },
  ];
  it.each(closedGateCases)("reports $gate", async ({ data: userFields, expected: getExpectedFields }) => {
    const user = await makeUser(userFields);
    const { status, json } = await resetPassword(user.email, await getResetToken(user.email));
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        success: true,
        message: expect.any(String),
        auto_login: false,
        ...getExpectedFields(user.email),
      },
    });
    await prisma().user.update({
      where: { id: user.id },
      data: { isActive: true, emailVerifiedAt: new Date() },
    });
    expect((await login(user.email, PASSWORD)).status).toBe(200);
  });

  it("reports a second factor, with exactly the documented fields", async () => {
    const user = await makeUser({ email: "mehmet@example.com" });
    await makeEmailFactor(user.id);
    const emailOnlyResponse = await resetPassword(user.email, await getResetToken(user.email));
    expect(emailOnlyResponse.json).toMatchObject({
      method: "email",
      has_totp: false,
      has_email_fallback: true,
    });
    const app = await makeTotpFactor(user.id);
    const { json } = await resetPassword(user.email, await getResetToken(user.email));
    expect(json).toEqual({
      success: true,
      message: expect.any(String),
      auto_login: false,
      requires_2fa: true,
      method: "totp",
      interim_token: expect.stringMatching(/^dsi_/),
      has_totp: true,
      has_email_fallback: true,
      masked_email: "m***t@e***.com",
      has_recovery_codes: true,
    });
    const finishedSignIn = await post("/api/auth/2fa/challenge", {
      interim_token: json.interim_token,
      method: "totp",
      code: app.getCode(),
    });
    expect(finishedSignIn.status).toBe(200);
  });
});
