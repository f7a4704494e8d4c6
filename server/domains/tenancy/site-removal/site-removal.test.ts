import { beforeEach, describe, expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { advanceLicencesJob } from "@/server/domains/sites/slots/jobs";
import { prisma } from "@/server/infrastructure/database/client";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import {
  makeLicence,
  makeMailAccount,
  makeProvenUser,
  makeReseller,
  makeSite,
  makeSubscription,
  makeToken,
} from "@/server/testing/factories";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { call, get, post } = server;
beforeEach(() => resetRateLimits());

async function makeProvenReseller() {
  const user = await makeProvenUser({ role: "reseller" });
  await makeReseller(user.id);
  return user;
}

const removeSite = (site: { id: number; domain: string }, token: string, confirmation = site.domain) =>
  call("DELETE", `/api/sites/${site.id}`, { token, body: { confirmation } });
const putSite = (id: number, body: object, token: string) => call("PUT", `/api/sites/${id}`, { token, body });

async function makeExternalKey(siteId: number) {
  const key = createToken("dse");
  await prisma().externalKey.create({
    data: {
      siteId,
      keyHash: Uint8Array.from(hashSecret(key)),
      lastFour: key.slice(-4),
      lastUsedAt: new Date(),
    },
  });
  return key;
}

async function makeSiteWithDependents() {
  const owner = await makeProvenUser();
  const { id: subscriptionId } = await makeSubscription(owner.id, { slots: 1 });
  const site = await makeSite(owner.id, {
    subscriptionId,
    name: "kanarya-ad",
    systemPrompt: "kanarya-istem",
    welcomeMessage: "kanarya-selam",
  });
  const agent = await makeProvenUser({
    isAgentOnly: true,
    parentUserId: owner.id,
    assignedSiteId: site.id,
  });
  const key = await makeExternalKey(site.id);
  await makeMailAccount({ siteId: site.id, port: 2525 });
  await prisma().invitation.create({
    data: {
      inviterId: owner.id,
      siteId: site.id,
      name: "Ece",
      email: "ece@example.com",
      emailKey: "ece@example.com",
      tokenHash: Uint8Array.from(hashSecret(createToken("dsj"))),
      expiresAt: fromNow(DAY),
    },
  });
  const licence = await prisma().siteLicence.create({
    data: {
      siteId: site.id,
      userId: owner.id,
      priceTry: 3999,
      periodStart: new Date(),
      periodEnd: fromNow(365 * DAY),
      payBy: fromNow(DAY),
    },
  });
  return { owner, site, agent, key, subscriptionId, licence };
}

describe("the forecast of a deletion", () => {
  it("lists everything that ends with the site", async () => {
    const { owner, site, agent, key, subscriptionId, licence } = await makeSiteWithDependents();
    const { status, json } = await get(`/api/sites/${site.id}/removal`, owner.token);
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        success: true,
        domain: site.domain,
        agents: [{ id: agent.id, name: expect.any(String) }],
        invitations: 1,
        external_keys: [
          expect.objectContaining({ last_four: key.slice(-4), last_used_at: expect.any(String) }),
        ],
        connections: [],
        mail_account: expect.stringContaining("@"),
        licence: expect.objectContaining({ id: licence.id, status: "pending" }),
        slot: { subscription_id: subscriptionId, plan: expect.any(String) },
      },
    });
    const emptySite = await makeSite(owner.id);
    expect((await get(`/api/sites/${emptySite.id}/removal`, owner.token)).json).toMatchObject({
      agents: [],
      invitations: 0,
      external_keys: [],
      mail_account: null,
      licence: null,
      slot: null,
    });
  });
});

