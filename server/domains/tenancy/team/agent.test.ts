import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSignedInUser, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { getHarmlessBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";
import { getHandlers } from "@/server/transports/rest/operations";

const { call, get } = await startTestServer();

/** An agent of one of the owner's two sites; all data of the other one contains `secret`. */
async function makeAgentTeam(role: "user" | "admin" | "reseller" = "user") {
  const secret = `canary-${role}-${Date.now()}`;
  // An agent may see the owner's name and address, but not the phone number.
  const owner = await makeUser({ phone: secret });
  const assigned = await makeSite(owner.id, { name: "Mine", systemPrompt: "instructions of the assistant" });
  const otherSite = await makeSite(owner.id, { name: secret, welcomeMessage: secret });
  const agent = await makeUser({
    role,
    isAgentOnly: true,
    parentUserId: owner.id,
    assignedSiteId: assigned.id,
  });
  const formerSite = await makeSite(agent.id, { name: secret });
  return {
    agent,
    assigned,
    otherSite,
    formerSite,
    secret,
    token: await makeToken(agent.id),
  };
}

const siteRoutes = getHandlers().filter(({ operation }) => operation.path.startsWith("/api/sites"));

const teamByRole = {
  user: await makeAgentTeam("user"),
  reseller: await makeAgentTeam("reseller"),
  admin: await makeAgentTeam("admin"),
};

describe.each(["user", "reseller", "admin"] as const)("an agent with the role %s", (role) => {
  it.each(siteRoutes)("accesses only the assigned site through $operation.id", async ({ operation }) => {
    const { assigned, otherSite, formerSite, secret, token } = teamByRole[role];
    const siteCountBefore = await prisma().site.count();
    const options = { token, body: getHarmlessBody(operation) };
    const ids = operation.path.includes("{") ? [assigned.id, otherSite.id, formerSite.id] : [0];
    for (const id of ids) {
      const path = operation.path.replace(/\{\w+\}/, String(id));
      const { status, text } = await call(operation.method, path, options);
      expect(text, path).not.toContain(secret);
      expect(text).not.toContain("instructions of the assistant");
      const isRead = operation.method === "GET" && (id === assigned.id || id === 0);
      expect(isRead ? [200, 403] : [403], `${operation.method} ${path}`).toContain(status);
    }
    expect(await prisma().site.count()).toBe(siteCountBefore);
    expect(await prisma().externalKey.count({ where: { siteId: assigned.id } })).toBe(0);
  });

  it("lists and opens the site without the assistant's instructions", async () => {
    const { assigned, token } = await makeAgentTeam(role);
    const listResponse = await get("/api/sites", token);
    expect(listResponse.json.data.map(({ id }: { id: number }) => id)).toEqual([assigned.id]);
    expect((await get(`/api/sites/${assigned.id}`, token)).json.data).toMatchObject({
      name: "Mine",
      system_prompt: null,
    });
  });

  it("sees no site once the assigned one is deleted", async () => {
    const { assigned, token } = await makeAgentTeam(role);
    await prisma().site.delete({ where: { id: assigned.id } });
    expect((await get("/api/sites", token)).json.data).toEqual([]);
  });
});

describe("the owner of a member's team", () => {
  it("is returned with only name and address; null if there is no owner", async () => {
    const owner = await makeUser({ name: "İnci Öz", phone: "+905321234567" });
    const site = await makeSite(owner.id);
    const { token, ...agent } = await makeSignedInUser({
      isAgentOnly: true,
      parentUserId: owner.id,
      assignedSiteId: site.id,
    });
    const readOwner = async (callerToken: string) => (await get("/api/team/owner", callerToken)).json;
    expect(await readOwner(token)).toEqual({ success: true, owner: { name: "İnci Öz", email: owner.email } });
    expect(await readOwner(await makeToken(owner.id))).toEqual({ success: true, owner: null });
    await prisma().user.update({ where: { id: agent.id }, data: { parentUserId: null } });
    expect(await readOwner(token)).toEqual({ success: true, owner: null });
  });
});
