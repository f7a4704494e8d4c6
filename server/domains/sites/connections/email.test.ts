import { beforeEach, describe, expect, it } from "vitest";
import { fromNow, MINUTE } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeSignedInUser, makeSite } from "@/server/testing/factories";
import { openFakeImapServer, trustTestCertificate } from "@/server/testing/imap";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";
import { checkConnectionHealth } from "./service/health";

const mailbox = await openFakeImapServer();
trustTestCertificate();
const server = await startTestServer({ env: { MAIL_PRIVATE_HOSTS: "true", RATE_LIMITS: "relaxed" } });
const PASSWORD = "şifre with spaces";
beforeEach(async () => {
  await resetRateLimits();
  Object.assign(mailbox, { refusal: undefined, fault: undefined, users: new Map(), commands: [] });
});

let mailboxCount = 0;
const makeMailbox = () => {
  const user = `box${mailboxCount++}@example.com`;
  mailbox.users.set(user, PASSWORD);
  return { channel: "email", host: "127.0.0.1", port: mailbox.port, user, password: PASSWORD };
};
const connect = (token: string, body: object) => server.post("/api/connections", body, { token });
const findConnectionRow = (id: number) => prisma().connection.findUniqueOrThrow({ where: { id } });
async function connectMailbox() {
  const owner = await makeSignedInUser();
  const mailboxBody = makeMailbox();
  const { json } = await connect(owner.token, mailboxBody);
  return { ...owner, box: mailboxBody, connectionId: json.connection.id as number };
}

describe("connecting a mailbox", () => {
  it("tries the login and never returns the password", async () => {
    const { token } = await makeSignedInUser();
    const mailboxBody = makeMailbox();
    const { status, json } = await connect(token, mailboxBody);
    expect({ status, connection: json.connection }).toEqual({
      status: 201,
      connection: expect.objectContaining({
        channel: "email",
        connection_type: "imap",
        label: mailboxBody.user,
        health: "ok",
        secret_last_four: null,
      }),
    });
    expect(mailbox.commands).toContain("NOOP");
    expect((await findConnectionRow(json.connection.id)).hookHash).toBeNull();
  });

  it.each([
    ["a wrong password", { password: "another one" }, undefined, "token_refused"],
    ["a failed login without a reason", {}, "LOGIN failed", "token_refused"],
    ["a busy server", {}, "[UNAVAILABLE] Later", "unreachable"],
    ["a blocked login", {}, "[CONTACTADMIN] Blocked", "forbidden"],
    ["a closed port", { port: 1 }, undefined, "unreachable"],
  ])("is refused for %s and stores nothing", async (_what, fields, refusal, reason) => {
    const { id, token } = await makeSignedInUser();
    mailbox.refusal = refusal;
    const { status, json } = await connect(token, { ...makeMailbox(), ...fields });
    expect({ status, json }).toEqual({
      status: 422,
      json: { success: false, error: expect.any(String), reason },
    });
    expect(await prisma().connection.count({ where: { userId: id } })).toBe(0);
  });

  it.each([
    ["host", { host: null }],
    ["host", { host: "imap.example.com/inbox" }],
    ["host", { host: "imap.example.com:993" }],
    ["user", { user: "" }],
    ["password", { password: "" }],
    ["password", { password: "a\r\nb NOOP" }],
    ["port", { port: 0 }],
  ])("requires a valid %s: %j", async (field, fields) => {
    const { token } = await makeSignedInUser();
    const { status, json } = await connect(token, { ...makeMailbox(), ...fields });
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual([field]);
    expect(mailbox.commands).toEqual([]);
  });

  it("connects a mailbox to one account only, ignoring case", async () => {
    const accounts = await runConcurrently(4, () => makeSignedInUser());
    const mailboxBody = makeMailbox();
    mailbox.users.set(mailboxBody.user.toUpperCase(), PASSWORD);
    const responses = await runConcurrently(20, (index) =>
      connect(accounts[index % 4]!.token, {
        ...mailboxBody,
        user: index % 2 ? mailboxBody.user : mailboxBody.user.toUpperCase(),
      }),
    );
    expect(countByStatus(responses)).toEqual({ 201: 1, 422: 19 });
    expect(responses.find(({ status }) => status === 422)!.json.errors).toHaveProperty("user");
  });
});

