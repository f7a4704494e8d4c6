import { beforeEach, describe, expect, it } from "vitest";
import { isoMicros } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { makeConnection, makePerson, makeReseller, makeSite } from "@/server/testing/factories";
import { resetLimits } from "@/server/testing/limits";
import { testServer } from "@/server/testing/server";

const server = await testServer();
beforeEach(() => resetLimits());

async function idle(token: string, query = "") {
  const { status, json } = await server.get(`/api/idle-connections${query}`, token);
  expect(status).toBe(200);
  expect(json.data).toEqual(json.connections);
  return json.connections as Array<Record<string, unknown> & { id: number }>;
}

const suspended = (userId: number) => makeSite(userId, { isActive: false, suspendedReason: "owner" });

it("lists a connection with exactly the documented fields, and every reason that holds", async () => {
  const { id, token } = await makePerson();
  const site = await suspended(id);
  const gone = await makeSite(id);
  const none = await makeConnection(id, { siteIds: [gone.id] });
  const off = await makeConnection(id, {
    siteIds: [site.id, gone.id],
    isActive: false,
    health: "dead",
    tokenDeadAt: new Date(),
  });
  await prisma().site.update({
    where: { id: gone.id },
    data: { deletedAt: new Date(), isActive: false, suspendedReason: "owner" },
  });
  expect(await idle(token)).toEqual([
    {
      channel: "telegram",
      id: none.id,
      label: none.label,
      connection_type: "bot",
      reasons: ["no_site"],
      token_dead: false,
      is_active: true,
      linked_sites: [],
      owner_user_id: id,
      can_manage: true,
      created_at: isoMicros(none.createdAt),
    },
    expect.objectContaining({
      id: off.id,
      reasons: ["sites_inactive", "deactivated"],
      token_dead: true,
      is_active: false,
      linked_sites: [{ id: site.id, name: site.name, domain: site.domain, is_active: false }],
    }),
  ]);
});

it("never lists what is in use, nor what is being cleaned up; a dead token alone makes nothing idle", async () => {
  const { id, token } = await makePerson();
  const active = await makeSite(id);
  await makeConnection(id, { siteIds: [active.id, (await suspended(id)).id] });
  await makeConnection(id, { siteIds: [active.id], health: "dead", tokenDeadAt: new Date() });
  await makeConnection(id, { isActive: false, cleanup: "running" });
  const failed = await makeConnection(id, { isActive: false, cleanup: "failed" });
  expect((await idle(token)).map((each) => each.id)).toEqual([failed.id]);
});

it("goes on after a number", async () => {
  const { id, token } = await makePerson();
  const [first, second] = [await makeConnection(id), await makeConnection(id)];
  expect((await idle(token, `?after=${first.id}`)).map((each) => each.id)).toEqual([second.id]);
});

const admin = await makePerson({ role: "admin" });
const above = await makePerson({ role: "reseller" });
await makeReseller(above.id);
const parent = await makePerson({ resellerId: above.id });
const child = await makePerson({ parentUserId: parent.id });
const stranger = await makePerson();
const site = await suspended(child.id);
const other = await suspended(child.id);
const agent = await makePerson({ isAgentOnly: true, parentUserId: child.id, assignedSiteId: site.id });
const ofChild = await makeConnection(child.id, { siteIds: [site.id, other.id] });
const ofOther = await makeConnection(child.id, { siteIds: [other.id] });
const ofParent = await makeConnection(parent.id);

describe("the cascade", () => {
  it.each([
    ["the owner", child, { [ofChild.id]: true, [ofOther.id]: true }],
    ["a parent, who only sees", parent, { [ofChild.id]: false, [ofOther.id]: false, [ofParent.id]: true }],
    ["the reseller above both", above, { [ofChild.id]: true, [ofOther.id]: true, [ofParent.id]: true }],
    ["an administrator", admin, { [ofChild.id]: true, [ofOther.id]: true, [ofParent.id]: true }],
    ["an agent of the site, who only sees", agent, { [ofChild.id]: false }],
    ["a stranger", stranger, {}],
  ])("shows %s what they reach", async (_who, { token }, expected) => {
    const mine = [ofChild.id, ofOther.id, ofParent.id];
    const rows = (await idle(token)).filter(({ id }) => mine.includes(id));
    expect(Object.fromEntries(rows.map((row) => [row.id, row.can_manage]))).toEqual(expected);
  });

  it("names to an agent the own site alone", async () => {
    const [row] = await idle(agent.token);
    expect(row!.linked_sites).toEqual([expect.objectContaining({ id: site.id })]);
  });
});

it("needs a token", async () => {
  expect((await server.get("/api/idle-connections")).status).toBe(401);
});
