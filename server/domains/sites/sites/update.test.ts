import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { unseal } from "@/server/infrastructure/secrets/seal";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";

const { call, get } = await startTestServer();

async function makeOwnerWithSite(data: Parameters<typeof makeSite>[1] = {}) {
  const { id } = await makeUser();
  const site = await makeSite(id, data);
  return { id, token: await makeToken(id), site };
}

const updateSite = (siteId: number, body: object, token: string) =>
  call("PUT", `/api/sites/${siteId}`, { token, body });
const findSiteRow = (id: number) => prisma().site.findUniqueOrThrow({ where: { id } });

const ALL_SETTINGS = {
  name: "Iğdır Çay Evi",
  widget_color: "#abc",
  widget_position: "bottom-left",
  welcome_message: "Merhaba",
  bot_name: "Deniz",
  ai_enabled: false,
  similarity_threshold: 0.3,
  system_prompt: "Kısa yanıt ver.",
  settings: { max_messages_per_session: 7 },
};

describe("updating a site", () => {
  it("accepts every field of creation and the message limit", async () => {
    const { token, site } = await makeOwnerWithSite();
    const input = { ...ALL_SETTINGS, domain: "https://ÇAY.example.com/menu" };
    const { status, json } = await updateSite(site.id, input, token);
    expect(status).toBe(200);
    const expected = { ...input, domain: "xn--ay-3ia.example.com", widget_color: "#aabbcc" };
    expect(json).toMatchObject({ success: true, message: expect.any(String), data: expected });
    expect(json.data).toEqual((await get(`/api/sites/${site.id}`, token)).json.data);
    for (const words of ["igdir", "çay.example"]) {
      const result = await get(`/api/sites?q=${encodeURIComponent(words)}`, token);
      expect(result.json.data.map(({ id }: { id: number }) => id)).toEqual([site.id]);
    }
    expect(json.data.updated_at > json.data.created_at).toBe(true);
  });

  it("keeps omitted fields; null restores the default; name and domain stay required", async () => {
    const { token, site } = await makeOwnerWithSite({
      botName: "Ada",
      systemPrompt: "P",
      welcomeMessage: "W",
    });
    const before = await findSiteRow(site.id);
    expect((await updateSite(site.id, {}, token)).status).toBe(200);
    expect(await findSiteRow(site.id)).toEqual(before);
    expect((await updateSite(site.id, { bot_name: "" }, token)).json.data).toMatchObject({
      bot_name: "",
      system_prompt: "P",
      welcome_message: "W",
    });
    const defaults = {
      widget_color: null,
      similarity_threshold: null,
      settings: { max_messages_per_session: null },
    };
    await updateSite(site.id, ALL_SETTINGS, token);
    expect((await updateSite(site.id, defaults, token)).json.data).toMatchObject({
      widget_color: "#4F46E5",
      similarity_threshold: 0.75,
      settings: { max_messages_per_session: 50 },
      bot_name: "Deniz",
    });
    for (const field of ["name", "domain"]) {
      const { status, json } = await updateSite(site.id, { [field]: " " }, token);
      expect(status).toBe(422);
      expect(Object.keys(json.errors)).toEqual([field]);
    }
  });

  it.each([0, -1, 1001, 1.5, "5"])("refuses a limit of %s messages", async (maxMessages) => {
    const { token, site } = await makeOwnerWithSite();
    const body = { settings: { max_messages_per_session: maxMessages } };
    const { status, json } = await updateSite(site.id, body, token);
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(["settings.max_messages_per_session"]);
  });

  it("ignores fields that are not documented", async () => {
    const { id, token, site } = await makeOwnerWithSite();
    const before = await findSiteRow(site.id);
    const stranger = await makeUser();
    await updateSite(
      site.id,
      {
        user_id: stranger.id,
        subscription_id: 1,
        is_active: false,
        api_key: "dsk_x",
        faqs_count: 9,
        deleted_at: null,
      },
      token,
    );
    expect(await findSiteRow(site.id)).toEqual(before);
    expect(before.userId).toBe(id);
  });

  it("seals the provider key and never returns it; null deletes it", async () => {
    const { token, site } = await makeOwnerWithSite();
    const key = "sk-test-1234567890-8f2a";
    const response = await updateSite(site.id, { ai_provider_api_key: key }, token);
    expect(response).toMatchObject({ status: 200, json: { data: { ai_provider_api_key: "****8f2a" } } });
    expect(response.text).not.toContain(key);
    const row = await findSiteRow(site.id);
    expect(unseal(row.aiProviderKeySealed!, "ai_provider_key")).toBe(key);
    expect(JSON.stringify(row)).not.toContain(key);
    expect((await updateSite(site.id, { bot_name: "Ada B" }, token)).json.data.ai_provider_api_key).toBe(
      "****8f2a",
    );
    expect((await updateSite(site.id, { ai_provider_api_key: "short" }, token)).status).toBe(422);
    expect((await updateSite(site.id, { ai_provider_api_key: "with a blank in it" }, token)).status).toBe(
      422,
    );
    expect(
      (await updateSite(site.id, { ai_provider_api_key: null }, token)).json.data.ai_provider_api_key,
    ).toBeNull();
    expect((await findSiteRow(site.id)).aiProviderKeySealed).toBeNull();
    const auditEvents = await prisma().auditEvent.findMany({
      where: { action: "site.changed", objectId: String(site.id) },
      orderBy: { id: "asc" },
    });
    expect(auditEvents.map(({ details }) => details)).toEqual([
      { fields: "aiProviderKey" },
      { fields: "botName" },
      { fields: "aiProviderKey" },
    ]);
    expect(auditEvents.map(({ before, after }) => [before, after])).toEqual([
      [{ aiProviderKey: "changed" }, { aiProviderKey: "changed" }],
      [{ botName: expect.any(String) }, { botName: "Ada B" }],
      [{ aiProviderKey: "changed" }, { aiProviderKey: "changed" }],
    ]);
  });

  it("refuses another site's domain in any spelling, accepts its own", async () => {
    const { token, site } = await makeOwnerWithSite();
    const otherSite = await makeSite((await makeUser()).id);
    for (const domain of [
      otherSite.domain,
      otherSite.domain.toUpperCase(),
      `https://${otherSite.domain}:443/`,
    ]) {
      const { status, json } = await updateSite(site.id, { domain, name: "Other" }, token);
      expect(status).toBe(422);
      expect(Object.keys(json.errors)).toEqual(["domain"]);
    }
    expect((await findSiteRow(site.id)).name).toBe(site.name);
    expect((await updateSite(site.id, { domain: site.domain }, token)).status).toBe(200);
  });
});

