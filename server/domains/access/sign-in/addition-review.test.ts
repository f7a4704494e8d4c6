import { beforeEach, describe, expect, it } from "vitest";
import { breakLinks } from "@/server/core/plain-name";
import { DAY, fromNow, HOUR } from "@/server/core/time";
import { MANDATORY_CONSENTS_EXAMPLE } from "@/server/domains/accounts/consents/contract";
import { prisma } from "@/server/infrastructure/database/client";
import { runConcurrently } from "@/server/testing/burst";
import { makeConnection, makeReseller, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { createIpAddress } from "@/server/testing/http";
import { deliverAndReadMails, getLinkParam } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { call, get, post } = server;
const PASSWORD = "the-owners-new-password";
beforeEach(resetRateLimits);

async function makeOwner() {
  const owner = await makeUser({ role: "reseller" });
  await makeReseller(owner.id);
  return { ...owner, site: await makeSite(owner.id, { name: "Kaya Kahve" }) };
}
type Owner = Awaited<ReturnType<typeof makeOwner>>;

const inviteAgent = ({ site }: Owner, token: string, email: string) =>
  post("/api/team/invitations", { name: "Guest", email, site_id: site.id }, { token });

async function acceptInvitation(email: string): Promise<string> {
  const [mail] = await deliverAndReadMails(server, email, "agent_invitation");
  const { status, json } = await post("/api/auth/accept-invitation", {
    token: getLinkParam(mail!, "token"),
    password: PASSWORD,
    password_confirmation: PASSWORD,
    consents: MANDATORY_CONSENTS_EXAMPLE,
  });
  expect(status).toBe(201);
  return json.token;
}

async function resetPassword({ email }: { email: string }) {
  await post("/api/auth/forgot-password", { email }, { ip: createIpAddress() });
  const [mail] = await deliverAndReadMails(server, email, "reset_password");
  const body = {
    token: getLinkParam(mail!, "token"),
    email,
    password: PASSWORD,
    password_confirmation: PASSWORD,
  };
  const { status, json } = await post("/api/auth/reset-password", body);
  expect(status).toBe(200);
  return json.token as string;
}

let lastUniqueNumber = 0;
/** Adds everything that a session can add without a recent proof of identity. */
async function makeAllAdditions(owner: Owner) {
  const token = await makeToken(owner.id);
  const uniqueNumber = ++lastUniqueNumber;
  const [invitedEmail, joinedEmail, customerEmail] = ["waiting", "joined", "customer"].map(
    (name) => `${name}${uniqueNumber}@example.com`,
  ) as [string, string, string];
  const webhook = await post(
    "/api/webhooks",
    { url: `https://thief${uniqueNumber}.example.com/` },
    { token },
  );
  const key = await post(`/api/sites/${owner.site.id}/regenerate-external-key`, {}, { token });
  await inviteAgent(owner, token, invitedEmail);
  await inviteAgent(owner, token, joinedEmail);
  await post("/api/reseller/customers", { name: "Guest", email: customerEmail }, { token });
  const permission = await call("PUT", "/api/profile/support-access", { token, body: { until: "30d" } });
  const connection = await makeConnection(owner.id, { siteIds: [owner.site.id] });
  expect([webhook.status, key.status, permission.status]).toEqual([201, 200, 200]);
  return {
    token,
    invitedEmail,
    customerEmail,
    joinedEmail,
    agentToken: await acceptInvitation(joinedEmail),
    externalKey: key.json.external_api_key as string,
    webhookId: webhook.json.webhook.id as number,
    connectionId: connection.id,
  };
}

const listSitesByKey = (key: string) => call("GET", "/api/sites", { headers: { "x-api-key": key } });
const countAdditions = async ({ id }: { id: number }) => ({
  webhooks: await prisma().webhookEndpoint.count({ where: { userId: id, disabledReason: null } }),
  connections: await prisma().connection.count({ where: { userId: id, isActive: true } }),
  keys: await prisma().externalKey.count({ where: { site: { userId: id }, validUntil: null } }),
  invitations: await prisma().invitation.count({ where: { inviterId: id, acceptedAt: null } }),
  customers: await prisma().customerInvitation.count({ where: { resellerId: id, acceptedAt: null } }),
  permissions: await prisma().supportAccess.count({ where: { userId: id } }),
});
const NO_ADDITIONS = { webhooks: 0, connections: 0, keys: 0, invitations: 0, customers: 0, permissions: 0 };
const ALL_ADDITIONS = { webhooks: 1, connections: 1, keys: 1, invitations: 1, customers: 1, permissions: 1 };

describe("a password reset", () => {
  it("ends additions of a stolen session and lets the owner decide about new members", async () => {
    const owner = await makeOwner();
    const additions = await makeAllAdditions(owner);
    expect(await countAdditions(owner)).toEqual(ALL_ADDITIONS);
    expect((await listSitesByKey(additions.externalKey)).status).toBe(200);

    const token = await resetPassword(owner);
    expect(await countAdditions(owner)).toEqual(NO_ADDITIONS);
    expect((await get("/api/user", additions.token)).status).toBe(401);
    expect((await listSitesByKey(additions.externalKey)).status).toBe(401);
    const [invitation] = await deliverAndReadMails(server, additions.invitedEmail, "agent_invitation");
    const link = getLinkParam(invitation!, "token");
    expect((await get(`/api/auth/invitation?token=${link}`)).status).toBe(400);
    const { webhooks } = (await get("/api/webhooks", token)).json;
    expect(webhooks).toMatchObject([{ id: additions.webhookId, is_active: false }]);
    expect((await get("/api/profile/support-access", token)).json.support_access.until).toBeNull();
    expect((await get("/api/sites", additions.agentToken)).status).toBe(200);

    const mails = await deliverAndReadMails(server, owner.email, "additions_ended");
    expect(mails).toHaveLength(1);
    for (const name of [
      "thief",
      "Kaya Kahve",
      additions.invitedEmail,
      additions.customerEmail,
      additions.joinedEmail,
    ])
      expect(mails[0]!.text).toContain(breakLinks(name));
    expect(await deliverAndReadMails(server, owner.email, "password_changed")).toEqual([]);
    expect(mails[0]!.text.match(/https?:\/\/\S+\?token=/g)).toHaveLength(1);

    const reviewLink = { token: getLinkParam(mails[0]!, "token") };
    const member = await prisma().user.findFirstOrThrow({ where: { email: additions.joinedEmail } });
    const { status, json } = await post("/api/auth/review-additions", { ...reviewLink, ids: [member.id] });
    expect({ status, ended: json.ended }).toEqual({ status: 200, ended: 1 });
    expect((await get("/api/sites", additions.agentToken)).status).toBe(401);
    expect((await post("/api/auth/login", { email: additions.joinedEmail, password: PASSWORD })).status).toBe(
      403,
    );
    expect((await post("/api/auth/review-additions", { ...reviewLink, ids: [] })).status).toBe(400);
  });

  it("audits every addition that it ends", async () => {
    const owner = await makeOwner();
    await makeAllAdditions(owner);
    const { id: lastEntryId } = await prisma().auditEvent.findFirstOrThrow({ orderBy: { id: "desc" } });
    await resetPassword(owner);
    const auditEntries = await prisma().auditEvent.findMany({
      where: { id: { gt: lastEntryId }, actorId: owner.id },
      select: { action: true },
    });
    expect(auditEntries.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        "webhook.changed",
        "connection.changed",
        "site.external_keys_ended",
        "team.invitation_cancelled",
        "customer.invitation_cancelled",
        "support_access.revoked",
        "password.reset",
      ]),
    );
  });

  it("keeps additions older than three days and does not mention them", async () => {
    const owner = await makeOwner();
    const { agentToken } = await makeAllAdditions(owner);
    // SUSPECT_ADDITION_HOURS is 72.
    const createdAt = fromNow(-73 * HOUR);
    const db = prisma();
    await db.webhookEndpoint.updateMany({ where: { userId: owner.id }, data: { createdAt } });
    await db.connection.updateMany({ where: { userId: owner.id }, data: { createdAt } });
    await db.externalKey.updateMany({ where: { site: { userId: owner.id } }, data: { createdAt } });
    await db.invitation.updateMany({ where: { inviterId: owner.id }, data: { createdAt } });
    await db.customerInvitation.updateMany({ where: { resellerId: owner.id }, data: { createdAt } });
    await db.supportAccess.updateMany({ where: { userId: owner.id }, data: { changedAt: createdAt } });
    await db.user.updateMany({ where: { parentUserId: owner.id }, data: { createdAt } });
    await resetPassword(owner);
    expect(await countAdditions(owner)).toEqual(ALL_ADDITIONS);
    expect((await get("/api/sites", agentToken)).status).toBe(200);
    expect(await deliverAndReadMails(server, owner.email, "additions_ended")).toEqual([]);
    expect(await deliverAndReadMails(server, owner.email, "password_changed")).toHaveLength(1);
  });

  it("deletes running imports and keeps finished ones", async () => {
    const owner = await makeOwner();
    const data = { resellerId: owner.id, rows: [], locale: "en" };
    await prisma().customerImport.create({ data: { ...data, state: "running" } });
    const finishedImport = await prisma().customerImport.create({ data: { ...data, state: "done" } });
    await resetPassword(owner);
    const rows = await prisma().customerImport.findMany({ where: { resellerId: owner.id } });
    expect(rows.map(({ id }) => id)).toEqual([finishedImport.id]);
  });

  it("keeps the key of a customer's site, which needed a proof of identity", async () => {
    const owner = await makeOwner();
    const customer = await makeUser({ resellerId: owner.id });
    const site = await makeSite(customer.id);
    const token = await makeToken(owner.id, { provenAt: new Date() });
    const keyResponse = await post(`/api/sites/${site.id}/regenerate-external-key`, {}, { token });
    await resetPassword(owner);
    expect((await listSitesByKey(keyResponse.json.external_api_key)).status).toBe(200);
  });

  it("ends concurrent additions, too", async () => {
    const owner = await makeOwner();
    const token = await makeToken(owner.id);
    await post("/api/auth/forgot-password", { email: owner.email });
    const [mail] = await deliverAndReadMails(server, owner.email, "reset_password");
    const { email } = owner;
    const passwords = { password: PASSWORD, password_confirmation: PASSWORD };
    const body = { token: getLinkParam(mail!, "token"), email, ...passwords };
    const uniqueNumber = ++lastUniqueNumber;
    const pendingAdditions = runConcurrently(40, async (index) => {
      // Hashing takes a while, so additions come before, during and after the change.
      await new Promise((resolve) => setTimeout(resolve, index * 10));
      const address = `race${uniqueNumber}-${index}@example.com`;
      const actions = [
        () => post("/api/webhooks", { url: `https://race${index}.example.com/` }, { token }),
        () => inviteAgent(owner, token, address),
        () => post("/api/reseller/customers", { name: "Guest", email: address }, { token }),
        () => post(`/api/sites/${owner.site.id}/regenerate-external-key`, {}, { token }),
        () => call("PUT", "/api/profile/support-access", { token, body: { until: "30d" } }),
      ];
      return actions[index % actions.length]!();
    });
    const resetResponse = await post("/api/auth/reset-password", body);
    expect(resetResponse.status).toBe(200);
    const statuses = new Set((await pendingAdditions).map(({ status }) => status));
    expect(statuses).toContain(401);
    expect(await countAdditions(owner)).toEqual(NO_ADDITIONS);
  });
});

