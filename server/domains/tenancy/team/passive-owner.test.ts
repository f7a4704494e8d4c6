import { describe, expect, it } from "vitest";
import { formatText } from "@/server/core/texts";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails, getLinkParam } from "@/server/testing/mailbox";
import { buildRegistrationBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { call, get, post } = server;

const adminToken = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
const setStatus = async ({ id }: { id: number }, is_active: boolean) => {
  const body = { is_active, reason: "Ticket 4711" };
  const response = await call("PUT", `/api/admin/users/${id}/status`, { body, token: adminToken });
  expect(response.status).toBe(200);
};
const signIn = ({ email }: { email: string }) =>
  post("/api/auth/login", { email, password: "correct-horse" });

async function makeTeam(siteOwner: "owner" | "subUser" = "owner") {
  const reseller = await makeUser({ role: "reseller", name: "Selin Arslan" });
  const owner = await makeUser({ name: "Derya Kaya", resellerId: reseller.id });
  const subUser = await makeUser({ parentUserId: owner.id });
  const site = await makeSite((siteOwner === "owner" ? owner : subUser).id);
  const agent = await makeUser({ isAgentOnly: true, parentUserId: owner.id, assignedSiteId: site.id });
  return { reseller, owner, subUser, site, agent, token: await makeToken(agent.id) };
}

const snippetBody = { title: "Hello", body: "Good morning" };

describe("an agent of a deactivated owner", () => {
  it("is refused with every token until the owner is active again", async () => {
    const { owner, agent, token } = await makeTeam();
    const apiKey = await makeToken(agent.id, { kind: "api_key" });
    await setStatus(owner, false);
    const callOperations = (callerToken: string) => [
      get("/api/user", callerToken),
      get("/api/sites", callerToken),
      get("/api/media", callerToken),
      post("/api/snippets", snippetBody, { token: callerToken }),
    ];
    for (const callerToken of [token, apiKey])
      for (const { status, json } of await Promise.all(callOperations(callerToken)))
        expect({ status, success: json.success }).toEqual({ status: 403, success: false });
    expect(await prisma().snippet.count({ where: { userId: owner.id } })).toBe(0);
    await setStatus(owner, true);
    const statuses = (await Promise.all(callOperations(token))).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 201]);
  });

  it("cannot sign in and gets a contact", async () => {
    const { reseller, owner, agent } = await makeTeam();
    await setStatus(owner, false);
    const tokenCount = await prisma().accessToken.count({ where: { userId: agent.id } });
    const { status, json } = await signIn(agent);
    expect(status).toBe(403);
    expect(json).toMatchObject({
      success: false,
      error: formatText("tr", "errors.employer_disabled"),
      account_disabled: true,
      contact: {
        source: "reseller",
        email: reseller.email,
        message: formatText("tr", "responses.contact.employer"),
      },
    });
    expect(await prisma().accessToken.count({ where: { userId: agent.id } })).toBe(tokenCount);
    const { gates } = (await get(`/api/admin/users/${agent.id}/gates`, adminToken)).json;
    const gate = gates.find((gateState: { gate: string }) => gateState.gate === "account_active");
    expect(gate).toMatchObject({ open: false, reason: json.error, lift: null });
    await setStatus(owner, true);
    expect((await signIn(agent)).status).toBe(200);
  });

  it("is blocked whether the site's owner or the team's owner is deactivated", async () => {
    for (const role of ["owner", "subUser"] as const) {
      const team = await makeTeam("subUser");
      await setStatus(team[role], false);
      expect((await get("/api/sites", team.token)).status).toBe(403);
      expect((await signIn(team.agent)).status).toBe(403);
    }
  });
});

it("lets a sub-user of a deactivated owner keep using their own sites", async () => {
  const { owner, subUser } = await makeTeam();
  const token = await makeToken(subUser.id);
  await setStatus(owner, false);
  expect((await get("/api/sites", token)).status).toBe(200);
  expect((await signIn(subUser)).status).toBe(200);
});

describe("an invitation to the site of a deactivated sub-user", () => {
  it("is not sent, and an earlier one opens no account until the sub-user is active", async () => {
    const { owner, subUser, site } = await makeTeam("subUser");
    const token = await makeToken(owner.id);
    const invite = (email: string) =>
      post("/api/team/invitations", { name: "Ece Demir", email, site_id: site.id }, { token });
    const email = `invitee-of-${subUser.id}@example.com`;
    expect((await invite(email)).status).toBe(201);
    const invitationToken = getLinkParam((await deliverAndReadMails(server, email))[0]!, "token");
    const { password, password_confirmation, consents } = buildRegistrationBody();
    const acceptInvitation = () =>
      post("/api/auth/accept-invitation", {
        token: invitationToken,
        password,
        password_confirmation,
        consents,
      });
    await setStatus(subUser, false);
    expect((await acceptInvitation()).status).toBe(400);
    expect((await get(`/api/auth/invitation?token=${invitationToken}`)).status).toBe(400);
    const refusedResponse = await invite(`another-${email}`);
    expect(refusedResponse).toMatchObject({
      status: 422,
      json: { errors: { site_id: [expect.any(String)] } },
    });
    await setStatus(subUser, true);
    expect((await acceptInvitation()).status).toBe(201);
  });
});