describe("deleting a site", () => {
  it("keeps an empty row and frees slot, licence and domain", async () => {
    const { owner, site, subscriptionId, licence } = await makeSiteWithDependents();
    expect((await removeSite(site, owner.token)).status).toBe(200);
    const row = await prisma().site.findUniqueOrThrow({
      where: { id: site.id },
      include: { externalKeys: true, mailAccount: true, invitations: true },
    });
    expect(row).toMatchObject({
      userId: owner.id,
      domain: `deleted-${site.id}.invalid`,
      isActive: false,
      deletedAt: expect.any(Date),
      subscriptionId: null,
      apiKeyLastFour: "",
      externalKeys: [],
      mailAccount: null,
      invitations: [],
    });
    expect(JSON.stringify(row)).not.toContain("kanarya");
    expect(Buffer.from(row.apiKeyHash)).not.toEqual(Buffer.from(site.apiKeyHash));
    const subscription = await prisma().subscription.findUniqueOrThrow({ where: { id: subscriptionId } });
    expect(subscription.usedSlots).toBe(0);
    const cancelledLicence = await prisma().siteLicence.findUniqueOrThrow({ where: { id: licence.id } });
    expect(cancelledLicence).toMatchObject({ status: "cancelled", closedReason: "site_deleted" });
    const recreateResponse = await post(
      "/api/sites",
      { name: "New", domain: site.domain },
      { token: owner.token },
    );
    expect({
      status: recreateResponse.status,
      subscription_id: recreateResponse.json.site.subscription_id,
    }).toEqual({
      status: 201,
      subscription_id: subscriptionId,
    });
  });

  it("leaves other sites unchanged", async () => {
    const [{ owner, site }, other] = [await makeSiteWithDependents(), await makeSiteWithDependents()];
    const readOtherSite = () =>
      prisma().site.findUniqueOrThrow({
        where: { id: other.site.id },
        include: { externalKeys: true, mailAccount: true, invitations: true, licences: true },
      });
    const otherSiteBefore = await readOtherSite();
    expect((await removeSite(site, owner.token)).status).toBe(200);
    expect(await readOtherSite()).toEqual(otherSiteBefore);
  });

  it("signs out, deactivates and notifies the agents, but does not mail the owner about their own deletion", async () => {
    const { owner, site, agent } = await makeSiteWithDependents();
    expect((await get("/api/auth/user", agent.token)).status).toBe(200);
    await removeSite(site, owner.token);
    expect((await get("/api/auth/user", agent.token)).status).toBe(401);
    const row = await prisma().user.findUniqueOrThrow({ where: { id: agent.id } });
    expect(row).toMatchObject({ isActive: false, assignedSiteId: null });
    expect(await deliverAndReadMails(server, agent.email, "agent_without_site")).toHaveLength(1);
    expect(await deliverAndReadMails(server, owner.email, "site_deleted")).toEqual([]);
    expect((await get("/api/team", owner.token)).json.members).toMatchObject([
      { id: agent.id, is_active: false, site: null },
    ]);
  });

  it("hides the site from lists, pages, files, counts and keys, with 404 for everyone", async () => {
    const { owner, site, key } = await makeSiteWithDependents();
    const reseller = await makeProvenReseller();
    await prisma().user.update({ where: { id: owner.id }, data: { resellerId: reseller.id } });
    const admin = await makeProvenUser({ role: "admin" });
    const stranger = await makeProvenUser();
    const remainingSite = await makeSite(owner.id);
    const listWithKey = () => call("GET", "/api/sites", { headers: { "x-api-key": key } });
    expect((await listWithKey()).status).toBe(200);
    await removeSite(site, owner.token);
    expect((await listWithKey()).status).toBe(401);
    for (const { token } of [owner, reseller, admin]) {
      for (const query of ["", "?page=1", `?q=${site.id}`, "?q=Silinmi%C5%9F", "?is_active=false"]) {
        const { json } = await get(`/api/sites${query}`, token);
        expect(json.data.map(({ id }: { id: number }) => id)).not.toContain(site.id);
      }
      expect((await get("/api/sites.csv", token)).text).not.toContain(`deleted-${site.id}`);
    }
    const profile = (await get("/api/auth/user", owner.token)).json;
    expect(profile.user.sites.map(({ id }: { id: number }) => id)).toEqual([remainingSite.id]);
    expect(profile.stats.sites_count).toBe(1);
    expect((await get("/api/user", owner.token)).json.user.sites_count).toBe(1);
    const listResponse = await get(`/api/admin/users?q=${owner.id}`, admin.token);
    const row = listResponse.json.data.find(({ id }: { id: number }) => id === owner.id);
    expect(row.sites_count).toBe(1);
    const inviteResponse = await post(
      "/api/team/invitations",
      { name: "Ece", email: "ece.demir@example.com", site_id: site.id },
      { token: owner.token },
    );
    expect(inviteResponse.status).toBe(422);
    expect(Object.keys(inviteResponse.json.errors ?? {})).toEqual(["site_id"]);

    for (const { token } of [owner, reseller, admin, stranger]) {
      const responses = [
        await get(`/api/sites/${site.id}`, token),
        await get(`/api/sites/${site.id}/keys`, token),
        await get(`/api/sites/${site.id}/removal`, token),
        await get(`/api/sites/${site.id}/mail-account`, token),
        await putSite(site.id, { bot_name: "Ada" }, token),
        await post(`/api/sites/${site.id}/suspend`, {}, { token }),
        await post(`/api/sites/${site.id}/activate`, {}, { token }),
        await post(`/api/sites/${site.id}/regenerate-external-key`, {}, { token }),
        await removeSite(site, token),
      ];
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404));
    }
  });

  it("makes a later deletion of the owner's account anonymise it, and does not count the site", async () => {
    const owner = await makeProvenUser();
    const site = await makeSite(owner.id);
    await removeSite(site, owner.token);
    const { json } = await get("/api/user/deletion", owner.token);
    expect(json).toMatchObject({ mode: "anonymize", reasons: ["sites"], summary: { sites: 0 } });
  });
});

