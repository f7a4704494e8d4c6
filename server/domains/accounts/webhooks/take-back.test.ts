import { beforeEach, describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { makeProvenUser, makeToken } from "@/server/testing/factories";
import { newIpAddress } from "@/server/testing/http";
import { resetLimits } from "@/server/testing/limits";
import { linkParam, mailsTo } from "@/server/testing/mailbox";
import { fakeServices } from "@/server/testing/sandboxes";
import { testServer } from "@/server/testing/server";
import { emit } from "./service/events";

/* Webhooks of an account that its owner takes back from an attacker. */

const peer = await fakeServices();
const server = await testServer({ env: { ...peer.env, RATE_LIMITS: "relaxed" } });
const { call, get, post, work } = server;
const received: string[] = [];
peer.onCall = (line) => void received.push(line.slice(line.lastIndexOf("/") + 1));
beforeEach(async () => {
  await resetLimits();
  received.length = 0;
});

let count = 0;
/** An account with two old webhooks and a stolen token. */
async function makeStolenAccount() {
  const number = ++count;
  const { id, email, token } = await makeProvenUser();
  const hook = async (name: string) => {
    const response = await post("/api/webhooks", { url: `${peer.url}/webhook/${name}` }, { token });
    expect(response.status).toBe(201);
    return response.json.webhook.id as number;
  };
  const [changed, unchanged] = [await hook(`taken${number}`), await hook(`kept${number}`)];
  await prisma().webhookEndpoint.updateMany({ where: { userId: id }, data: { createdAt: new Date(0) } });
  const put = async (webhook: number, body: object) =>
    expect((await call("PUT", `/api/webhooks/${webhook}`, { token, body })).status).toBe(200);
  // Changes that keep the URL.
  await put(unchanged, { url: `${peer.url}/webhook/kept${number}`, description: "Desk", is_active: true });
  return { id, email, token, changed, unchanged, put, number, thief: `thief${number}@example.com` };
}
type StolenAccount = Awaited<ReturnType<typeof makeStolenAccount>>;

const ABUSES = [
  [
    "has another URL",
    ({ put, changed, number }: StolenAccount) => put(changed, { url: `${peer.url}/webhook/thief${number}` }),
  ],
  [
    "has another secret",
    async ({ changed, token }: StolenAccount) =>
      expect((await post(`/api/webhooks/${changed}/secret`, {}, { token })).status).toBe(200),
  ],
] as const;

async function expectOnlyUnchanged({ id, unchanged, number }: StolenAccount) {
  await emit(withoutTransaction(), {
    type: "connection.token_dead",
    ownerId: id,
    data: { id: 1, channel: "telegram", label: "Bot", site_ids: [] },
  });
  await work();
  expect(received).toEqual([`kept${number}`]);
  const token = await makeToken(id);
  const { webhooks } = (await get("/api/webhooks", token)).json;
  expect(webhooks.map((webhook: { id: number }) => webhook.id)).toEqual([unchanged]);
}

describe.each(ABUSES)("an old webhook that %s", (_, abuse) => {
  it("is deleted when the owner undoes the change of the e-mail address", async () => {
    const account = await makeStolenAccount();
    await abuse(account);
    const { token, email, thief } = account;
    expect((await call("PUT", "/api/auth/profile", { token, body: { email: thief } })).status).toBe(200);
    const proof = linkParam((await mailsTo(server, thief, "verify_email"))[0]!, "token");
    expect((await post("/api/auth/verify-email", { token: proof })).status).toBe(200);
    const undo = linkParam((await mailsTo(server, email, "email_changed"))[0]!, "token");
    expect((await post("/api/auth/undo-email-change", { token: undo })).status).toBe(200);
    await expectOnlyUnchanged(account);
  });

  it("is deleted when the owner resets the password during a pending address change", async () => {
    const account = await makeStolenAccount();
    await abuse(account);
    const { token, email, thief } = account;
    expect((await call("PUT", "/api/auth/profile", { token, body: { email: thief } })).status).toBe(200);
    await post("/api/auth/forgot-password", { email }, { ip: newIpAddress() });
    const link = linkParam((await mailsTo(server, email, "reset_password"))[0]!, "token");
    const password = "the-owners-own-password";
    const body = { token: link, email, password, password_confirmation: password };
    expect((await post("/api/auth/reset-password", body)).status).toBe(200);
    await expectOnlyUnchanged(account);
  });

  it("is kept when it was changed long before", async () => {
    const account = await makeStolenAccount();
    await abuse(account);
    const { id, token, email, thief, changed, unchanged } = account;
    await prisma().webhookEndpoint.updateMany({
      where: { userId: id, changedAt: { not: null } },
      data: { changedAt: new Date(0) },
    });
    await call("PUT", "/api/auth/profile", { token, body: { email: thief } });
    const proof = linkParam((await mailsTo(server, thief, "verify_email"))[0]!, "token");
    await post("/api/auth/verify-email", { token: proof });
    const undo = linkParam((await mailsTo(server, email, "email_changed"))[0]!, "token");
    expect((await post("/api/auth/undo-email-change", { token: undo })).status).toBe(200);
    const remaining = await prisma().webhookEndpoint.findMany({
      where: { userId: id },
      orderBy: { id: "asc" },
    });
    expect(remaining.map((webhook) => webhook.id)).toEqual([changed, unchanged]);
  });
});
