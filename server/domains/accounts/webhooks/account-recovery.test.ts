import { beforeEach, describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { makeProvenUser, makeToken } from "@/server/testing/factories";
import { createIpAddress } from "@/server/testing/http";
import { deliverAndReadMails, getLinkParam } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";
import { emitWebhookEvent } from "./service/events";

const services = await startFakeServices();
const server = await startTestServer({ env: { ...services.env, RATE_LIMITS: "relaxed" } });
const { call, get, post, runJobs } = server;
const receivedNames: string[] = [];
services.onCall = (line) => void receivedNames.push(line.slice(line.lastIndexOf("/") + 1));
beforeEach(async () => {
  await resetRateLimits();
  receivedNames.length = 0;
});

let accountCount = 0;
async function makeStolenAccount() {
  const number = ++accountCount;
  const { id, email, token } = await makeProvenUser();
  const createWebhook = async (name: string) => {
    const response = await post("/api/webhooks", { url: `${services.url}/webhook/${name}` }, { token });
    expect(response.status).toBe(201);
    return response.json.webhook.id as number;
  };
  const [changedId, unchangedId] = [
    await createWebhook(`taken${number}`),
    await createWebhook(`kept${number}`),
  ];
  await prisma().webhookEndpoint.updateMany({ where: { userId: id }, data: { createdAt: new Date(0) } });
  const putWebhook = async (webhookId: number, body: object) =>
    expect((await call("PUT", `/api/webhooks/${webhookId}`, { token, body })).status).toBe(200);
  // Changes that keep the URL.
  await putWebhook(unchangedId, {
    url: `${services.url}/webhook/kept${number}`,
    description: "Desk",
    is_active: true,
  });
  return {
    id,
    email,
    token,
    changedId,
    unchangedId,
    put: putWebhook,
    number,
    attackerEmail: `thief${number}@example.com`,
  };
}
type StolenAccount = Awaited<ReturnType<typeof makeStolenAccount>>;

const ATTACKS = [
  [
    "has another URL",
    ({ put, changedId, number }: StolenAccount) =>
      put(changedId, { url: `${services.url}/webhook/thief${number}` }),
  ],
  [
    "has another secret",
    async ({ changedId, token }: StolenAccount) =>
      expect((await post(`/api/webhooks/${changedId}/secret`, {}, { token })).status).toBe(200),
  ],
] as const;

async function expectOnlyUnchangedWebhook({ id, unchangedId, number }: StolenAccount) {
  await emitWebhookEvent(withoutTransaction(), {
    type: "connection.token_dead",
    ownerId: id,
    data: { id: 1, channel: "telegram", label: "Bot", site_ids: [] },
  });
  await runJobs();
  expect(receivedNames).toEqual([`kept${number}`]);
  const token = await makeToken(id);
  const { webhooks } = (await get("/api/webhooks", token)).json;
  expect(webhooks.map((webhook: { id: number }) => webhook.id)).toEqual([unchangedId]);
}

describe.each(ATTACKS)("an old webhook that %s", (_, attack) => {
  it("is deleted when the owner undoes the change of the e-mail address", async () => {
    const account = await makeStolenAccount();
    await attack(account);
    const { token, email, attackerEmail } = account;
    expect((await call("PUT", "/api/auth/profile", { token, body: { email: attackerEmail } })).status).toBe(
      200,
    );
    const verifyToken = getLinkParam(
      (await deliverAndReadMails(server, attackerEmail, "verify_email"))[0]!,
      "token",
    );
    expect((await post("/api/auth/verify-email", { token: verifyToken })).status).toBe(200);
    const undoToken = getLinkParam((await deliverAndReadMails(server, email, "email_changed"))[0]!, "token");
    expect((await post("/api/auth/undo-email-change", { token: undoToken })).status).toBe(200);
    await expectOnlyUnchangedWebhook(account);
  });

  it("is deleted when the owner resets the password during a pending address change", async () => {
    const account = await makeStolenAccount();
    await attack(account);
    const { token, email, attackerEmail } = account;
    expect((await call("PUT", "/api/auth/profile", { token, body: { email: attackerEmail } })).status).toBe(
      200,
    );
    await post("/api/auth/forgot-password", { email }, { ip: createIpAddress() });
    const resetToken = getLinkParam(
      (await deliverAndReadMails(server, email, "reset_password"))[0]!,
      "token",
    );
    const password = "the-owners-own-password";
    const body = { token: resetToken, email, password, password_confirmation: password };
    expect((await post("/api/auth/reset-password", body)).status).toBe(200);
    await expectOnlyUnchangedWebhook(account);
  });

  it("is kept when it was changed long before", async () => {
    const account = await makeStolenAccount();
    await attack(account);
    const { id, token, email, attackerEmail, changedId, unchangedId } = account;
    await prisma().webhookEndpoint.updateMany({
      where: { userId: id, changedAt: { not: null } },
      data: { changedAt: new Date(0) },
    });
    await call("PUT", "/api/auth/profile", { token, body: { email: attackerEmail } });
    const verifyToken = getLinkParam(
      (await deliverAndReadMails(server, attackerEmail, "verify_email"))[0]!,
      "token",
    );
    await post("/api/auth/verify-email", { token: verifyToken });
    const undoToken = getLinkParam((await deliverAndReadMails(server, email, "email_changed"))[0]!, "token");
    expect((await post("/api/auth/undo-email-change", { token: undoToken })).status).toBe(200);
    const remainingWebhooks = await prisma().webhookEndpoint.findMany({
      where: { userId: id },
      orderBy: { id: "asc" },
    });
    expect(remainingWebhooks.map((webhook) => webhook.id)).toEqual([changedId, unchangedId]);
  });
});