it("only an administrator can delete a site that an administrator suspended, or change its domain", async () => {
  const reseller = await makeProvenReseller();
  const owner = await makeProvenUser({ resellerId: reseller.id });
  const admin = await makeProvenUser({ role: "admin" });
  const suspension = { isActive: false, suspendedReason: "administrator" } as const;
  const site = await makeSite(owner.id, suspension);
  for (const { token } of [owner, reseller])
    for (const { status, json } of [
      await removeSite(site, token),
      await putSite(site.id, { domain: `freed-${site.id}.example.com` }, token),
    ])
      expect({ status, json }).toEqual({ status: 403, json: { success: false, error: expect.any(String) } });
  const { domain, deletedAt } = await prisma().site.findUniqueOrThrow({ where: { id: site.id } });
  expect({ domain, deletedAt }).toEqual({ domain: site.domain, deletedAt: null });
  expect((await putSite(site.id, { name: "Yeni", domain: site.domain }, owner.token)).status).toBe(200);
  const newDomain = `moved-${site.id}.example.com`;
  expect((await putSite(site.id, { domain: newDomain }, admin.token)).status).toBe(200);
  expect((await removeSite({ ...site, domain: newDomain }, admin.token)).status).toBe(200);
  const secondSite = await makeSite(owner.id, suspension);
  await post("/api/auth/account/confirm-delete", { confirmation: "SİL" }, { token: owner.token });
  const deletedSite = await prisma().site.findUniqueOrThrow({ where: { id: secondSite.id } });
  expect(deletedSite.deletedAt).toBeInstanceOf(Date);
});

