import { describe, expect, it } from "vitest";
import { DAY, fromNow, HOUR } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import {
  makeProvenUser,
  makeReseller,
  makeSite,
  makeSubscription,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { countRows } from "@/server/testing/hostile-values";
import { startTestServer } from "@/server/testing/server";
import { SITE_DEFAULTS } from "./policy";

const { get, post } = await startTestServer();

let domainCount = 0;
const newDomain = () => `new-${++domainCount}.example.com`;
const createSite = (token: string, body: object = {}) =>
  post("/api/sites", { name: "Kaya Kahve", domain: newDomain(), ...body }, { token });

async function makeSignedReseller() {
  const reseller = await makeProvenUser({ role: "reseller" });
  await makeReseller(reseller.id);
  return reseller;
}

describe("access to sites", () => {
  const makeAccountsWithSites = async () => {
    const admin = await makeProvenUser({ role: "admin" });
    const reseller = await makeSignedReseller();
    const otherReseller = await makeSignedReseller();
    const customer = await makeProvenUser({ resellerId: reseller.id });
    const sub = await makeProvenUser({ parentUserId: customer.id });
    const stranger = await makeProvenUser();
    const site = await makeSite(customer.id, { systemPrompt: "canary-prompt" });
    const subSite = await makeSite(sub.id);
    const dealerSite = await makeSite(reseller.id);
    const foreign = await makeSite(stranger.id);
    const agent = await makeProvenUser({
      isAgentOnly: true,
      parentUserId: customer.id,
      assignedSiteId: site.id,
    });
    const unassignedAgent = await makeProvenUser({ isAgentOnly: true, parentUserId: customer.id });
    return {
      sites: { site: site.id, subSite: subSite.id, dealerSite: dealerSite.id, foreign: foreign.id },
      reach: [
        [customer.token, ["site", "subSite"]],
        [sub.token, ["subSite"]],
        [reseller.token, ["site", "subSite", "dealerSite"]],
        [otherReseller.token, []],
        [stranger.token, ["foreign"]],
        [agent.token, ["site"]],
        [unassignedAgent.token, []],
        [admin.token, ["site", "subSite", "dealerSite", "foreign"]],
      ] as Array<[string, string[]]>,
      agent,
      customer,
    };
  };

  it("covers own, sub-accounts' and customers' sites, an agent's assigned site, and all for administrators", async () => {
    const { sites, reach, agent, customer } = await makeAccountsWithSites();
    for (const [index, [token, reachableNames]] of reach.entries()) {
      const listedIds = (await get("/api/sites", token)).json.data.map(({ id }: { id: number }) => id);
      const ownIds = Object.values(sites).filter((id) => listedIds.includes(id));
      expect(ownIds, `person ${index}`).toEqual(
        reachableNames.map((name) => sites[name as keyof typeof sites]),
      );
      // Index 7 is the administrator, who also sees the sites of other tests.
      if (index < 7) expect(listedIds).toEqual(ownIds);
      for (const [name, id] of Object.entries(sites)) {
        const { status, text, json } = await get(`/api/sites/${id}`, token);
        if (reachableNames.includes(name))
          expect({ status, id: json.data.id, faqs_count: json.data.faqs_count }).toEqual({
            status: 200,
            id,
            faqs_count: 0,
          });
        else
          expect({ status, text }, `person ${index} ${name}`).toEqual({
            status: 403,
            text: '{"message":"This action is unauthorized."}',
          });
      }
    }
    const agentResponse = await get(`/api/sites/${sites.site}`, agent.token);
    const list = await get("/api/sites", agent.token);
    expect(agentResponse.text + list.text).not.toContain("canary-prompt");
    expect((await get(`/api/sites/${sites.site}`, customer.token)).json.data.system_prompt).toBe(
      "canary-prompt",
    );
  });

  it("gives an agent no access to sites of their own", async () => {
    const agent = await makeProvenUser({ isAgentOnly: true });
    const ownSite = await makeSite(agent.id);
    expect((await get("/api/sites", agent.token)).json).toEqual({ data: [] });
    expect((await get(`/api/sites/${ownSite.id}`, agent.token)).status).toBe(403);
  });

  it("follows changes of agent, customer and role with the next request", async () => {
    const reseller = await makeSignedReseller();
    const customer = await makeProvenUser({ resellerId: reseller.id });
    const site = await makeSite(customer.id);
    const agent = await makeProvenUser({ isAgentOnly: true, assignedSiteId: site.id });
    const getStatus = async (token: string) => (await get(`/api/sites/${site.id}`, token)).status;
    expect([await getStatus(reseller.token), await getStatus(agent.token)]).toEqual([200, 200]);
    await prisma().user.update({ where: { id: agent.id }, data: { assignedSiteId: null } });
    await prisma().user.update({ where: { id: reseller.id }, data: { role: "user" } });
    expect([await getStatus(reseller.token), await getStatus(agent.token)]).toEqual([403, 403]);
    await prisma().user.update({ where: { id: reseller.id }, data: { role: "reseller" } });
    await prisma().user.update({ where: { id: customer.id }, data: { resellerId: null } });
    expect(await getStatus(reseller.token)).toBe(403);
  });

  it("returns the documented 404 for an unknown site", async () => {
    const { token } = await makeProvenUser();
    const { status, json } = await get("/api/sites/2147483647", token);
    expect({ status, json }).toEqual({
      status: 404,
      json: { message: "No query results for model [App\\Models\\Site] 2147483647" },
    });
  });
});

describe("creating a site", () => {
  it("uses a free slot and returns the full key once", async () => {
    const { id, token } = await makeProvenUser();
    const subscription = await makeSubscription(id, { slots: 2 });
    const { status, json } = await createSite(token, {
      domain: "https://WWW.Kahve.example.com:8443/menu?x#y",
    });
    expect(status).toBe(201);
    expect(json).toEqual({
      success: true,
      site: {
        id: expect.any(Number),
        name: "Kaya Kahve",
        domain: "www.kahve.example.com",
        api_key: expect.stringMatching(/^dsk_[0-9A-Za-z]{49}$/),
        user_id: id,
        subscription_id: subscription.id,
        is_active: true,
        created_at: expect.any(String),
      },
      billing: { mode: "subscription_slot", remaining_slots: 1 },
    });
    const key = json.site.api_key as string;
    const masked = `dsk_****${key.slice(-4)}`;
    const detail = await get(`/api/sites/${json.site.id}`, token);
    const list = await get("/api/sites", token);
    expect([detail.json.data.api_key, list.json.data[0].api_key]).toEqual([masked, masked]);
    expect(detail.json.data).toMatchObject({ ...json.site, api_key: masked });
    const profile = await get("/api/auth/user", token);
    expect(detail.text + list.text + profile.text).not.toContain(key);
    expect(JSON.stringify(await prisma().site.findMany())).not.toContain(key.slice(4));
    expect(detail.json.data).toMatchObject({
      widget_color: "#4F46E5",
      widget_position: "bottom-right",
      welcome_message: "",
      ai_enabled: true,
      similarity_threshold: 0.75,
      ai_provider_api_key: null,
      settings: { max_messages_per_session: 50 },
    });
  });

  it("stores the documented fields and ignores all others", async () => {
    const { id, token } = await makeProvenUser();
    await makeSubscription(id);
    const input = {
      name: "a".repeat(255),
      widget_color: "#aabbcc",
      widget_position: "bottom-left",
      welcome_message: "Hoş geldiniz\nNasıl yardımcı olabiliriz?",
      bot_name: "Ada",
      ai_enabled: "0",
      similarity_threshold: 0.25,
      system_prompt: "Kısa yanıt ver.",
    };
    const undocumentedFields = {
      id: 1,
      user_id: 1,
      subscription_id: null,
      is_active: false,
      api_key: "dsk_mine",
      ai_provider_api_key: "sk-mine",
      settings: { max_messages_per_session: 9999 },
      faqs_count: 7,
      created_at: "2000-01-01T00:00:00.000000Z",
      role: "admin",
      credits: 9,
    };
    const { status, json } = await createSite(token, { ...input, ...undocumentedFields });
    expect(status).toBe(201);
    const { data } = (await get(`/api/sites/${json.site.id}`, token)).json;
    expect(data).toMatchObject({ ...input, widget_color: "#aabbcc", ai_enabled: false });
    expect(data).toMatchObject({ user_id: id, is_active: true, ai_provider_api_key: null, faqs_count: 0 });
    expect(data.settings.max_messages_per_session).toBe(50);
  });

  it("starts with SITE_DEFAULTS, which equal the defaults of the table's columns", async () => {
    const { id, token } = await makeProvenUser();
    await makeSubscription(id);
    const { site } = (await createSite(token)).json;
    const { id: insertedId } = await makeSite(id, { botName: undefined });
    for (const siteId of [site.id, insertedId]) {
      expect((await get(`/api/sites/${siteId}`, token)).json.data).toMatchObject(SITE_DEFAULTS);
    }
  });

  it("without a slot, asks a reseller to confirm, then opens a licence for 3999 TRY", async () => {
    const { id, token } = await makeSignedReseller();
    const rowCounts = await countRows();
    const response = await createSite(token);
    expect({ status: response.status, json: response.json }).toEqual({
      status: 402,
      json: {
        success: false,
        error: expect.any(String),
        requires_confirmation: true,
        billing_mode: "pay_per_site",
        annual_price_try: 3999,
      },
    });
    for (const falsyValue of [false, 0, "0", null])
      expect((await createSite(token, { confirm_pay_per_site: falsyValue })).status).toBe(402);
    expect(await countRows()).toEqual(rowCounts);
    for (const flag of ["confirm_pay_per_site", "confirm_paid_site"]) {
      const { status, json } = await createSite(token, { [flag]: true });
      expect({ status, subscription_id: json.site.subscription_id }).toEqual({
        status: 201,
        subscription_id: null,
      });
      expect(json.billing).toMatchObject({
        mode: "pay_per_site",
        annual_price_try: 3999,
        license_status: "pending",
      });
      const licence = await prisma().siteLicence.findUniqueOrThrow({
        where: { id: json.billing.license_id },
      });
      expect(licence).toMatchObject({ userId: id, siteId: json.site.id, priceTry: 3999, status: "pending" });
      const days = (licence.payBy.getTime() - Date.now()) / 86_400_000;
      expect(Math.round(days), "LICENCE_PAYMENT_DAYS").toBe(14);
      expect(json.billing.period_end.slice(0, 4)).toBe(String(new Date().getUTCFullYear() + 1));
    }
  });

  it("without a signed agreement, opens no licence for a reseller but uses their slots", async () => {
    const reseller = await makeProvenUser({ role: "reseller" });
    for (const agreementState of ["none", "unsigned"]) {
      if (agreementState === "unsigned") await makeReseller(reseller.id, { signed: false });
      expect((await createSite(reseller.token)).status, "the price is named to anyone").toBe(402);
      for (const body of [{ confirm_pay_per_site: true }, { confirm_paid_site: true }]) {
        const { status, json } = await createSite(reseller.token, body);
        expect({ status, json }).toEqual({
          status: 403,
          json: { success: false, error: expect.any(String) },
        });
      }
    }
    expect(await prisma().siteLicence.count({ where: { userId: reseller.id } })).toBe(0);
    await makeSubscription(reseller.id, { slots: 1 });
    expect((await createSite(reseller.token)).status).toBe(201);
    expect((await createSite(reseller.token, { confirm_pay_per_site: true })).status).toBe(403);
  });

  it("uses a reseller's free slot before asking for a licence", async () => {
    const { id, token } = await makeSignedReseller();
    await makeSubscription(id, { slots: 1 });
    expect((await createSite(token, { confirm_pay_per_site: true })).json.billing).toEqual({
      mode: "subscription_slot",
      remaining_slots: 0,
    });
    expect((await createSite(token)).status).toBe(402);
  });

  it("without a slot, asks other callers to upgrade; rejects agents even with a slot", async () => {
    const { id, token } = await makeProvenUser();
    for (const body of [{}, { confirm_pay_per_site: true }, { confirm_paid_site: true }]) {
      const { status, json } = await createSite(token, body);
      expect({ status, json }).toEqual({
        status: 403,
        json: { success: false, error: expect.any(String), requires_upgrade: true },
      });
    }
    const subscription = await makeSubscription(id, { slots: 1 });
    await prisma().subscription.update({
      where: { id: subscription.id },
      data: { startsAt: fromNow(-99 * DAY) },
    });
    for (const data of [
      { status: "expired" },
      { status: "cancelled" },
      { status: "pending" },
      { status: "active", endsAt: fromNow(-7 * DAY) },
      { status: "past_due", endsAt: fromNow(-7 * DAY) },
    ] as const) {
      await prisma().subscription.update({ where: { id: subscription.id }, data });
      expect((await createSite(token)).status, JSON.stringify(data)).toBe(403);
    }
    const graceColumns = { status: "past_due", endsAt: fromNow(-7 * DAY + HOUR) } as const;
    await prisma().subscription.update({ where: { id: subscription.id }, data: graceColumns });
    expect((await createSite(token)).status, "its slots stay for a week").toBe(201);
    const agent = await makeProvenUser({ isAgentOnly: true });
    await makeSubscription(agent.id);
    expect((await createSite(agent.token)).text).toBe('{"message":"This action is unauthorized."}');
  });

  it("fills the subscription that ends first; a suspended site keeps its slot", async () => {
    const { id, token } = await makeProvenUser();
    const laterSubscription = await makeSubscription(id, { slots: 1, days: 300 });
    const earlierSubscription = await makeSubscription(id, { slots: 1, days: 30 });
    const firstCreation = await createSite(token);
    expect({
      subscription_id: firstCreation.json.site.subscription_id,
      remaining_slots: firstCreation.json.billing.remaining_slots,
    }).toEqual({ subscription_id: earlierSubscription.id, remaining_slots: 1 });
    expect((await post(`/api/sites/${firstCreation.json.site.id}/suspend`, {}, { token })).status).toBe(200);
    expect((await createSite(token)).json.site.subscription_id).toBe(laterSubscription.id);
    expect((await createSite(token)).status).toBe(403);
  });

  it.each([
    ["name", [null, "", " ", "a".repeat(256), "a\nb", "a\u202eb"]],
    [
      "domain",
      [
        null,
        "",
        "localhost",
        "a.localhost",
        "kahve",
        "127.0.0.1",
        "0x7f.1",
        "2130706433",
        "[::1]",
        "a b.com",
        "a_b.com",
        "-a.com",
        "a..com",
        "a.com@b.com",
        "user:pw@a.com",
        "http://",
        "//a.com",
        "a.com\\b",
        "*.a.com",
        "a.com\u0000",
        `${"a".repeat(64)}.com`,
        "a.c",
        "a.1",
        "xn--a.com",
      ],
    ],
    ["widget_color", ["red", "#FF", "#FFFF", "#GGG", "#GGGGGG", "#FFFFFF;", "#FFFFFFFF"]],
    ["widget_position", ["top", "bottom", "BOTTOM-LEFT"]],
    ["similarity_threshold", [-0.01, 1.01, "0.5"]],
    ["ai_enabled", ["yes", 2, "TRUE"]],
    ["welcome_message", ["a".repeat(501), "a\u0000"]],
    ["bot_name", ["a".repeat(61), "a\u2028b"]],
    ["system_prompt", ["a".repeat(8001)]],
  ])("rejects an invalid %s", async (field, values) => {
    const { id, token } = await makeProvenUser();
    await makeSubscription(id);
    for (const value of values) {
      const { status, json } = await createSite(token, { [field]: value });
      expect(status, JSON.stringify(value)).toBe(422);
      expect(Object.keys(json.errors ?? {}), JSON.stringify(value)).toEqual([field]);
    }
    expect(await prisma().site.count({ where: { userId: id } })).toBe(0);
  });

  it("limits an account to 30 creations an hour, across its tokens", async () => {
    const { id, token } = await makeProvenUser();
    const otherToken = await makeToken(id);
    const responses = await runConcurrently(40, (index) => createSite(index % 2 ? token : otherToken));
    expect(countByStatus(responses)).toEqual({ 403: 30, 429: 10 });
  });
});

describe("concurrent creations", () => {
  it("give the last slot to one of 50, in twenty rounds", async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = await makeUser();
      await makeSubscription(id, { slots: 1 });
      // The last twenty calls exceed the account's limit of 30 an hour.
      const token = await makeToken(id);
      const counts = countByStatus(await runConcurrently(50, () => createSite(token)));
      expect(counts).toEqual({ 201: 1, 403: 29, 429: 20 });
      expect(await prisma().site.count({ where: { userId: id } })).toBe(1);
    }
  });

  it("give a domain to one of 50 accounts, in any spelling", async () => {
    const accounts = await runConcurrently(50, async () => {
      const account = await makeProvenUser();
      await makeSubscription(account.id, { slots: 1 });
      return account;
    });
    const spellings = [
      "bücher.example.com",
      "BÜCHER.EXAMPLE.COM",
      "xn--bcher-kva.example.com",
      "XN--BCHER-KVA.example.com",
      "bücher.example.com.",
      "http://bücher.example.com",
      "https://bücher.example.com/",
      "HTTPS://Bücher.Example.Com:443/a/b?c=d#e",
      " bücher.example.com ",
      "bu\u0308cher.example.com",
      "ｂücher.example.com",
      "bücher。example。com",
      "bücher.example.com:8080",
      "ftp://bücher.example.com",
      "bü\u00adcher.example.com",
      "wss://bücher.example.com#x",
      "bücher.example.com/../x",
    ];
    const responses = await runConcurrently(50, (index) =>
      createSite(accounts[index]!.token, { domain: spellings[index % spellings.length] }),
    );
    expect(countByStatus(responses)).toEqual({ 201: 1, 422: 49 });
    for (const { status, json } of responses)
      if (status === 422) expect(Object.keys(json.errors)).toEqual(["domain"]);
    expect(await prisma().site.count({ where: { domain: "xn--bcher-kva.example.com" } })).toBe(1);
  });

  it("open one licence for ten equal confirmations", async () => {
    for (let round = 0; round < 5; round++) {
      const { id, token } = await makeSignedReseller();
      const domain = newDomain();
      const responses = await runConcurrently(10, () =>
        createSite(token, { domain, confirm_pay_per_site: true }),
      );
      expect(countByStatus(responses)).toEqual({ 201: 1, 422: 9 });
      expect(await prisma().siteLicence.count({ where: { userId: id } })).toBe(1);
    }
  });
});

