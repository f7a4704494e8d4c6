import { beforeEach, describe, expect, it } from "vitest";
import { toIsoMicros } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { makeConnection, makeReseller, makeSignedInUser, makeSite } from "@/server/testing/factories";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
beforeEach(() => resetRateLimits());

async function listIdle(token: string, query = "") {
  const { status, json } = await server.get(`/api/idle-connections${query}`, token);
  expect(status).toBe(200);
  expect(json.data).toEqual(json.connections);
  return json.connections as Array<Record<string, unknown> & { id: number }>;
}

const makeSuspendedSite = (userId: number) => makeSite(userId, { isActive: false, suspendedReason: "owner" });

it("returns exactly the documented fields, with all reasons that apply", async () => {
  const { id, token } = await makeSignedInUser();
  const site = await makeSuspendedSite(id);
  const deletedSite = await makeSite(id);
  const unlinkedConnection = await makeConnection(id, { siteIds: [deletedSite.id] });
  const inactiveConnection = await makeConnection(id, {
    siteIds: [site.id, deletedSite.id],
    isActive: false,
    health: "dead",
    tokenDeadAt: new Date(),
  });
  await prisma().site.update({
    where: { id: deletedSite.id },
    data: { deletedAt: new Date(), isActive: false, suspendedReason: "owner" },
  });
  expect(await listIdle(token)).toEqual([
    {
      channel: "telegram",
      id: unlinkedConnection.id,
      label: unlinkedConnection.label,
      connection_type: "bot",
      reasons: ["no_site"],
      token_dead: false,
      is_active: true,
      linked_sites: [],
      owner_user_id: id,
      can_manage: true,
      created_at: toIsoMicros(unlinkedConnection.createdAt),
    },
    expect.objectContaining({
      id: inactiveConnection.id,
      reasons: ["sites_inactive", "deactivated"],
      token_dead: true,
      is_active: false,
      linked_sites: [{ id: site.id, name: site.name, domain: site.domain, is_active: false }],
    }),
  ]);
});

it("omits connections that are in use, even with a dead token, and those in clean-up", async () => {
  const { id, token } = await makeSignedInUser();
  const activeSite = await makeSite(id);
  await makeConnection(id, { siteIds: [activeSite.id, (await makeSuspendedSite(id)).id] });
  await makeConnection(id, { siteIds: [activeSite.id], health: "dead", tokenDeadAt: new Date() });
  await makeConnection(id, { isActive: false, cleanup: "running" });
  const failedConnection = await makeConnection(id, { isActive: false, cleanup: "failed" });
  expect((await listIdle(token)).map((connection) => connection.id)).toEqual([failedConnection.id]);
});

it("lists the connections after the ID in `after`", async () => {
  const { id, token } = await makeSignedInUser();
  const [firstConnection, secondConnection] = [await makeConnection(id), await makeConnection(id)];
  expect((await listIdle(token, `?after=${firstConnection.id}`)).map((connection) => connection.id)).toEqual([
    secondConnection.id,
  ]);
});

const admin = await makeSignedInUser({ role: "admin" });
const reseller = await makeSignedInUser({ role: "reseller" });
await makeReseller(reseller.id);
const parent = await makeSignedInUser({ resellerId: reseller.id });
const subAccount = await makeSignedInUser({ parentUserId: parent.id });
const stranger = await makeSignedInUser();
const site = await makeSuspendedSite(subAccount.id);
const otherSite = await makeSuspendedSite(subAccount.id);
const agent = await makeSignedInUser({
  isAgentOnly: true,
  parentUserId: subAccount.id,
  assignedSiteId: site.id,
});
const subAccountConnection = await makeConnection(subAccount.id, { siteIds: [site.id, otherSite.id] });
const otherConnection = await makeConnection(subAccount.id, { siteIds: [otherSite.id] });
const parentConnection = await makeConnection(parent.id);

describe("access", () => {
  it.each([
    ["the owner", subAccount, { [subAccountConnection.id]: true, [otherConnection.id]: true }],
    [
      "a parent, read-only",
      parent,
      { [subAccountConnection.id]: false, [otherConnection.id]: false, [parentConnection.id]: true },
    ],
    [
      "the reseller of both",
      reseller,
      { [subAccountConnection.id]: true, [otherConnection.id]: true, [parentConnection.id]: true },
    ],
    [
      "an administrator",
      admin,
      { [subAccountConnection.id]: true, [otherConnection.id]: true, [parentConnection.id]: true },
    ],
    ["an agent of the site, read-only", agent, { [subAccountConnection.id]: false }],
    ["a stranger", stranger, {}],
  ])("of %s", async (_who, { token }, expected) => {
    const ids = [subAccountConnection.id, otherConnection.id, parentConnection.id];
    const rows = (await listIdle(token)).filter(({ id }) => ids.includes(id));
    expect(Object.fromEntries(rows.map((row) => [row.id, row.can_manage]))).toEqual(expected);
  });

  it("of an agent includes only the assigned site in linked_sites", async () => {
    const [row] = await listIdle(agent.token);
    expect(row!.linked_sites).toEqual([expect.objectContaining({ id: site.id })]);
  });
});

it("requires a token", async () => {
  expect((await server.get("/api/idle-connections")).status).toBe(401);
});