describe("an unpaid licence past its deadline", () => {
  async function makeUnpaidSite() {
    const reseller = await makeProvenReseller();
    const site = await makeSite(reseller.id, { isActive: false, suspendedReason: "licence_unpaid" });
    const licence = await makeLicence(reseller.id, { siteId: site.id, payBy: fromNow(-DAY) });
    return { reseller, site, licence };
  }
  const createSite = (domain: string, token: string, body: object = { confirm_pay_per_site: true }) =>
    post("/api/sites", { name: "New", domain, ...body }, { token });

  it("stays due when the site is deleted and created again", async () => {
    const { reseller, site, licence } = await makeUnpaidSite();
    const overdueResponse = {
      success: false,
      error: expect.stringContaining(licence.reference),
      reference: licence.reference,
      annual_price_try: 3999,
    };
    expect((await get(`/api/sites/${site.id}/removal`, reseller.token)).json.licence.overdue).toBe(true);
    expect((await removeSite(site, reseller.token)).status).toBe(200);
    expect((await createSite(site.domain, reseller.token, {})).json.requires_confirmation).toBe(true);
    const responses = await runConcurrently(10, (index) =>
      createSite(`again-${site.id}-${index}.example.com`, reseller.token),
    );
    expect(countByStatus(responses)).toEqual({ 402: 10 });
    expect(responses[0]!.json).toEqual(overdueResponse);
    expect(await prisma().siteLicence.count({ where: { userId: reseller.id } })).toBe(1);
    await makeSubscription(reseller.id, { slots: 1 });
    expect((await createSite(site.domain, reseller.token)).json.billing.mode).toBe("subscription_slot");
  });

  it("stays due without its site, and paying it does not restore the site", async () => {
    const { reseller, site, licence } = await makeUnpaidSite();
    await removeSite(site, reseller.token);
    const expectedLicence = { id: licence.id, site: null, status: "pending", reference: licence.reference };
    for (const path of ["/api/billing", "/api/billing/licences"])
      expect((await get(path, reseller.token)).json.licences).toMatchObject([expectedLicence]);
    const dueLicences = (await get("/api/billing/due", reseller.token)).json.due;
    expect(dueLicences).toMatchObject([
      { id: licence.id, site_id: null, overdue: true, reference: licence.reference },
    ]);
    expect(JSON.stringify(dueLicences)).not.toContain("Silinmiş site");
    const admin = await makeProvenUser({ role: "admin" });
    const paymentResponse = await post(
      `/api/admin/licences/${licence.id}/payment`,
      {},
      { token: admin.token },
    );
    expect([paymentResponse.status, paymentResponse.json.licence.status]).toEqual([201, "active"]);
    const [mail] = await deliverAndReadMails(server, reseller.email, "licence_paid");
    expect(mail!.text).not.toContain("deleted-");
    expect(await prisma().site.findUniqueOrThrow({ where: { id: site.id } })).toMatchObject({
      isActive: false,
      domain: `deleted-${site.id}.invalid`,
    });
    await advanceLicencesJob();
    expect(await prisma().siteLicence.count({ where: { siteId: site.id } })).toBe(1);
    expect((await createSite(site.domain, reseller.token)).status).toBe(201);
  });

  it("of a customer's site stays the reseller's until an administrator cancels it", async () => {
    const { reseller, site, licence } = await makeUnpaidSite();
    const customer = await makeProvenUser({ resellerId: reseller.id });
    await prisma().site.update({ where: { id: site.id }, data: { userId: customer.id } });
    await removeSite(site, customer.token);
    expect((await get("/api/billing/due", customer.token)).json.count).toBe(0);
    expect((await createSite(site.domain, reseller.token)).status).toBe(402);
    await prisma().siteLicence.update({ where: { id: licence.id }, data: { payBy: fromNow(-61 * DAY) } });
    await advanceLicencesJob();
    expect((await createSite(site.domain, reseller.token)).status).toBe(402);
    const { token } = await makeProvenUser({ role: "admin" });
    const reason = "Created by mistake";
    const cancelLicence = () => post(`/api/admin/licences/${licence.id}/cancel`, { reason }, { token });
    expect(countByStatus(await runConcurrently(10, cancelLicence))).toEqual({ 200: 1, 422: 9 });
    expect(await prisma().siteLicence.findUniqueOrThrow({ where: { id: licence.id } })).toMatchObject({
      status: "cancelled",
      closedReason: "waived",
    });
    const where = { action: "licence.cancelled", objectId: String(licence.id) };
    expect(await prisma().auditEvent.findMany({ where, select: { details: true } })).toEqual([
      { details: { user: reseller.id, reason } },
    ]);
    expect((await createSite(site.domain, reseller.token)).status).toBe(201);
  });
});

