import { describe, expect, it } from "vitest";
import { toEmailKey } from "@/server/core/schema";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { renderStoredMail } from "@/server/infrastructure/mail/outbox";
import { createToken } from "@/server/infrastructure/secrets/tokens";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeUser } from "@/server/testing/factories";
import { createIpAddress } from "@/server/testing/http";
import { buildRegistrationBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";

const ROUNDS = Number(process.env.BURST_ROUNDS ?? 10);
const { post, runJobs } = await startTestServer();
const verify = (body: unknown) => post("/api/auth/verify-email", body);
const resend = (email: string) => post("/api/auth/resend-verification", { email });

async function readLatestMail(address: string) {
  const mail = await prisma().mailMessage.findFirstOrThrow({
    where: { toAddress: address },
    orderBy: { id: "desc" },
  });
  const { text, html } = renderStoredMail(mail.sealed);
  const token = /token=(dsv_\w+)/.exec(text)![1]!;
  const code = /\b(\d{6})\b/.exec(text)![1]!;
  expect(html).toContain(token);
  expect(html).toContain(code);
  return { token, code, text };
}

async function registerAccount() {
  const body = buildRegistrationBody();
  const { json, status } = await post("/api/auth/register", body);
  expect(status).toBe(201);
  return { id: json.user.id as number, email: body.email, ...(await readLatestMail(body.email)) };
}

const readVerifiedAt = async (id: number) =>
  (await prisma().user.findUniqueOrThrow({ where: { id } })).emailVerifiedAt;
const countJobs = async () =>
  (await pool().query("select task_identifier from graphile_worker.jobs")).rows.length;

const REPEATED_MESSAGE = expect.stringContaining("zaten doğrulanmış");

describe("verification", () => {
  it("confirms an address once by the mailed link", async () => {
    const { id, token, text } = await registerAccount();
    expect(text).toContain("http://panel.test/verify-email?token=dsv_");
    const { status, json } = await verify({ token });
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      message: expect.any(String),
      email_verified_at: expect.any(String),
    });
    expect(json.email_verified_at.slice(0, 23)).toBe((await readVerifiedAt(id))!.toISOString().slice(0, 23));
    const secondUse = await verify({ token });
    expect(secondUse.status).toBe(400);
    expect(secondUse.json).toEqual({ success: false, message: REPEATED_MESSAGE });
  });

  it("confirms once by address and code, which uses the link up, too", async () => {
    const { id, token, code, email } = await registerAccount();
    expect((await verify({ email: email.toUpperCase(), code })).status).toBe(200);
    expect(await readVerifiedAt(id)).not.toBeNull();
    for (const body of [{ email, code }, { token }])
      expect(await verify(body)).toMatchObject({ status: 400, json: { message: REPEATED_MESSAGE } });
  });

  it("reports a second use for 24 hours, while the account has the address", async () => {
    const { id, token, code, email } = await registerAccount();
    await verify({ token });
    const newEmail = `new.${email}`;
    const changeEmail = (address: string) =>
      prisma().user.update({ where: { id }, data: { email: address, emailKey: toEmailKey(address) } });
    await changeEmail(newEmail);
    const readMessage = async (body: object) => (await verify(body)).json.message;
    expect(await readMessage({ token })).not.toEqual(REPEATED_MESSAGE);
    await changeEmail(email);
    expect(await readMessage({ token })).toEqual(REPEATED_MESSAGE);
    const usedAt = new Date(Date.now() - 24 * 3_600_000);
    await prisma().emailVerification.updateMany({ where: { userId: id }, data: { usedAt } });
    for (const body of [{ token }, { email, code }])
      expect(await readMessage(body)).not.toEqual(REPEATED_MESSAGE);
  });

  it("still counts wrong codes after the right one, and after five stops reporting a second use", async () => {
    const { code, email } = await registerAccount();
    await verify({ email, code });
    const wrongCode = code === "000000" ? "000001" : "000000";
    for (let attempt = 2; attempt <= 5; attempt++)
      expect((await verify({ email, code: wrongCode })).status).toBe(400);
    expect((await verify({ email, code })).json.message).not.toEqual(REPEATED_MESSAGE);
  });

  it("confirms once in a burst of 50", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, token, email, code } = await registerAccount();
      const responses = await runConcurrently(50, (index) =>
        verify(index % 10 ? { token } : { email, code }),
      );
      expect(countByStatus(responses)).toEqual({ 200: 1, 400: 49 });
      expect(
        await prisma().auditEvent.count({ where: { action: "account.email_verified", actorId: id } }),
      ).toBe(1);
    }
  });

  it("evaluates five wrong codes, then refuses the right one, but not the link", async () => {
    const { id, token, code, email } = await registerAccount();
    const wrongCode = code === "000000" ? "000001" : "000000";
    expect(countByStatus(await runConcurrently(50, () => verify({ email, code: wrongCode })))).toEqual({
      400: 50,
    });
    const rows = await prisma().emailVerification.findMany({ where: { userId: id } });
    expect(rows.map(({ attempts }) => attempts)).toEqual([5]);
    expect((await verify({ email, code })).status).toBe(400);
    expect((await verify({ token })).status).toBe(200);
  });

  it("refuses expired mails, codes of other accounts and malformed tokens", async () => {
    const account = await registerAccount();
    const otherAccount = await registerAccount();
    if (account.code !== otherAccount.code)
      expect((await verify({ email: account.email, code: otherAccount.code })).status).toBe(400);
    for (const token of [
      createToken("dsv"),
      createToken("dsu"),
      "x",
      account.token.toLowerCase(),
      `${account.token}x`,
    ])
      expect((await verify({ token })).status).toBe(400);
    await prisma().emailVerification.updateMany({
      where: { userId: account.id },
      data: { expiresAt: new Date() },
    });
    expect((await verify({ token: account.token })).status).toBe(400);
    expect((await verify({ email: account.email, code: account.code })).status).toBe(400);
    expect(await readVerifiedAt(account.id)).toBeNull();
  });

  it("refuses links and codes after a change of address", async () => {
    const { id, token, code, email } = await registerAccount();
    const newEmail = `new.${email}`;
    await prisma().user.update({ where: { id }, data: { email: newEmail, emailKey: toEmailKey(newEmail) } });
    expect((await verify({ token })).status).toBe(400);
    expect((await verify({ email, code })).status).toBe(400);
    expect((await verify({ email: newEmail, code })).status).toBe(400);
    expect(await readVerifiedAt(id)).toBeNull();
  });

  it("needs a token, or address and code", async () => {
    const listMissingFields = async (body: object) => Object.keys((await verify(body)).json.errors);
    expect(await listMissingFields({})).toEqual(["token"]);
    expect(await listMissingFields({ token: "" })).toEqual(["token"]);
    expect(await listMissingFields({ email: "a@example.com", code: "" })).toEqual(["token", "code"]);
    expect(await listMissingFields({ code: "123456" })).toEqual(["token", "email"]);
  });
});

