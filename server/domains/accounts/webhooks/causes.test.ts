import { beforeEach, describe, expect, it } from "vitest";
import { DAY, fromNow, MINUTE } from "@/server/core/time";
import { advanceSubscriptionsJob } from "@/server/domains/billing/subscriptions/jobs";
import { checkConnectionJob } from "@/server/domains/sites/connections/jobs";
import { prisma } from "@/server/infrastructure/database/client";
import { makeProvenUser, makeReseller, makeToken, type makeUser } from "@/server/testing/factories";
import { advanceUntilDone } from "@/server/testing/invoices";
import { resetLimits } from "@/server/testing/limits";
import { fakeServices } from "@/server/testing/sandboxes";
import { testServer } from "@/server/testing/server";
import { resumeWebhooksJob } from "./jobs";

const peer = await fakeServices();
const { call, post, work } = await testServer({ env: { ...peer.env, RATE_LIMITS: "relaxed" } });
const db = prisma();
await db.setting.create({
  data: { key: "bank", value: { holder: "Tellal", iban: "TR330006100519786457841326", bank: "Örnek" } },
});

const received = new Map<string, Array<{ type: string; data: Record<string, unknown> }>>();
peer.onCall = (line, body) => {
  const [, name] = /^POST \/webhook\/(.+)$/.exec(line) ?? [];
  if (name) received.set(name, [...(received.get(name) ?? []), JSON.parse(body)]);
};
beforeEach(async () => {
  await resetLimits();
  received.clear();
});

async function person(name: string, data: Parameters<typeof makeUser>[0] = {}) {
  const { id, token } = await makeProvenUser(data);
  const webhook = await listen(token, name);
  return { id, token, name, webhook };
}
async function listen(token: string, name: string): Promise<number> {
  const response = await post("/api/webhooks", { url: `${peer.url}/webhook/${name}` }, { token });
  expect(response.status).toBe(201);
  return response.json.webhook.id;
}

const admin = await person("admin", { role: "admin" });
const reseller = await person("reseller", { role: "reseller" });
await makeReseller(reseller.id, { code: "KAHVE1" });
const other = await person("other", { role: "reseller" });
await makeReseller(other.id, { code: "KAHVE2" });
const customer = await person("customer", { resellerId: reseller.id });
await person("stranger");

/** Runs the jobs; returns the receivers of an event type and the data. */
async function deliveredEvents(type: string) {
  await work();
  const of = (name: string) => (received.get(name) ?? []).filter((event) => event.type === type);
  const who = [...received.keys()].filter((name) => of(name).length > 0).sort();
  const payloads = who.flatMap((name) => of(name).map(({ data }) => JSON.stringify(data)));
  expect(payloads, "once each").toHaveLength(who.length);
  expect(new Set(payloads).size, "the same to all").toBe(1);
  return { who, data: JSON.parse(payloads[0]!) };
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
    const { who, data } = await deliveredEvents("user.created");
    expect(who).toEqual(["admin", "reseller"]);
    expect(data).toEqual({ id, role: "user", reseller_id: reseller.id, created_at: expect.any(String) });
  });

  it("when the token of a connection is refused, and when it is cleaned up", async () => {
    const { token } = customer;
    const response = await post(
      "/api/connections",
      { channel: "telegram", bot_token: `610000009:${"t".repeat(35)}` },
      { token },
    );
    expect(response.status).toBe(201);
    const { id, label } = response.json.connection;
    peer.faults.push({ match: /getMe/, times: 2, response: { status: 401, body: { ok: false } } });
    await checkConnectionJob({ connectionId: id });
    await db.connection.update({ where: { id }, data: { deadSeenAt: fromNow(-11 * MINUTE) } });
    await checkConnectionJob({ connectionId: id });
    const refused = await deliveredEvents("connection.token_dead");
    expect(refused).toEqual({ who: AUDIENCE, data: { id, channel: "telegram", label, site_ids: [] } });
    const cleaned = await post(
      "/api/idle-connections/cleanup",
      { items: [{ channel: "telegram", id }] },
      { token },
    );
    expect(cleaned.json.cleaned_count).toBe(1);
    const receipt_id = cleaned.json.receipt_id;
    expect(await deliveredEvents("connection.cleaned")).toEqual({
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
    const activated = await post(
      "/api/admin/subscriptions/manual-activate",
      { user_id: customer.id, plan_id: plan.id },
      { token: admin.token },
    );
    expect(activated.status).toBe(201);
    const { id, ends_at } = activated.json.subscription;
    expect(await deliveredEvents("subscription.activated")).toEqual({
      who: AUDIENCE,
      data: { id, plan: plan.name, user_id: customer.id, ends_at },
    });

    const document = await db.accountingDocument.findFirstOrThrow({
      where: { payment: { userId: customer.id } },
    });
    await advanceUntilDone([document.id]);
    const done = await db.accountingDocument.findUniqueOrThrow({ where: { id: document.id } });
    expect(await deliveredEvents("invoice.ready"), "those above do not read invoices").toEqual({
      who: ["admin", "customer"],
      data: { id: document.id, payment_id: done.paymentId, number: done.documentNumber },
    });

    await db.subscription.update({
      where: { id },
      data: { startsAt: fromNow(-400 * DAY), endsAt: fromNow(-20 * DAY) },
    });
    await advanceSubscriptionsJob();
    expect(await deliveredEvents("subscription.expired")).toEqual({
      who: AUDIENCE,
      data: { id, plan: plan.name, user_id: customer.id, ends_at: expect.any(String) },
    });
  });
});