describe("a connected mailbox", () => {
  it("stores a new password only if the server accepts it", async () => {
    const { token, box: mailboxBody, connectionId } = await connectMailbox();
    const changeSecret = (secret: string) =>
      server.call("PUT", `/api/connections/${connectionId}`, { token, body: { secret } });
    expect((await changeSecret("kısa")).json.reason).toBe("token_refused");
    mailbox.users.set(mailboxBody.user, " kısa ");
    const { status, json } = await changeSecret(" kısa ");
    expect({ status, secret_last_four: json.connection.secret_last_four }).toEqual({
      status: 200,
      secret_last_four: null,
    });
    await checkConnectionHealth(connectionId);
    expect(await findConnectionRow(connectionId)).toMatchObject({ health: "ok", hookHash: null });
  });

  it("counts as dead only after two refused logins", async () => {
    const { email, box: mailboxBody, connectionId } = await connectMailbox();
    const makeFirstRefusalOld = () =>
      prisma().connection.update({
        where: { id: connectionId },
        data: { deadSeenAt: fromNow(-11 * MINUTE) },
      });
    await makeFirstRefusalOld();
    for (const refusal of ["[UNAVAILABLE] Later", "LOGIN failed", "[LIMIT] Too many"]) {
      mailbox.refusal = refusal;
      await checkConnectionHealth(connectionId);
      expect(await findConnectionRow(connectionId)).toMatchObject({
        health: "unreachable",
        tokenDeadAt: null,
      });
    }
    mailbox.refusal = undefined;
    mailbox.fault = { at: "AUTHENTICATE", kind: "cut" };
    await checkConnectionHealth(connectionId);
    expect(await findConnectionRow(connectionId)).toMatchObject({ health: "unreachable", tokenDeadAt: null });
    mailbox.fault = undefined;
    mailbox.users.delete(mailboxBody.user);
    await runConcurrently(5, () => checkConnectionHealth(connectionId));
    expect(await findConnectionRow(connectionId)).toMatchObject({
      health: "dead",
      tokenDeadAt: expect.any(Date),
    });
    const [mail, ...otherMails] = await deliverAndReadMails(server, email, "connection_token_dead");
    expect({ subject: mail!.subject, more: otherMails }).toEqual({
      subject: expect.stringContaining("yeni parola"),
      more: [],
    });
  });

  it("is cleaned up without calls, because nothing is stored at the server", async () => {
    const { id, token, connectionId } = await connectMailbox();
    const site = await makeSite(id, { isActive: false, suspendedReason: "owner" });
    await server.call("PUT", `/api/connections/${connectionId}`, { token, body: { site_ids: [site.id] } });
    mailbox.commands.length = 0;
    const items = [{ channel: "email", id: connectionId }];
    const cleanUp = (options: object = {}) =>
      server.post("/api/idle-connections/cleanup", { items, ...options }, { token });
    const dryRun = await cleanUp({ dry_run: true });
    expect(dryRun.json.results[0]).toMatchObject({
      ok: true,
      plan: { steps: [], hook: "none", shared: false, sites: [{ id: site.id }] },
    });
    const { json } = await cleanUp();
    expect(json.results).toEqual([{ ...items[0], ok: true }]);
    const { receipt } = (await server.get(`/api/connection-cleanups/${json.receipt_id}`, token)).json;
    expect(receipt.items).toMatchObject([{ state: "ok", calls: [] }]);
    expect(mailbox.commands).toEqual([]);
    expect(await prisma().connection.count({ where: { userId: id } })).toBe(0);
  });

  it("is deleted with its account and leaves no teardown task", async () => {
    const { id, token } = await connectMailbox();
    const path = "/api/auth/account/confirm-delete";
    const { json } = await server.post(path, { confirmation: "SİL" }, { token });
    expect(json.channels).toEqual({ cleaned: 0, pending: 0 });
    expect(await prisma().connection.count({ where: { userId: id } })).toBe(0);
    expect(await prisma().teardownTask.count()).toBe(0);
  });
});