describe("a pending licence before its deadline", () => {
  const createSite = (domain: string, token: string) =>
    post("/api/sites", { name: "New", domain, confirm_pay_per_site: true }, { token });
  const buildDomain = (name: string, { id }: { id: number }) => `${name}-${id}.example.com`;

  async function makeSiteInGrace() {
    const reseller = await makeProvenReseller();
    const domain = buildDomain("grace", reseller);
    const { status, json } = await createSite(domain, reseller.token);
    expect(status).toBe(201);
    const where = { id: json.billing.license_id as number };
    const licence = await prisma().siteLicence.findUniqueOrThrow({ where });
    return { reseller, licence, site: { id: json.site.id as number, domain } };
  }

  it("stays due when its site is deleted, and no other can be opened before it is paid", async () => {
    const { reseller, licence, site } = await makeSiteInGrace();
    const licenceForecast = (await get(`/api/sites/${site.id}/removal`, reseller.token)).json.licence;
    expect(licenceForecast).toMatchObject({ id: licence.id, overdue: false, stays_due: true });
    expect((await removeSite(site, reseller.token)).status).toBe(200);
    for (const domain of [site.domain, buildDomain("another", reseller)]) {
      const createResponse = await createSite(domain, reseller.token);
      expect(createResponse).toMatchObject({ status: 402, json: { reference: licence.reference } });
      expect(createResponse.json.error).toContain(site.domain);
    }
    const licences = (await get("/api/billing/licences", reseller.token)).json.licences;
    expect(licences).toMatchObject([{ id: licence.id, site: null, domain: site.domain, status: "pending" }]);
    const dueLicences = (await get("/api/billing/due", reseller.token)).json.due;
    expect(dueLicences).toMatchObject([{ id: licence.id, name: site.domain, reference: licence.reference }]);
    const admin = await makeProvenUser({ role: "admin" });
    const paymentResponse = await post(
      `/api/admin/licences/${licence.id}/payment`,
      {},
      { token: admin.token },
    );
    expect(paymentResponse.status).toBe(201);
    expect((await createSite(site.domain, reseller.token)).status).toBe(201);
  });

  it("is not restarted by a creation that waits for the deletion", async () => {
    const { reseller, site } = await makeSiteInGrace();
    const responses = await runConcurrently(10, (index) =>
      index === 4 ? removeSite(site, reseller.token) : createSite(site.domain, reseller.token),
    );
    for (const { status } of responses) expect([200, 402, 422, 429]).toContain(status);
    expect((await createSite(site.domain, reseller.token)).status).toBe(402);
    expect(await prisma().siteLicence.count({ where: { userId: reseller.id } })).toBe(1);
  });

  it("covers every domain the site had", async () => {
    const { reseller, licence, site } = await makeSiteInGrace();
    const changeDomain = (id: number, domain: string) =>
      call("PUT", `/api/sites/${id}`, { body: { domain }, token: reseller.token });
    const newDomain = buildDomain("moved", reseller);
    expect((await changeDomain(site.id, newDomain)).status).toBe(200);
    expect((await changeDomain(site.id, buildDomain("moved-again", reseller))).status).toBe(200);
    for (const domain of [site.domain, newDomain])
      expect(await createSite(domain, reseller.token)).toMatchObject({
        status: 402,
        json: { reference: licence.reference },
      });
    const secondSiteResponse = await createSite(buildDomain("second", reseller), reseller.token);
    expect(secondSiteResponse.status).toBe(201);
    expect(await changeDomain(secondSiteResponse.json.site.id, newDomain)).toMatchObject({
      status: 402,
      json: { reference: licence.reference },
    });
    expect((await changeDomain(secondSiteResponse.json.site.id, buildDomain("third", reseller))).status).toBe(
      200,
    );
  });

  it("blocks changes of the domain after the deadline, for any reason of suspension", async () => {
    const { reseller, licence, site } = await makeSiteInGrace();
    expect((await post(`/api/sites/${site.id}/suspend`, {}, { token: reseller.token })).status).toBe(200);
    await prisma().siteLicence.update({ where: { id: licence.id }, data: { payBy: fromNow(-DAY) } });
    await advanceLicencesJob();
    const changeDomain = (token: string, domain: string) =>
      call("PUT", `/api/sites/${site.id}`, { body: { domain, name: "Renamed" }, token });
    expect(await changeDomain(reseller.token, buildDomain("old", reseller))).toMatchObject({
      status: 402,
      json: { reference: licence.reference },
    });
    expect((await changeDomain(reseller.token, site.domain)).status).toBe(200);
    expect((await createSite(buildDomain("another", reseller), reseller.token)).status).toBe(402);
    const admin = await makeProvenUser({ role: "admin" });
    expect((await changeDomain(admin.token, buildDomain("by-admin", reseller))).status).toBe(200);
  });

  it("suspends its site when an administrator cancels it", async () => {
    const { reseller, licence, site } = await makeSiteInGrace();
    const admin = await makeProvenUser({ role: "admin" });
    const path = `/api/admin/licences/${licence.id}/cancel`;
    expect((await post(path, { reason: "No longer needed" }, { token: reseller.token })).status).toBe(403);
    expect((await post(path, { reason: "No longer needed" }, { token: admin.token })).status).toBe(200);
    expect(await prisma().site.findUniqueOrThrow({ where: { id: site.id } })).toMatchObject({
      isActive: false,
      suspendedReason: "licence_unpaid",
    });
    expect((await createSite(buildDomain("another", reseller), reseller.token)).status).toBe(201);
  });
});

