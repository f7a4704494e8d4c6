import { beforeEach, describe, expect, it } from "vitest";
import { DAY, fromNow, MINUTE } from "@/server/core/time";
import { advanceSubscriptionsJob } from "@/server/domains/billing/subscriptions/jobs";
import { checkConnectionJob } from "@/server/domains/sites/connections/jobs";
import { prisma } from "@/server/infrastructure/database/client";
import { makeProvenUser, makeReseller, makeToken, type makeUser } from "@/server/testing/factories";
import { advanceUntilDone } from "@/server/testing/invoices";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";
import { resumeWebhooksJob } from "./jobs";

const services = await startFakeServices();
const { call, post, runJobs } = await startTestServer({ env: { ...services.env, RATE_LIMITS: "relaxed" } });
const db = prisma();
await db.setting.create({
  data: { key: "bank", value: { holder: "Tellal", iban: "TR330006100519786457841326", bank: "Örnek" } },
});

const receivedEvents = new Map<string, Array<{ type: string; data: Record<string, unknown> }>>();
services.onCall = (line, body) => {
  const [, name] = /^POST \/webhook\/(.+)$/.exec(line) ?? [];
  if (name) receivedEvents.set(name, [...(receivedEvents.get(name) ?? []), JSON.parse(body)]);
};
beforeEach(async () => {
  await resetRateLimits();
  receivedEvents.clear();
});

async function makeAccountWithWebhook(name: string, data: Parameters<typeof makeUser>[0] = {}) {
  const { id, token } = await makeProvenUser(data);
  const webhookId = await createWebhook(token, name);
  return { id, token, name, webhook: webhookId };
}
async function createWebhook(token: string, name: string): Promise<number> {
  const creation = await post("/api/webhooks", { url: `${services.url}/webhook/${name}` }, { token });
  expect(creation.status).toBe(201);
  return creation.json.webhook.id;
}

const admin = await makeAccountWithWebhook("admin", { role: "admin" });
const reseller = await makeAccountWithWebhook("reseller", { role: "reseller" });
await makeReseller(reseller.id, { code: "KAHVE1" });
const otherReseller = await makeAccountWithWebhook("other", { role: "reseller" });
await makeReseller(otherReseller.id, { code: "KAHVE2" });
const customer = await makeAccountWithWebhook("customer", { resellerId: reseller.id });
await makeAccountWithWebhook("stranger");

async function deliverAndExpectOneEvent(type: string) {
  await runJobs();
  const listEvents = (name: string) =>
    (receivedEvents.get(name) ?? []).filter((event) => event.type === type);
  const receivers = [...receivedEvents.keys()].filter((name) => listEvents(name).length > 0).sort();
  const payloads = receivers.flatMap((name) => listEvents(name).map(({ data }) => JSON.stringify(data)));
  expect(payloads, "once each").toHaveLength(receivers.length);
  expect(new Set(payloads).size, "the same to all").toBe(1);
  return { who: receivers, data: JSON.parse(payloads[0]!) };
}
const AUDIENCE = ["admin", "customer", "reseller"];

