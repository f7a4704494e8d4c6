import { beforeEach, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { runConcurrently } from "@/server/testing/burst";
import { makeProvenUser, makeReseller, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { buildRegistrationBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { call, get, post } = server;
beforeEach(() => resetRateLimits());

const { token, ...caller } = await makeProvenUser({ role: "admin" });
const reason = "Ticket 4711";
const setParent = (id: number, parent_user_id: number | null, extraFields: object = {}) =>
  call("PUT", `/api/admin/users/${id}/parent`, { token, body: { parent_user_id, reason, ...extraFields } });
const readParentId = async (id: number) =>
  (await prisma().user.findUniqueOrThrow({ where: { id }, select: { parentUserId: true } })).parentUserId;

it("puts an account under a parent, who sees its sites, and removes it again", async () => {
  const reseller = await makeUser({ role: "reseller" });
  await makeReseller(reseller.id);
  const [parent, child] = [await makeUser(), await makeUser({ resellerId: reseller.id })];
  const site = await makeSite(child.id);
  const [sessionToken, apiKey] = [await makeToken(child.id), await makeToken(child.id, { kind: "api_key" })];
  const parentToken = await makeToken(parent.id);
  expect((await get(`/api/sites/${site.id}`, parentToken)).status).toBe(403);
  expect((await setParent(child.id, parent.id)).status).toBe(200);
  expect((await get(`/api/sites/${site.id}`, parentToken)).status).toBe(200);
  expect((await get("/api/user", sessionToken)).status).toBe(401);
  expect((await get("/api/user", apiKey)).status).toBe(200);
  expect((await get("/api/auth/user", apiKey)).json.user).toMatchObject({
    parent_user_id: parent.id,
    reseller_id: null,
  });
  expect(await deliverAndReadMails(server, child.email, "parent_changed")).toHaveLength(1);
  expect(await prisma().auditEvent.findFirst({ where: { action: "account.parent_changed" } })).toMatchObject({
    actorId: caller.id,
    objectId: String(child.id),
    details: { before: null, after: parent.id, reason },
  });
  expect((await setParent(child.id, parent.id)).status).toBe(200);
  expect(await deliverAndReadMails(server, child.email, "parent_changed")).toHaveLength(1);
  expect((await setParent(child.id, null, { expected: { parent_user_id: parent.id } })).status).toBe(200);
  expect(await readParentId(child.id)).toBeNull();
});

async function createExternalKey(siteId: number, creatorToken: string): Promise<string> {
  const { status, json } = await post(
    `/api/sites/${siteId}/regenerate-external-key`,
    {},
    { token: creatorToken },
  );
  expect(status).toBe(200);
  return json.external_api_key;
}
const readStatusWithKey = async (key: string, siteId: number) =>
  (await call("GET", `/api/sites/${siteId}`, { headers: { "x-api-key": key } })).status;

it("keeps keys made by the owner and administrators", async () => {
  const parent = await makeUser();
  const child = await makeUser({ parentUserId: parent.id });
  const sites = [await makeSite(child.id), await makeSite(child.id)];
  const keys = [
    await createExternalKey(sites[0]!.id, await makeToken(child.id)),
    await createExternalKey(sites[1]!.id, await makeToken(caller.id, { provenAt: new Date() })),
  ];
  expect((await setParent(child.id, null)).status).toBe(200);
  for (const [index, site] of sites.entries())
    expect(await readStatusWithKey(keys[index]!, site.id)).toBe(200);
});

it("ends the former parent's agents, invitations, keys and verified mail accounts", async () => {
  const parent = await makeUser();
  const child = await makeUser({ parentUserId: parent.id });
  const site = await makeSite(child.id);
  const agent = await makeUser({ parentUserId: parent.id, isAgentOnly: true, assignedSiteId: site.id });
  const ownAgent = await makeUser({ parentUserId: child.id, isAgentOnly: true, assignedSiteId: site.id });
  const [agentToken, ownAgentToken] = [await makeToken(agent.id), await makeToken(ownAgent.id)];
  const invitationResponse = await post(
    "/api/team/invitations",
    { name: "Ece", email: `ece-${site.id}@example.com`, site_id: site.id },
    { token: await makeToken(parent.id) },
  );
  expect(invitationResponse.status).toBe(201);
  const mailAccountFields = {
    siteId: site.id,
    fromName: "A",
    fromAddress: "a@example.com",
    host: "mail.example.com",
    port: 465,
  };
  await prisma().mailAccount.create({ data: { ...mailAccountFields, secure: true, verifiedAt: new Date() } });
  const key = await createExternalKey(site.id, await makeToken(parent.id, { provenAt: new Date() }));
  expect((await get(`/api/sites/${site.id}`, agentToken)).status).toBe(200);
  expect((await setParent(child.id, null)).status).toBe(200);
  expect(await readStatusWithKey(key, site.id)).toBe(401);
  expect(await deliverAndReadMails(server, child.email, "site_keys_ended")).toHaveLength(1);
  expect((await get(`/api/sites/${site.id}`, agentToken)).status).toBe(401);
  expect((await get(`/api/sites/${site.id}`, ownAgentToken)).status).toBe(200);
  expect(await prisma().user.findUniqueOrThrow({ where: { id: agent.id } })).toMatchObject({
    isActive: false,
    assignedSiteId: null,
  });
  expect(await prisma().invitation.count({ where: { siteId: site.id } })).toBe(0);
  const whereVerified = { siteId: site.id, verifiedAt: { not: null } };
  expect(await prisma().mailAccount.count({ where: whereVerified })).toBe(0);
  await prisma().mailAccount.updateMany({ where: { siteId: site.id }, data: { verifiedAt: new Date() } });
  expect((await setParent(child.id, parent.id)).status).toBe(200);
  expect(await prisma().mailAccount.count({ where: whereVerified })).toBe(1);
});

it("rejects an unverified account as a member: API keys of its creator would survive", async () => {
  const owner = await makeUser();
  const { json } = await post("/api/auth/register", buildRegistrationBody());
  await prisma().accessToken.updateMany({ where: { userId: json.user.id }, data: { provenAt: new Date() } });
  const keyResponse = await post("/api/user/tokens", { name: "Squatter" }, { token: json.token });
  expect(keyResponse.status).toBe(201);
  expect((await setParent(json.user.id, owner.id)).status).toBe(422);
  expect(await readParentId(json.user.id)).toBeNull();
});

it("prevents cycles and rejects agents, resellers and administrators", async () => {
  const [firstUser, secondUser] = [await makeUser(), await makeUser()];
  const responses = await runConcurrently(10, (index) =>
    setParent([firstUser, secondUser][index % 2]!.id, [secondUser, firstUser][index % 2]!.id),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
  const parentIds = [await readParentId(firstUser.id), await readParentId(secondUser.id)];
  expect(parentIds.filter((parent) => parent !== null)).toHaveLength(1);

  const [agent, inactiveUser] = [await makeUser({ isAgentOnly: true }), await makeUser({ isActive: false })];
  const person = await makeUser();
  for (const invalidId of [person.id, agent.id, inactiveUser.id, caller.id, 2_147_483_647])
    expect((await setParent(person.id, invalidId)).json.errors, String(invalidId)).toHaveProperty(
      "parent_user_id",
    );
  const reseller = await makeUser({ role: "reseller" });
  for (const { id } of [agent, reseller, caller]) expect((await setParent(id, person.id)).status).toBe(422);
});