describe("between an event and its delivery", () => {
  let bots = 620_000_000;
  const makeCustomer = () => person("customer", { resellerId: reseller.id });
  const cause = async ({ token }: { token: string }) => {
    const response = await post(
      "/api/connections",
      { channel: "telegram", bot_token: `${++bots}:${"t".repeat(35)}` },
      { token },
    );
    const { id } = response.json.connection;
    const cleaned = await post(
      "/api/idle-connections/cleanup",
      { items: [{ channel: "telegram", id }] },
      { token },
    );
    expect(cleaned.json.cleaned_count).toBe(1);
  };
  const asAdmin = async (path: string, body: object) =>
    expect((await call("PUT", path, { token: admin.token, body })).status).toBe(200);

  it("revoking the token that created the endpoint changes nothing", async () => {
    const owner = await makeCustomer();
    const token = await makeToken(owner.id);
    await listen(token, "revoked");
    await cause(owner);
    expect((await post("/api/auth/logout", undefined, { token })).status).toBe(200);
    const { who } = await deliveredEvents("connection.cleaned");
    expect(who).toEqual([...AUDIENCE, "revoked"]);
  });

  it("deleting the endpoint cancels the delivery", async () => {
    const owner = await makeCustomer();
    const webhook = await listen(owner.token, "deleted");
    await cause(owner);
    expect((await call("DELETE", `/api/webhooks/${webhook}`, { token: owner.token })).status).toBe(200);
    expect((await deliveredEvents("connection.cleaned")).who).toEqual(AUDIENCE);
  });

  it("deactivating the reseller delays the delivery until the account is active again", async () => {
    await cause(await makeCustomer());
    await asAdmin(`/api/admin/users/${reseller.id}/status`, { is_active: false, reason: "Unpaid" });
    expect((await deliveredEvents("connection.cleaned")).who).not.toContain("reseller");
    await asAdmin(`/api/admin/users/${reseller.id}/status`, { is_active: true, reason: "Paid" });
    await resumeWebhooksJob();
    expect((await deliveredEvents("connection.cleaned")).who).toContain("reseller");
  });

  it("changing the reseller affects only later events", async () => {
    const owner = await makeCustomer();
    await cause(owner);
    await asAdmin(`/api/admin/users/${owner.id}/reseller`, { reseller_id: other.id, reason: "Moved" });
    expect((await deliveredEvents("connection.cleaned")).who).toEqual(AUDIENCE);
    received.clear();
    // The change has revoked the account's tokens.
    await cause({ token: await makeToken(owner.id, { provenAt: new Date() }) });
    expect((await deliveredEvents("connection.cleaned")).who).toEqual(["admin", "customer", "other"]);
  });
});