describe("an intrusion report", () => {
  it("ends additions, keeps the session and mails a list", async () => {
    const owner = await makeOwner();
    await makeAllAdditions(owner);
    const token = await makeToken(owner.id);
    const { status, json } = await post("/api/profile/report-intrusion", undefined, { token });
    expect({ status, ended: json.ended }).toEqual({ status: 200, ended: 6 });
    expect(await countAdditions(owner)).toEqual(NO_ADDITIONS);
    expect((await get("/api/user", token)).status).toBe(200);
    expect(await deliverAndReadMails(server, owner.email, "additions_ended")).toHaveLength(1);
    expect((await post("/api/profile/report-intrusion", undefined, { token })).json.ended).toBe(0);
  });
});

describe("undoing a change of address", () => {
  it("ends additions made after the change or in the three days before it", async () => {
    const owner = await makeOwner();
    await makeAllAdditions(owner);
    const token = await makeToken(owner.id, { provenAt: new Date() });
    const intruderEmail = `taker${++lastUniqueNumber}@example.com`;
    await call("PUT", "/api/auth/profile", { token, body: { email: intruderEmail } });
    const verificationToken = getLinkParam(
      (await deliverAndReadMails(server, intruderEmail, "verify_email"))[0]!,
      "token",
    );
    expect((await post("/api/auth/verify-email", { token: verificationToken })).status).toBe(200);
    const undoToken = getLinkParam(
      (await deliverAndReadMails(server, owner.email, "email_changed"))[0]!,
      "token",
    );
    expect((await post("/api/auth/undo-email-change", { token: undoToken })).status).toBe(200);
    expect(await countAdditions(owner)).toEqual(NO_ADDITIONS);
    expect(await deliverAndReadMails(server, owner.email, "additions_ended")).toHaveLength(1);
    expect(await deliverAndReadMails(server, intruderEmail, "additions_ended")).toEqual([]);
  });
});

