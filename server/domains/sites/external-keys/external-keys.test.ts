import { describe, expect, it, vi } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeReseller, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { runWhileCallWaits } from "@/server/testing/locks";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { buildSamplePath, getHarmlessBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";
import { getHandlers } from "@/server/transports/rest/operations";

const server = await startTestServer();
const { call, get, post } = server;

async function makeOwnerWithSite() {
  const owner = await makeUser();
  const site = await makeSite(owner.id);
  return { owner, site, token: await makeToken(owner.id) };
}

const regenerate = (siteId: number, token: string, body?: unknown) =>
  post(`/api/sites/${siteId}/regenerate-external-key`, body, { token });
const callWithKey = (key: string, path: string, method = "GET", body?: unknown) =>
  call(method, path, { headers: { "x-api-key": key }, body });

describe("external key", () => {
  it("gives access to its own site only", async () => {
    const { owner, site, token } = await makeOwnerWithSite();
    const otherSite = await makeSite(owner.id);
    const { status, json } = await regenerate(site.id, token);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      success: true,
      external_api_key: expect.stringMatching(/^dse_[0-9A-Za-z]{49}$/),
      last_four: json.external_api_key.slice(-4),
      previous_valid_until: null,
    });
    const key = json.external_api_key;
    expect((await callWithKey(key, `/api/sites/${site.id}`)).json.data.id).toBe(site.id);
    expect((await callWithKey(key, `/api/sites/${otherSite.id}`)).status).toBe(403);
    expect((await callWithKey(key, "/api/sites/2147483647")).status).toBe(404);
    const list = await callWithKey(key, "/api/sites");
    expect(list.json.data.map(({ id }: { id: number }) => id)).toEqual([site.id]);
  });

  it("has its own time of last use", async () => {
    const [keyOwner, otherOwner] = await Promise.all([makeOwnerWithSite(), makeOwnerWithSite()]);
    const key = (await regenerate(keyOwner.site.id, keyOwner.token)).json.external_api_key;
    await regenerate(otherOwner.site.id, otherOwner.token);
    expect((await callWithKey(key, "/api/sites")).status).toBe(200);
    const getLastUsedAt = async ({ site, token }: typeof keyOwner) =>
      (await get(`/api/sites/${site.id}/keys`, token)).json.external_key.last_used_at;
    await vi.waitFor(async () => expect(await getLastUsedAt(keyOwner)).not.toBeNull(), { timeout: 30_000 });
    expect(await getLastUsedAt(otherOwner)).toBeNull();
  });

  it("gets 403 from every operation that does not accept site keys", async () => {
    const { site, token } = await makeOwnerWithSite();
    const key = (await regenerate(site.id, token)).json.external_api_key;
    const refusedHandlers = getHandlers().filter(
      ({ operation }) => operation.access === "token" && !operation.acceptsSiteKey,
    );
    expect(refusedHandlers.length).toBeGreaterThan(20);
    for (const { operation } of refusedHandlers) {
      const response = await callWithKey(
        key,
        buildSamplePath(operation),
        operation.method,
        getHarmlessBody(operation),
      );
      expect(`${operation.id} ${response.status}`).toBe(`${operation.id} 403`);
    }
  });

  it("works in the X-API-Key header only, which accepts no other secret", async () => {
    const { site, token } = await makeOwnerWithSite();
    const key = (await regenerate(site.id, token)).json.external_api_key;
    const path = `/api/sites/${site.id}`;
    expect((await get(path, key)).status).toBe(401);
    expect((await call("GET", `${path}?api_key=${key}`)).status).toBe(401);
    expect((await call("GET", path, { headers: { cookie: `x-api-key=${key}` } })).status).toBe(401);
    for (const secret of [
      token,
      createToken("dse"),
      `${key.slice(0, -1)}!`,
      "",
      createToken("dss"),
      createToken("dsi"),
    ])
      expect((await callWithKey(secret, path)).json).toEqual({ message: "Unauthenticated." });
  });

  it("is accepted with the prefix of widget keys; a widget key itself gets 401 with a hint", async () => {
    const { site, token } = await makeOwnerWithSite();
    const { widget_key } = (await get(`/api/sites/${site.id}/keys`, token)).json;
    const refusal = await callWithKey(widget_key, `/api/sites/${site.id}`);
    expect(refusal.status).toBe(401);
    expect(refusal.json).toEqual({ message: "Unauthenticated.", hint: expect.stringContaining("dse_") });
    const keyWithWidgetPrefix = createToken("dsk");
    await prisma().externalKey.create({
      data: {
        siteId: site.id,
        keyHash: Uint8Array.from(hashSecret(keyWithWidgetPrefix)),
        lastFour: keyWithWidgetPrefix.slice(-4),
      },
    });
    expect((await callWithKey(keyWithWidgetPrefix, `/api/sites/${site.id}`)).status).toBe(200);
  });

  it("ends immediately when replaced, or after the requested grace period", async () => {
    const { site, token } = await makeOwnerWithSite();
    const path = `/api/sites/${site.id}`;
    const firstRenewal = await regenerate(site.id, token, { grace_minutes: 60 });
    expect(firstRenewal.json.previous_valid_until, "there was none").toBeNull();
    const firstKey = firstRenewal.json.external_api_key;
    const secondRenewal = await regenerate(site.id, token, { grace_minutes: 60 });
    const secondKey = secondRenewal.json.external_api_key;
    const endsAt = new Date(secondRenewal.json.previous_valid_until).getTime();
    expect(Math.abs(endsAt - Date.now() - 3_600_000)).toBeLessThan(20_000);
    expect((await callWithKey(firstKey, path)).status).toBe(200);
    expect((await callWithKey(secondKey, path)).status).toBe(200);
    const { json } = await get(`${path}/keys`, token);
    expect(json.external_key.last_four).toBe(secondKey.slice(-4));
    expect(json.previous_keys.map((previousKey: { last_four: string }) => previousKey.last_four)).toEqual([
      firstKey.slice(-4),
    ]);
    await prisma().externalKey.updateMany({
      where: { siteId: site.id, validUntil: { not: null } },
      data: { validUntil: new Date() },
    });
    expect((await callWithKey(firstKey, path)).status).toBe(401);
    const { external_api_key: thirdKey, previous_valid_until } = (await regenerate(site.id, token)).json;
    expect(previous_valid_until, "without a grace").toBeNull();
    expect((await callWithKey(secondKey, path)).status).toBe(401);
    expect((await callWithKey(thirdKey, path)).status).toBe(200);
    expect((await regenerate(site.id, token, { grace_minutes: 10_081 })).status).toBe(422);
    expect((await regenerate(site.id, token, { grace_minutes: -1 })).status).toBe(422);
  });

  it("is created by the owner, the owner's reseller and administrators, not by agents or strangers", async () => {
    const reseller = await makeUser({ role: "reseller" });
    await makeReseller(reseller.id);
    const owner = await makeUser({ resellerId: reseller.id });
    const site = await makeSite(owner.id);
    const agent = await makeUser({ isAgentOnly: true, parentUserId: owner.id, assignedSiteId: site.id });
    const admin = await makeUser({ role: "admin" });
    const stranger = await makeUser();
    const getRenewalStatus = async (user: { id: number }) =>
      (await regenerate(site.id, await makeToken(user.id, { provenAt: new Date() }))).status;
    expect(await getRenewalStatus(owner)).toBe(200);
    expect(await getRenewalStatus(reseller)).toBe(200);
    expect(await getRenewalStatus(admin)).toBe(200);
    expect(await getRenewalStatus(agent)).toBe(403);
    expect(await getRenewalStatus(stranger)).toBe(403);
    expect((await regenerate(2_147_483_647, await makeToken(owner.id))).status).toBe(404);
    const response = await get(`/api/sites/${site.id}/keys`, await makeToken(reseller.id));
    expect(response.json.widget_key).toMatch(/^dsk_\*{4}\w{4}$/);
  });

  it("renewed by another account causes a mail to the owner", async () => {
    const reseller = await makeUser({ role: "reseller" });
    const owner = await makeUser({ resellerId: reseller.id, locale: "en" });
    const site = await makeSite(owner.id, { name: "Rose Garden" });
    await regenerate(site.id, await makeToken(owner.id));
    expect(await deliverAndReadMails(server, owner.email, "site_key_renewed")).toEqual([]);
    await regenerate(site.id, await makeToken(reseller.id, { provenAt: new Date() }));
    const mails = await deliverAndReadMails(server, owner.email, "site_key_renewed");
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain("Rose Garden");
    expect(mails[0]!.text).toContain(`/sites/${site.id}`);
    expect(await deliverAndReadMails(server, reseller.email, "site_key_renewed")).toEqual([]);
  });

  it("of another owner's site can be renewed only with a recent proof of identity", async () => {
    const parent = await makeUser();
    const reseller = await makeUser({ role: "reseller" });
    const owner = await makeUser({ parentUserId: parent.id, resellerId: reseller.id });
    const site = await makeSite(owner.id);
    const ownRenewal = await regenerate(site.id, await makeToken(owner.id));
    const key = ownRenewal.json.external_api_key;
    const admin = await makeUser({ role: "admin" });
    const elevenMinutesAgo = new Date(Date.now() - 11 * 60_000);
    for (const { id } of [parent, reseller, admin]) {
      for (const token of [
        await makeToken(id),
        await makeToken(id, { provenAt: elevenMinutesAgo }),
        await makeToken(id, { abilities: ["sites:write"] }),
      ]) {
        const { status, json } = await regenerate(site.id, token);
        expect({ status, json }).toEqual({
          status: 403,
          json: { success: false, error: expect.any(String), requires_identity: true, methods: ["password"] },
        });
      }
    }
    expect((await callWithKey(key, `/api/sites/${site.id}`)).status, "nothing was renewed").toBe(200);
    expect(await deliverAndReadMails(server, owner.email, "site_key_renewed")).toEqual([]);
    const strangerResponse = await regenerate(site.id, await makeToken((await makeUser()).id));
    expect(strangerResponse.json, "refused before a proof is requested").toEqual({
      message: "This action is unauthorized.",
    });
  });

  it("is not renewed when the token is revoked during the call", async () => {
    const { owner, site, token } = await makeOwnerWithSite();
    const { status } = await runWhileCallWaits(
      owner.id,
      () => regenerate(site.id, token),
      ({ db }) => db.accessToken.deleteMany({ where: { userId: owner.id } }),
    );
    expect(status).toBe(401);
    expect(await prisma().externalKey.count({ where: { siteId: site.id } })).toBe(0);
  });

  it("has one valid version after ten concurrent renewals; further renewals exceed the limit", async () => {
    const { site, token } = await makeOwnerWithSite();
    const responses = await runConcurrently(12, () => regenerate(site.id, token));
    expect(countByStatus(responses)).toEqual({ 200: 10, 429: 2 });
    const keys = responses.filter(({ status }) => status === 200).map(({ json }) => json.external_api_key);
    const readResponses = await Promise.all(keys.map((key) => callWithKey(key, `/api/sites/${site.id}`)));
    expect(countByStatus(readResponses)).toEqual({ 200: 1, 401: 9 });
  });

  it("of an inactive owner gets 403", async () => {
    const { owner, site, token } = await makeOwnerWithSite();
    const key = (await regenerate(site.id, token)).json.external_api_key;
    await prisma().user.update({ where: { id: owner.id }, data: { isActive: false } });
    expect((await callWithKey(key, `/api/sites/${site.id}`)).status).toBe(403);
  });
});