describe("resending", () => {
  it("gives the same response and queues a job for every address, but mails only unverified accounts", async () => {
    const verifiedUser = await makeUser();
    const deactivatedUser = await makeUser({ isActive: false, emailVerifiedAt: null });
    const unverifiedUser = await makeUser({ emailVerifiedAt: null });
    await runJobs();
    const responses: unknown[] = [];
    for (const email of [
      verifiedUser.email,
      deactivatedUser.email,
      unverifiedUser.email,
      "nobody.at.all@example.com",
    ]) {
      const jobCountBefore = await countJobs();
      const { status, text, headers } = await resend(email);
      responses.push([status, text, Object.keys(headers).sort(), (await countJobs()) - jobCountBefore]);
    }
    for (const response of responses) expect(response).toEqual(responses[0]);
    await runJobs();
    const mails = await prisma().mailMessage.findMany({
      where: { userId: { in: [verifiedUser.id, deactivatedUser.id, unverifiedUser.id] } },
    });
    expect(mails.map(({ userId }) => userId)).toEqual([unverifiedUser.id]);
  });

  it("voids the previous link and silently limits mails to three an hour per address", async () => {
    const { email, token, id } = await registerAccount();
    for (let index = 0; index < 4; index++) expect((await resend(email)).status).toBe(200);
    await runJobs();
    expect(await prisma().mailMessage.count({ where: { userId: id } })).toBe(4);
    expect((await verify({ token })).status).toBe(400);
    expect((await verify({ token: (await readLatestMail(email)).token })).status).toBe(200);
  });

  it("encrypts addresses in the queue and allows five requests per client", async () => {
    const ip = createIpAddress();
    const statuses: number[] = [];
    for (let index = 0; index < 6; index++)
      statuses.push(
        (await post("/api/auth/resend-verification", { email: `canary.${index}@example.com` }, { ip }))
          .status,
      );
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const { rows } = await pool().query("select payload::text from graphile_worker._private_jobs");
    expect(JSON.stringify(rows)).not.toContain("canary");
    await runJobs();
  });
});
