import { expect, it } from "vitest";
import { emitWebhookEvent } from "@/server/domains/accounts/webhooks/service/events";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { makeSignedInUser, makeToken, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { call, get, post } = server;

async function emitAndReadAudience(): Promise<number[]> {
  const stranger = await makeUser();
  const earlierEventCount = await prisma().webhookEvent.count();
  await emitWebhookEvent(withoutTransaction(), {
    type: "connection.token_dead",
    ownerId: stranger.id,
    data: { id: 1, channel: "telegram", label: "Bot", site_ids: [] },
  });
  const events = await prisma().webhookEvent.findMany({ orderBy: { createdAt: "desc" } });
  return events.length > earlierEventCount ? events[0]!.audience : [];
}

it.each(["admin", "reseller"] as const)(
  "disables the webhooks of an account that becomes %s",
  async (role) => {
    const admin = await makeUser({ role: "admin" });
    const { token: ownerToken, ...person } = await makeSignedInUser();
    expect(
      (await post("/api/webhooks", { url: "https://thief.example.com/" }, { token: ownerToken })).status,
    ).toBe(201);
    const { status } = await call("PUT", `/api/admin/users/${person.id}/role`, {
      token: await makeToken(admin.id, { provenAt: new Date() }),
      body: {
        role,
        reason: "Joins the desk",
        email: person.email,
        ...(role === "reseller" && { agreement_signed: true }),
      },
    });
    expect(status).toBe(200);
    const token = await makeToken(person.id);
    const { webhooks } = (await get("/api/webhooks", token)).json;
    expect(webhooks).toMatchObject([{ is_active: false }]);
    expect(await emitAndReadAudience()).not.toContain(person.id);
    const path = `/api/webhooks/${webhooks[0].id}`;
    expect((await call("PUT", path, { token, body: { is_active: true } })).status).toBe(200);
    if (role === "admin") expect(await emitAndReadAudience()).toContain(person.id);
  },
);