describe("the billing forecast", () => {
  it("agrees with creation and changes nothing", async () => {
    const { id, token } = await makeProvenUser();
    const getForecast = async (callerToken: string) =>
      (await get("/api/sites/billing-forecast", callerToken)).json;
    expect(await getForecast(token)).toMatchObject({ mode: "upgrade", total_slots: 0, subscription: null });
    const subscription = await makeSubscription(id, { slots: 2, plan: "starter" });
    await createSite(token);
    const rowCounts = await countRows();
    expect(await getForecast(token)).toMatchObject({
      mode: "subscription_slot",
      total_slots: 2,
      used_slots: 1,
      remaining_slots: 1,
      subscription: { id: subscription.id, plan: "Starter" },
      annual_price_try: 3999,
    });
    expect(await countRows()).toEqual(rowCounts);
    expect((await getForecast((await makeSignedReseller()).token)).mode).toBe("pay_per_site");
  });
});

describe("plans", () => {
  it("lists the four active plans in order, with translated texts", async () => {
    const { token } = await makeProvenUser();
    const { json } = await get("/api/subscription-plans", token);
    expect(json.data.map(({ name }: { name: string }) => name)).toEqual([
      "Starter",
      "Pro",
      "Premium",
      "Ultimate",
    ]);
    expect(json.count).toBe(4);
    for (const plan of json.data) {
      expect(plan.description).not.toContain("plans.");
      for (const feature of plan.features) expect(feature).not.toMatch(/plans\.|_/);
    }
    await prisma().subscriptionPlan.update({ where: { slug: "pro" }, data: { isActive: false } });
    expect((await get("/api/subscription-plans", token)).json.count).toBe(3);
    await prisma().subscriptionPlan.update({ where: { slug: "pro" }, data: { isActive: true } });
  });
});