describe("the next year of a paid licence", () => {
  it("ends with the site while it is not due yet", async () => {
    const reseller = await makeProvenReseller();
    const endsAt = fromNow(10 * DAY);
    const paidFields = { status: "active" as const, paidAt: new Date(), periodEnd: endsAt };
    const { siteId } = await makeLicence(reseller.id, paidFields);
    const nextLicence = await makeLicence(reseller.id, { siteId, periodStart: endsAt, payBy: endsAt });
    const site = await prisma().site.findUniqueOrThrow({ where: { id: siteId } });
    const licenceForecast = (await get(`/api/sites/${siteId}/removal`, reseller.token)).json.licence;
    expect(licenceForecast.stays_due).toBe(false);
    expect((await removeSite(site, reseller.token)).status).toBe(200);
    expect(await prisma().siteLicence.findUniqueOrThrow({ where: { id: nextLicence.id } })).toMatchObject({
      status: "cancelled",
      closedReason: "site_deleted",
    });
    const body = { name: "New", domain: site.domain, confirm_pay_per_site: true };
    expect((await post("/api/sites", body, { token: reseller.token })).status).toBe(201);
  });
});

describe("permission to delete a site", () => {
  it("is given to owner, parent, reseller and administrators, with a recent proof of identity", async () => {
    const reseller = await makeProvenReseller();
    const customer = await makeProvenUser({ resellerId: reseller.id });
    const subUser = await makeProvenUser({ parentUserId: customer.id });
    const callers: Array<[string, string, number]> = [
      ["stranger", (await makeProvenUser()).token, 403],
      ["foreign reseller", (await makeProvenReseller()).token, 403],
      ["customer of the same reseller", (await makeProvenUser({ resellerId: reseller.id })).token, 403],
      ["sub-user of the parent", (await makeProvenUser({ parentUserId: customer.id })).token, 403],
      ["reader", await makeToken(subUser.id, { abilities: ["read"], provenAt: new Date() }), 403],
      ["owner without a proof", await makeToken(subUser.id), 403],
      ["owner", subUser.token, 200],
      ["parent", customer.token, 200],
      ["reseller", reseller.token, 200],
      ["administrator", (await makeProvenUser({ role: "admin" })).token, 200],
    ];
    for (const [callerName, token, expectedStatus] of callers) {
      const site = await makeSite(subUser.id);
      const agent = await makeProvenUser({
        isAgentOnly: true,
        parentUserId: subUser.id,
        assignedSiteId: site.id,
      });
      const key = await makeExternalKey(site.id);
      const keyResponse = await call("DELETE", `/api/sites/${site.id}`, {
        headers: { "x-api-key": key },
        body: { confirmation: site.domain },
      });
      expect([(await removeSite(site, agent.token)).status, keyResponse.status], callerName).toEqual([
        403, 403,
      ]);
      for (const forbiddenCall of [
        putSite(site.id, { bot_name: "Eve" }, agent.token),
        post(`/api/sites/${site.id}/suspend`, {}, { token: agent.token }),
        post(`/api/sites/${site.id}/activate`, {}, { token: agent.token }),
        get(`/api/sites/${site.id}/removal`, agent.token),
      ])
        expect((await forbiddenCall).status, callerName).toBe(403);
      const lacksProof = callerName === "owner without a proof";
      const changeStatuses = [
        (await putSite(site.id, { bot_name: callerName }, token)).status,
        (await post(`/api/sites/${site.id}/suspend`, {}, { token })).status,
        (await get(`/api/sites/${site.id}/removal`, token)).status,
      ];
      const canChange = expectedStatus === 200 || lacksProof;
      expect(changeStatuses, callerName).toEqual(canChange ? [200, 200, 200] : [403, 403, 403]);
      const { status, json } = await removeSite(site, token);
      expect({ status, requires_identity: json.requires_identity }, callerName).toEqual({
        status: expectedStatus,
        requires_identity: lacksProof ? true : undefined,
      });
      const { deletedAt } = await prisma().site.findUniqueOrThrow({ where: { id: site.id } });
      expect(deletedAt !== null, callerName).toBe(expectedStatus === 200);
    }
    expect(await deliverAndReadMails(server, subUser.email, "site_deleted")).toHaveLength(3);
  });
});