describe("a review link", () => {
  async function makeReviewLink() {
    const owner = await makeOwner();
    const additions = await makeAllAdditions(owner);
    await resetPassword(owner);
    const [mail] = await deliverAndReadMails(server, owner.email, "additions_ended");
    return { owner, additions, token: getLinkParam(mail!, "token") };
  }

  it("deactivates only new members of its owner", async () => {
    const { owner, token } = await makeReviewLink();
    const stranger = await makeUser();
    const oldMember = await makeUser({ parentUserId: owner.id, createdAt: fromNow(-4 * DAY) });
    const ids = [stranger.id, oldMember.id, owner.id];
    const { json } = await post("/api/auth/review-additions", { token, ids });
    expect(json.ended).toBe(0);
    const active = await prisma().user.count({ where: { id: { in: ids }, isActive: true } });
    expect(active).toBe(3);
  });

  it("works for one of twenty concurrent calls", async () => {
    const { additions, token } = await makeReviewLink();
    const member = await prisma().user.findFirstOrThrow({ where: { email: additions.joinedEmail } });
    const responses = await runConcurrently(20, () =>
      post("/api/auth/review-additions", { token, ids: [member.id] }, { ip: createIpAddress() }),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(19);
  });

  it("expires after three days", async () => {
    const { owner, token } = await makeReviewLink();
    await prisma().additionReview.update({ where: { userId: owner.id }, data: { expiresAt: new Date() } });
    expect((await post("/api/auth/review-additions", { token, ids: [] })).status).toBe(400);
  });
});

describe("a notice about additions", () => {
  const listNotices = (owner: Owner) => deliverAndReadMails(server, owner.email, "account_additions");

  it("is mailed immediately for the first addition, then at most hourly for all later ones", async () => {
    const owner = await makeOwner();
    const token = await makeToken(owner.id);
    const addWebhook = (name: string) =>
      post("/api/webhooks", { url: `https://${name}.example.com/` }, { token });
    await addWebhook("first");
    expect(await listNotices(owner)).toHaveLength(1);
    for (const name of ["second", "third", "fourth"]) await addWebhook(name);
    await inviteAgent(owner, token, `later${++lastUniqueNumber}@example.com`);
    expect(await listNotices(owner)).toHaveLength(1);
    await prisma().accountAddition.updateMany({
      where: { userId: owner.id, mailedAt: { not: null } },
      data: { mailedAt: fromNow(-HOUR) },
    });
    await post(`/api/sites/${owner.site.id}/regenerate-external-key`, {}, { token });
    const mails = await listNotices(owner);
    expect(mails).toHaveLength(2);
    for (const name of ["second.", "third.", "fourth.", "later", "Kaya Kahve"])
      expect(mails[0]!.text).toContain(name);
    expect(mails[0]!.text).not.toContain("first.");
  });

  const ADDITION_REQUESTS: Array<[string, (owner: Owner, token: string) => Promise<{ status: number }>]> = [
    ["a webhook", (_, token) => post("/api/webhooks", { url: "https://a.example.com/" }, { token })],
    [
      "an external key",
      ({ site }, token) => post(`/api/sites/${site.id}/regenerate-external-key`, {}, { token }),
    ],
    ["an invitation", (owner, token) => inviteAgent(owner, token, `kind${++lastUniqueNumber}@example.com`)],
    [
      "a customer's invitation",
      (_, token) =>
        post(
          "/api/reseller/customers",
          { name: "Guest", email: `kind${++lastUniqueNumber}@example.com` },
          { token },
        ),
    ],
    [
      "permission to view the panel",
      (_, token) => call("PUT", "/api/profile/support-access", { token, body: { until: "1d" } }),
    ],
  ];
  it.each(ADDITION_REQUESTS)("is mailed for %s", async (_, requestAddition) => {
    const owner = await makeOwner();
    expect((await requestAddition(owner, await makeToken(owner.id))).status).toBeLessThan(300);
    expect(await listNotices(owner)).toHaveLength(1);
  });

  it("is mailed for a webhook with a new URL", async () => {
    const owner = await makeOwner();
    const token = await makeToken(owner.id);
    const { json } = await post("/api/webhooks", { url: "https://a.example.com/" }, { token });
    await prisma().accountAddition.deleteMany({ where: { userId: owner.id } });
    const path = `/api/webhooks/${json.webhook.id}`;
    await call("PUT", path, { token, body: { description: "Desk" } });
    expect(await listNotices(owner)).toHaveLength(0);
    await call("PUT", path, { token, body: { url: "https://elsewhere.example.com/" } });
    expect((await listNotices(owner))[0]!.text).toContain(breakLinks("elsewhere.example.com"));
  });
});