describe("an event is sent to the account, its reseller and administrators", () => {
  it("when an account is opened", async () => {
    const { status, json } = await post("/api/auth/register", {
      ...{ name: "Ece Kaya", phone: "+905321234567", email: "ece@example.com", referral_code: "KAHVE1" },
      ...{ password: "a-long-passphrase", password_confirmation: "a-long-passphrase" },
      consents: { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true },
    });
    expect(status).toBe(201);
    const { id } = json.user;
    const { who, data } = await deliverAndExpectOneEvent("user.created");
    expect(who).toEqual(["admin", "reseller"]);
    expect(data).toEqual({ id, role: "user", reseller_id: reseller.id, created_at: expect.any(String) });
  });

  it("when a connection's token is refused, and when the connection is cleaned up", async () => {
    const { token } = customer;
    const creation = await post(
      "/api/connections",
      { channel: "telegram", bot_token: `610000009:${"t".repeat(35)}` },
      { token },
    );
    expect(creation.status).toBe(201);
    const { id, label } = creation.json.connection;
    // The token counts as dead if it is refused again at least 10 minutes later.
    services.faults.push({ match: /getMe/, times: 2, response: { status: 401, body: { ok: false } } });
    await checkConnectionJob({ connectionId: id });
    await db.connection.update({ where: { id }, data: { deadSeenAt: fromNow(-11 * MINUTE) } });
    await checkConnectionJob({ connectionId: id });
    const deadTokenEvents = await deliverAndExpectOneEvent("connection.token_dead");
    expect(deadTokenEvents).toEqual({
      who: AUDIENCE,
      data: { id, channel: "telegram", label, site_ids: [] },
    });
    const cleanup = await post(
      "/api/idle-connections/cleanup",
      { items: [{ channel: "telegram", id }] },
      { token },
    );
    expect(cleanup.json.cleaned_count).toBe(1);
    const receipt_id = cleanup.json.receipt_id;
    expect(await deliverAndExpectOneEvent("connection.cleaned")).toEqual({
      who: AUDIENCE,
      data: { id, channel: "telegram", label, receipt_id },
    });
  });

  it("when a subscription is activated, is invoiced and expires", async () => {
    const plan = await db.subscriptionPlan.findFirstOrThrow({ where: { slug: "pro" } });
    await db.billingProfile.create({
      data: {
        ...{ userId: customer.id, kind: "person", title: "Ayşe Kaya", address: "Moda Cad. 1" },
        ...{ district: "Kadıköy", city: "İstanbul" },
      },
    });
    const activation = await post(
      "/api/admin/subscriptions/manual-activate",
      { user_id: customer.id, plan_id: plan.id },
      { token: admin.token },
    );
    expect(activation.status).toBe(201);
    const { id, ends_at } = activation.json.subscription;
    expect(await deliverAndExpectOneEvent("subscription.activated")).toEqual({
      who: AUDIENCE,
      data: { id, plan: plan.name, is_trial: false, user_id: customer.id, ends_at },
    });

    const document = await db.accountingDocument.findFirstOrThrow({
      where: { payment: { userId: customer.id } },
    });
    await advanceUntilDone([document.id]);
    const finishedDocument = await db.accountingDocument.findUniqueOrThrow({ where: { id: document.id } });
    expect(
      await deliverAndExpectOneEvent("invoice.ready"),
      "parents and resellers cannot read invoices",
    ).toEqual({
      who: ["admin", "customer"],
      data: {
        id: document.id,
        payment_id: finishedDocument.paymentId,
        number: finishedDocument.documentNumber,
      },
    });

    await db.subscription.update({
      where: { id },
      data: { startsAt: fromNow(-400 * DAY), endsAt: fromNow(-20 * DAY) },
    });
    await advanceSubscriptionsJob();
    expect(await deliverAndExpectOneEvent("subscription.expired")).toEqual({
      who: AUDIENCE,
      data: { id, plan: plan.name, is_trial: false, user_id: customer.id, ends_at: expect.any(String) },
    });
  });
});

describe("between an event and its delivery", () => {
  let botNumber = 620_000_000;
  const makeCustomer = () => makeAccountWithWebhook("customer", { resellerId: reseller.id });
  const cleanUpConnection = async ({ token }: { token: string }) => {
    const creation = await post(
      "/api/connections",
      { channel: "telegram", bot_token: `${++botNumber}:${"t".repeat(35)}` },
      { token },
    );
    const { id } = creation.json.connection;
    const cleanup = await post(
      "/api/idle-connections/cleanup",
      { items: [{ channel: "telegram", id }] },
      { token },
    );
    expect(cleanup.json.cleaned_count).toBe(1);
  };
  const putAsAdmin = async (path: string, body: object) =>
    expect((await call("PUT", path, { token: admin.token, body })).status).toBe(200);

  it("revoking the token that created the webhook changes nothing", async () => {
    const owner = await makeCustomer();
    const token = await makeToken(owner.id);
    await createWebhook(token, "revoked");
    await cleanUpConnection(owner);
    expect((await post("/api/auth/logout", undefined, { token })).status).toBe(200);
    const { who } = await deliverAndExpectOneEvent("connection.cleaned");
    expect(who).toEqual([...AUDIENCE, "revoked"]);
  });

  it("deleting the webhook cancels the delivery", async () => {
    const owner = await makeCustomer();
    const webhookId = await createWebhook(owner.token, "deleted");
    await cleanUpConnection(owner);
    expect((await call("DELETE", `/api/webhooks/${webhookId}`, { token: owner.token })).status).toBe(200);
    expect((await deliverAndExpectOneEvent("connection.cleaned")).who).toEqual(AUDIENCE);
  });

  it("deactivating the reseller delays the delivery until the account is active again", async () => {
    await cleanUpConnection(await makeCustomer());
    await putAsAdmin(`/api/admin/users/${reseller.id}/status`, { is_active: false, reason: "Unpaid" });
    expect((await deliverAndExpectOneEvent("connection.cleaned")).who).not.toContain("reseller");
    await putAsAdmin(`/api/admin/users/${reseller.id}/status`, { is_active: true, reason: "Paid" });
    await resumeWebhooksJob();
    expect((await deliverAndExpectOneEvent("connection.cleaned")).who).toContain("reseller");
  });

  it("changing the reseller affects only later events", async () => {
    const owner = await makeCustomer();
    await cleanUpConnection(owner);
    await putAsAdmin(`/api/admin/users/${owner.id}/reseller`, {
      reseller_id: otherReseller.id,
      reason: "Moved",
    });
    expect((await deliverAndExpectOneEvent("connection.cleaned")).who).toEqual(AUDIENCE);
    receivedEvents.clear();
    // The change has revoked the account's tokens.
    await cleanUpConnection({ token: await makeToken(owner.id, { provenAt: new Date() }) });
    expect((await deliverAndExpectOneEvent("connection.cleaned")).who).toEqual([
      "admin",
      "customer",
      "other",
    ]);
  });
});