describe("confirming with the domain", () => {
  const IDN_DOMAIN = "xn--kayk-kahve-zub.example.com"; // kayık-kahve
  it.each([
    [
      "example",
      "kahve.example.com",
      ["kahve.example.com", "KAHVE.EXAMPLE.COM", " kahve.example.com ", "kahve.example.com."],
    ],
    [
      "with an i",
      "kirmizi.example.com",
      ["KİRMİZİ.example.com", "KIRMIZI.EXAMPLE.COM", "kırmızı.example.com"],
    ],
    [
      "in another script",
      IDN_DOMAIN,
      [IDN_DOMAIN, IDN_DOMAIN.toUpperCase(), "kayık-kahve.example.com", "KAYIK-KAHVE.EXAMPLE.COM"],
    ],
  ])("accepts the spellings of a domain %s", async (_, domain, spellings) => {
    const owner = await makeProvenUser();
    for (const typedDomain of spellings) {
      const site = await makeSite(owner.id, { domain });
      const { status, text } = await removeSite(site, owner.token, typedDomain);
      expect({ status, typed: typedDomain }, text).toEqual({ status: 200, typed: typedDomain });
    }
  });

  it.each([
    "",
    " ",
    ".",
    "example.com",
    "www.kahve.example.com",
    "kahve.example.com.evil.com",
    "kahve.example.co",
    "kаhve.example.com",
    "kahve\u200b.example.com.tr",
    "\u202ekahve.example.com.tr",
    "%",
    "kahve_example_com",
    "deleted-1.invalid",
    "1",
    "a".repeat(300),
  ])("rejects %j", async (typedDomain) => {
    const owner = await makeProvenUser();
    const site = await makeSite(owner.id, { domain: `kahve.example.com` });
    const { status, json } = await removeSite(site, owner.token, typedDomain);
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(["confirmation"]);
    expect((await get(`/api/sites/${site.id}`, owner.token)).status).toBe(200);
    await prisma().site.delete({ where: { id: site.id } });
  });
});

