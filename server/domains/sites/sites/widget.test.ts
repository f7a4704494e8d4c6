import { beforeEach, describe, expect, it } from "vitest";
import { DAY, fromNow, MINUTE } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { unseal } from "@/server/infrastructure/secrets/seal";
import { runConcurrently } from "@/server/testing/burst";
import { makeProvenUser, makeReseller, makeSite } from "@/server/testing/factories";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { call, get } = server;
beforeEach(() => resetRateLimits());

type SiteData = NonNullable<Parameters<typeof makeSite>[1]>;

async function makeWidget(data: SiteData = {}) {
  const owner = await makeProvenUser();
  const site = await makeSite(owner.id, data);
  return { owner, site, key: unseal(site.apiKeySealed, "widget_key") };
}

const getDesign = (key: string) => get(`/api/public/widget?key=${encodeURIComponent(key)}`);
const report = (key: string, headers: Record<string, string>, ip?: string) =>
  call("POST", "/api/public/widget/seen", { body: { key }, headers, ip });
const findSite = (id: number) => prisma().site.findUniqueOrThrow({ where: { id } });

describe("the public design of a widget", () => {
  it("contains only what every visitor sees, and may be cached for a minute", async () => {
    const { site, key } = await makeWidget({
      botName: "Ada",
      welcomeMessage: "Merhaba",
      systemPrompt: "gizli",
    });
    const { status, json, headers } = await getDesign(key);
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        success: true,
        widget: {
          name: site.name,
          domain: site.domain,
          is_active: true,
          bot_name: "Ada",
          welcome_message: "Merhaba",
          widget_color: site.widgetColor,
          widget_position: site.widgetPosition,
        },
      },
    });
    expect(headers["cache-control"]).toBe("public, max-age=60");
    expect(headers["access-control-allow-origin"]).toBe("*");
    expect((await findSite(site.id)).lastSeenAt, "reading is no visit").toBeNull();
  });

  it("is 404 for an unknown key and for a deleted site", async () => {
    const { site, key } = await makeWidget();
    await prisma().site.update({
      where: { id: site.id },
      data: { isActive: false, suspendedReason: "owner", deletedAt: new Date() },
    });
    for (const missingKey of [key, "dsk_unknown", "x", `${key}x`, "dsk_' or 1=1 --"]) {
      const { status, json } = await getDesign(missingKey);
      expect(status, missingKey).toBe(404);
      expect(json).toMatchObject({ message: expect.any(String) });
      expect((await report(missingKey, { origin: "https://example.com" })).status).toBe(404);
    }
    expect((await get("/api/public/widget")).status).toBe(422);
  });

  it("says that a site is suspended", async () => {
    const { key } = await makeWidget({ isActive: false, suspendedReason: "owner" });
    expect((await getDesign(key)).json.widget.is_active).toBe(false);
    const { json } = await report(key, { origin: "https://example.com" });
    expect(json).toEqual({ success: true, recorded: true, is_active: false });
  });
});

describe("a report that the widget runs", () => {
  it("stores host and time, and changes nothing else", async () => {
    const { owner, site, key } = await makeWidget();
    const countEntries = () => prisma().auditEvent.count({ where: { objectId: String(site.id) } });
    const entryCount = await countEntries();
    expect((await report(key, { origin: `https://shop.${site.domain}:8443` })).json.recorded).toBe(true);
    const { data } = (await get(`/api/sites/${site.id}`, owner.token)).json;
    expect(data).toMatchObject({ last_seen_host: `shop.${site.domain}`, last_seen_at: expect.any(String) });
    expect((await findSite(site.id)).updatedAt).toEqual(site.updatedAt);
    expect(await countEntries()).toBe(entryCount);
  });

  it("is stored at most once a minute, also if many arrive together", async () => {
    const { site, key } = await makeWidget();
    const origin = `https://${site.domain}`;
    const responses = await runConcurrently(20, () => report(key, { origin }));
    expect(responses.filter(({ json }) => json.recorded)).toHaveLength(1);
    expect((await report(key, { origin })).json.recorded).toBe(false);
    await prisma().site.update({ where: { id: site.id }, data: { lastSeenAt: fromNow(-MINUTE - 1000) } });
    expect((await report(key, { origin })).json.recorded).toBe(true);
  });

  it("takes the host from the Referer if there is no Origin, in punycode", async () => {
    const { site, key } = await makeWidget();
    await report(key, { referer: "https://xn--kahve-5va.example.com/urun?renk=kirmizi" });
    expect((await findSite(site.id)).lastSeenHost).toBe("xn--kahve-5va.example.com");
  });

  it.each([
    ["no header", {}],
    ["an opaque origin", { origin: "null" }],
    ["a file", { origin: "file://" }],
    ["an extension", { origin: "chrome-extension://abcdefghijklmnop" }],
    ["a script", { origin: "javascript:alert(1)" }],
    ["markup", { origin: "https://<img src=x>.example.com" }],
    ["a very long host", { origin: `https://${"a.".repeat(200)}com` }],
    ["a very long address", { referer: `https://example.com/${"a".repeat(3000)}` }],
    ["text", { origin: "example.com, https://example.org" }],
  ] as const)("without a page is not stored: %s", async (_, headers) => {
    const { site, key } = await makeWidget();
    const { status, json } = await report(key, headers);
    expect({ status, recorded: json.recorded }).toEqual({ status: 200, recorded: false });
    expect((await findSite(site.id)).lastSeenAt).toBeNull();
  });

  it("from the panel or a reseller's portal is not stored", async () => {
    const { site, key } = await makeWidget();
    const reseller = await makeProvenUser({ role: "reseller" });
    await makeReseller(reseller.id);
    await prisma().resellerPortal.upsert({
      where: { resellerId: reseller.id },
      create: { resellerId: reseller.id, domain: "panel.example.net", verifiedAt: new Date() },
      update: { domain: "panel.example.net", verifiedAt: new Date() },
    });
    for (const origin of ["http://panel.test", "https://panel.example.net"])
      expect((await report(key, { origin })).json.recorded, origin).toBe(false);
    expect((await findSite(site.id)).lastSeenAt).toBeNull();
  });

  it("from elsewhere does not replace a visit to the site's own domain for a day", async () => {
    const { site, key } = await makeWidget();
    const seeAt = (lastSeenAt: Date, lastSeenHost: string) =>
      prisma().site.update({ where: { id: site.id }, data: { lastSeenAt, lastSeenHost } });
    await seeAt(fromNow(-2 * MINUTE), `www.${site.domain}`);
    expect((await report(key, { origin: "https://copy.example.org" })).json.recorded).toBe(false);
    await seeAt(fromNow(-DAY - MINUTE), site.domain);
    expect((await report(key, { origin: "https://copy.example.org" })).json.recorded).toBe(true);
    await seeAt(fromNow(-2 * MINUTE), "copy.example.org");
    expect((await report(key, { origin: `https://${site.domain}` })).json.recorded).toBe(true);
  });

  it("is limited per address", async () => {
    const { key } = await makeWidget();
    const send = () => report(key, { origin: "https://example.com" }, "203.0.113.7");
    const responses = await runConcurrently(61, send);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await report(key, { origin: "https://example.com" }, "203.0.113.8")).status).toBe(200);
  });
});