describe("concurrent updates", () => {
  it("keep every field when 20 calls change one field each", async () => {
    const { token, site } = await makeOwnerWithSite();
    const domain = "burst.example.com";
    const settingEntries = Object.entries({ ...ALL_SETTINGS, domain });
    const responses = await runConcurrently(20, (n) => {
      const [field, value] = settingEntries[n % settingEntries.length]!;
      return updateSite(site.id, { [field]: value }, token);
    });
    expect(countByStatus(responses)).toEqual({ 200: 20 });
    const { json } = await get(`/api/sites/${site.id}`, token);
    expect(json.data).toMatchObject({ ...ALL_SETTINGS, domain, widget_color: "#aabbcc" });
    expect((await findSiteRow(site.id)).searchText).toContain("igdir cay evi");
  });

  it("give a domain to one of 20 sites that request it", async () => {
    await resetRateLimits();
    const owners = await Promise.all(Array.from({ length: 20 }, () => makeOwnerWithSite()));
    const responses = await runConcurrently(20, (n) =>
      updateSite(owners[n]!.site.id, { domain: "one.example.com" }, owners[n]!.token),
    );
    expect(countByStatus(responses)).toEqual({ 200: 1, 422: 19 });
    expect(await prisma().site.count({ where: { domain: "one.example.com" } })).toBe(1);
  });
});