describe("concurrent calls", () => {
  it("delete a site once out of 20 deletions", async () => {
    const { owner, site, agent } = await makeSiteWithDependents();
    expect(countByStatus(await runConcurrently(20, () => removeSite(site, owner.token)))).toEqual({
      200: 1,
      404: 19,
    });
    expect(
      await prisma().auditEvent.count({ where: { action: "site.deleted", objectId: String(site.id) } }),
    ).toBe(1);
    expect(await deliverAndReadMails(server, agent.email, "agent_without_site")).toHaveLength(1);
  });

  it("leave no changes on a site that is deleted among them", async () => {
    for (let round = 0; round < 5; round++) {
      await resetRateLimits();
      const { owner, site, subscriptionId } = await makeSiteWithDependents();
      const admin = await makeProvenUser({ role: "admin" });
      const responses = await runConcurrently(31, (index) => {
        const { token } = index % 2 ? owner : admin;
        if (index === 15) return removeSite(site, admin.token);
        if (index % 3 === 0)
          return putSite(site.id, { bot_name: `Ada ${index}`, ai_provider_api_key: "sk-kanarya-1" }, token);
        if (index % 3 === 1) return post(`/api/sites/${site.id}/suspend`, {}, { token });
        return post(`/api/sites/${site.id}/activate`, {}, { token: admin.token });
      });
      expect(responses[15]!.status).toBe(200);
      const { 200: successCount = 0, 404: notFoundCount = 0 } = countByStatus(responses);
      expect(successCount + notFoundCount).toBe(31);
      const row = await prisma().site.findUniqueOrThrow({ where: { id: site.id } });
      expect(row).toMatchObject({
        isActive: false,
        botName: "",
        aiProviderKeySealed: null,
        subscriptionId: null,
      });
      const { usedSlots } = await prisma().subscription.findUniqueOrThrow({ where: { id: subscriptionId } });
      expect(usedSlots).toBe(0);
    }
  });

  it("give the domain to one site at most when 20 creations race with its deletion", async () => {
    for (let round = 0; round < 5; round++) {
      await resetRateLimits();
      const owner = await makeProvenUser();
      await makeSubscription(owner.id, { slots: 30 });
      const site = await makeSite(owner.id);
      const other = await makeProvenUser();
      await makeSubscription(other.id, { slots: 30 });
      const responses = await runConcurrently(21, (index) =>
        index === 5
          ? removeSite(site, owner.token)
          : post(
              "/api/sites",
              { name: "New", domain: site.domain },
              { token: index % 2 ? owner.token : other.token },
            ),
      );
      const { 200: deletedCount, 201: createdCount = 0, 422: takenCount = 0 } = countByStatus(responses);
      expect(deletedCount).toBe(1);
      expect(createdCount + takenCount).toBe(20);
      expect(createdCount <= 1).toBe(true);
      expect(await prisma().site.count({ where: { domain: site.domain } })).toBe(createdCount);
    }
  });

  it("leave no active agent when an invitation is accepted during the deletion", async () => {
    for (let round = 0; round < 8; round++) {
      await resetRateLimits();
      const owner = await makeProvenUser();
      const site = await makeSite(owner.id);
      const token = createToken("dsj");
      const email = `agent.${round}.${owner.id}@example.com`;
      await prisma().invitation.create({
        data: {
          inviterId: owner.id,
          siteId: site.id,
          name: "Ece",
          email,
          emailKey: email,
          tokenHash: Uint8Array.from(hashSecret(token)),
          expiresAt: fromNow(DAY),
        },
      });
      const consents = { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true };
      const password = "a-very-long-password-7";
      const [acceptResponse, removeResponse] = await Promise.all([
        post("/api/auth/accept-invitation", {
          token,
          name: "Ece",
          password,
          password_confirmation: password,
          consents,
        }),
        new Promise((resolve) => setTimeout(resolve, round * 25)).then(() => removeSite(site, owner.token)),
      ]);
      expect(removeResponse.status).toBe(200);
      const agents = await prisma().user.findMany({ where: { parentUserId: owner.id } });
      expect(agents.length, acceptResponse.text).toBe(acceptResponse.status < 300 ? 1 : 0);
      for (const { isActive, assignedSiteId } of agents)
        expect({ isActive, assignedSiteId }).toEqual({ isActive: false, assignedSiteId: null });
      expect(await prisma().invitation.count({ where: { siteId: site.id } })).toBe(0);
    }
  });

  it("that delete a site and its owner's account all get a response", async () => {
    for (let round = 0; round < 5; round++) {
      await resetRateLimits();
      const { owner, site, subscriptionId } = await makeSiteWithDependents();
      const admin = await makeProvenUser({ role: "admin" });
      const [accountDeletion, ...siteDeletions] = await Promise.all([
        post("/api/auth/account/confirm-delete", { confirmation: "SİL" }, { token: owner.token }),
        removeSite(site, admin.token),
        removeSite(site, owner.token),
      ]);
      // Deleting the account revokes the owner's token, so later calls fail with 401 or 404.
      expect(accountDeletion.status).toBe(200);
      expect(siteDeletions.every(({ status }) => [200, 401, 404].includes(status))).toBe(true);
      expect(siteDeletions.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      const row = await prisma().site.findUniqueOrThrow({ where: { id: site.id } });
      expect(row).toMatchObject({ domain: `deleted-${site.id}.invalid`, subscriptionId: null });
      const { usedSlots } = await prisma().subscription.findUniqueOrThrow({ where: { id: subscriptionId } });
      expect(usedSlots).toBe(0);
    }
  });
});
