import { describe, expect, it } from "vitest";
import { formatText } from "@/server/core/texts";
import { prisma } from "@/server/infrastructure/database/client";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeSite, makeToken, makeUser } from "@/server/testing/factories";
import type { TestResponse } from "@/server/testing/http";
import { deliverAndReadMails, getLinkParam } from "@/server/testing/mailbox";
import { buildRegistrationBody } from "@/server/testing/requests";
import { makeTotpFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { call, get, post } = server;

type UserData = Parameters<typeof makeUser>[0];
const ROUND_COUNT = Number(process.env.BURST_ROUNDS ?? 2);

async function makeTeam(data: UserData = {}) {
  const owner = await makeUser({ name: "Deniz Aydın", ...data });
  const site = await makeSite(owner.id, { name: "Aydın Kahve" });
  return { owner, site, token: await makeToken(owner.id) };
}
type Team = Awaited<ReturnType<typeof makeTeam>>;

let addressCount = 0;
const createAddress = () => `invitee.${process.pid}.${++addressCount}@example.com`;

const invite = ({ token }: Pick<Team, "token">, body: object = {}) =>
  post("/api/team/invitations", { name: "Ece Demir", email: createAddress(), ...body }, { token });
const updateMember = (id: number, body: object, token: string) =>
  call("PUT", `/api/team/members/${id}`, { body, token });
const acceptInvitation = (token: string, body: object = {}) => {
  const { password, password_confirmation, consents } = buildRegistrationBody();
  return post("/api/auth/accept-invitation", { token, password, password_confirmation, consents, ...body });
};

async function readInvitationToken(address: string): Promise<string> {
  const [mail] = (await deliverAndReadMails(server, address)).filter(({ template }) =>
    template.endsWith("_invitation"),
  );
  return getLinkParam(mail!, "token");
}

async function joinTeam(team: Team, body: object = {}) {
  const invitation = await invite(team, body);
  expect(invitation.status).toBe(201);
  const { email } = invitation.json.invitation;
  const { status, json } = await acceptInvitation(await readInvitationToken(email));
  expect(status).toBe(201);
  return { id: json.user.id as number, email: email as string, token: json.token as string };
}
const joinTeamAsAgent = (team: Team) => joinTeam(team, { site_id: team.site.id });

const listAuditEntries = async (actionPrefix: string) =>
  (
    await prisma().auditEvent.findMany({
      where: { action: { startsWith: actionPrefix } },
      orderBy: { id: "asc" },
    })
  ).map(({ action, actorId, objectId, details }) => ({ action, actorId, objectId, details }));
const isForbidden = ({ status, text }: TestResponse) =>
  status === 403 && text === '{"message":"This action is unauthorized."}';
const isNotFound = ({ status, json }: TestResponse) =>
  [status, String(json.message).split(" ")[0]].join() === "404,No";

describe("an invitation", () => {
  it("with a site creates a verified agent with consents, without credits, and signs in", async () => {
    const team = await makeTeam({ resellerId: null });
    const email = createAddress();
    const inviteResponse = await invite(team, {
      email,
      site_id: team.site.id,
      allowed_modules: ["saas", "saas"],
    });
    expect(inviteResponse.json.invitation).toMatchObject({
      email,
      site: { id: team.site.id, name: "Aydın Kahve" },
      allowed_modules: ["saas"],
      expired: false,
    });
    const [mail] = await deliverAndReadMails(server, email, "agent_invitation");
    expect(mail!.subject).toContain("Deniz Aydın");
    expect(mail!.text).toContain("Aydın Kahve");
    const { status, json } = await acceptInvitation(await readInvitationToken(email), {
      phone: "0532 123 45 67",
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      user: {
        name: "Ece Demir",
        email,
        phone: "+905321234567",
        role: "user",
        credits: 0,
        is_agent_only: true,
      },
      modules: ["saas"],
    });
    expect(json.user.assigned_site_id).toBe(team.site.id);

    const user = await prisma().user.findUniqueOrThrow({
      where: { id: json.user.id },
      include: { creditEntries: true, consents: true },
    });
    expect(user).toMatchObject({ parentUserId: team.owner.id, resellerId: null, creditEntries: [] });
    expect(user.emailVerifiedAt).not.toBeNull();
    expect(user.consents.map(({ source, granted, hash }) => [source, granted, hash === null])).toEqual(
      Array.from({ length: 7 }, () => ["invitation", true, false]),
    );
    expect((await get("/api/user", json.token)).json.user.email).toBe(email);
    expect((await post("/api/auth/login", { email, password: "correct-horse" })).status).toBe(200);
    const [signIn] = await prisma().auditEvent.findMany({
      where: { actorId: user.id, action: "sign_in.succeeded" },
    });
    expect(signIn?.details).toEqual({ way: "invitation" });
    expect((await get("/api/profile/sign-ins", json.token)).json.sign_ins.at(-1).way).toBe("invitation");
    expect((await listAuditEntries("team.joined")).at(-1)).toMatchObject({
      actorId: user.id,
      details: { inviter: team.owner.id, site: team.site.id },
    });
  });

  it("without a site creates a sub-user, whose sites the inviter can access", async () => {
    const team = await makeTeam();
    const member = await joinTeam(team);
    const site = await makeSite(member.id);
    expect((await get(`/api/sites/${site.id}`, team.token)).status).toBe(200);
    expect((await get(`/api/sites/${team.site.id}`, member.token)).status).toBe(403);
    const { json } = await get("/api/auth/user", member.token);
    expect(json.user).toMatchObject({ is_agent_only: false, parent_user_id: team.owner.id, credits: 0 });
  });

  it("can be read repeatedly with its own token only", async () => {
    const team = await makeTeam();
    const email = createAddress();
    await invite(team, { email, site_id: team.site.id });
    const token = await readInvitationToken(email);
    for (let time = 0; time < 3; time++) {
      const { status, json } = await get(`/api/auth/invitation?token=${token}`);
      expect({ status, inviter: json.invitation.inviter, name: json.invitation.site.name }).toEqual({
        status: 200,
        inviter: "Deniz Aydın",
        name: "Aydın Kahve",
      });
    }
    const wrongToken = token.slice(0, -1) + (token.endsWith("A") ? "B" : "A");
    for (const invalidToken of [wrongToken, "dsj_x", team.token])
      expect((await get(`/api/auth/invitation?token=${invalidToken}`)).status).toBe(400);
    expect((await acceptInvitation(token)).status).toBe(201);
    expect((await get(`/api/auth/invitation?token=${token}`)).status).toBe(400);
  });

  it.each(Array.from({ length: ROUND_COUNT }, (_, round) => round))(
    "opens one account when accepted by fifty concurrent calls (round %i)",
    async () => {
      const team = await makeTeam();
      const email = createAddress();
      await invite(team, { email, site_id: team.site.id });
      const token = await readInvitationToken(email);
      const responses = await runConcurrently(50, () => acceptInvitation(token));
      expect(countByStatus(responses)).toEqual({ 201: 1, 400: 49 });
      expect(await prisma().user.count({ where: { parentUserId: team.owner.id } })).toBe(1);
    },
  );

  it("is created once by concurrent calls", async () => {
    const team = await makeTeam();
    const email = createAddress();
    const responses = await runConcurrently(3, () => invite(team, { email }));
    expect(countByStatus(responses)).toEqual({ 201: 1, 422: 2 });
    expect((await deliverAndReadMails(server, email)).length).toBe(1);
  });

  it("can be resent or cancelled without affecting others", async () => {
    const team = await makeTeam();
    const invitees = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const email = createAddress();
        const { id } = (await invite(team, { email })).json.invitation;
        return { id, email, token: await readInvitationToken(email) };
      }),
    );
    const [resent, cancelled, other] = invitees as [
      (typeof invitees)[0],
      (typeof invitees)[0],
      (typeof invitees)[0],
    ];
    expect((await post(`/api/team/invitations/${resent.id}/resend`, undefined, team)).status).toBe(200);
    expect((await call("DELETE", `/api/team/invitations/${cancelled.id}`, team)).status).toBe(200);
    expect((await acceptInvitation(other.token)).status).toBe(201);
    expect((await acceptInvitation(cancelled.token)).status).toBe(400);
    expect((await acceptInvitation(await readInvitationToken(resent.email))).status).toBe(201);
  });

  it("expires after seven days, when cancelled and when resent", async () => {
    const team = await makeTeam();
    const email = createAddress();
    const { id } = (await invite(team, { email })).json.invitation;
    const firstToken = await readInvitationToken(email);
    expect((await post(`/api/team/invitations/${id}/resend`, undefined, team)).status).toBe(200);
    const secondToken = await readInvitationToken(email);
    expect((await acceptInvitation(firstToken)).status).toBe(400);

    const resentInvitation = await prisma().invitation.findUniqueOrThrow({ where: { id } });
    const days = (resentInvitation.expiresAt.getTime() - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.99);
    expect(days).toBeLessThanOrEqual(7);
    await prisma().invitation.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } });
    expect((await acceptInvitation(secondToken)).status).toBe(400);
    expect((await get("/api/team", team.token)).json.invitations[0].expired).toBe(true);

    expect((await post(`/api/team/invitations/${id}/resend`, undefined, team)).status).toBe(200);
    const thirdToken = await readInvitationToken(email);
    expect((await post(`/api/team/invitations/${id}/resend`, undefined, team)).status).toBe(429);
    expect((await call("DELETE", `/api/team/invitations/${id}`, team)).status).toBe(200);
    expect((await acceptInvitation(thirdToken)).status).toBe(400);
    expect(isNotFound(await call("DELETE", `/api/team/invitations/${id}`, team))).toBe(true);
    expect((await listAuditEntries("team.invit")).slice(-4).map(({ action }) => action)).toEqual([
      "team.invited",
      "team.invitation_resent",
      "team.invitation_resent",
      "team.invitation_cancelled",
    ]);
  });

  it("is gone once accepted: it cannot be cancelled and does not block a new one", async () => {
    const team = await makeTeam();
    const email = createAddress();
    const invitationId: number = (await invite(team, { email })).json.invitation.id;
    const { id } = (await acceptInvitation(await readInvitationToken(email))).json.user;
    expect(isNotFound(await call("DELETE", `/api/team/invitations/${invitationId}`, team))).toBe(true);
    expect(isNotFound(await post(`/api/team/invitations/${invitationId}/resend`, undefined, team))).toBe(
      true,
    );
    expect(await prisma().invitation.findMany({ where: { inviterId: team.owner.id } })).toEqual([]);
    const movedAddress = createAddress();
    await prisma().user.update({ where: { id }, data: { email: movedAddress, emailKey: movedAddress } });
    expect((await invite(team, { email })).status).toBe(201);
  });

  it("stores only the digest of its token", async () => {
    const email = createAddress();
    await invite(await makeTeam(), { email });
    const token = await readInvitationToken(email);
    const row = await prisma().invitation.findFirstOrThrow({ where: { email } });
    expect(Buffer.from(row.tokenHash)).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(token.slice(4, 20));
  });

  it("needs valid registration data, and stays usable after an error", async () => {
    const email = createAddress();
    await invite(await makeTeam(), { email });
    const token = await readInvitationToken(email);
    const invalidBodies: Array<[object, string]> = [
      [{ password: "short", password_confirmation: "short" }, "password"],
      [{ password_confirmation: "another-one" }, "password_confirmation"],
      [{ password: "password123", password_confirmation: "password123" }, "password"],
      [{ phone: "12" }, "phone"],
      [{ name: "a\nb" }, "name"],
    ];
    for (const [body, field] of invalidBodies) {
      const { status, json } = await acceptInvitation(token, body);
      expect(status, field).toBe(422);
      expect(Object.keys(json.errors), field).toEqual([field]);
    }
    const { status, json } = await acceptInvitation(token, { consents: { terms: true } });
    expect({ status, missing_consents: json.missing_consents }).toEqual({
      status: 422,
      missing_consents: ["privacy", "yurtdisi", "cagri_kayit"],
    });
    expect((await acceptInvitation(token)).status).toBe(201);
  });

  it("is rejected for an address with an account, when sent and when accepted", async () => {
    const team = await makeTeam();
    const { email } = await makeUser();
    const refusedResponse = await invite(team, { email: email.toUpperCase() });
    expect(refusedResponse.status).toBe(422);
    expect(Object.keys(refusedResponse.json.errors)).toEqual(["email"]);
    const combinedResponse = await invite(team, { email, site_id: 2_147_483_647 });
    expect(Object.keys(combinedResponse.json.errors)).toEqual(["site_id"]);
    expect(await deliverAndReadMails(server, email)).toEqual([]);

    const lateEmail = createAddress();
    await invite(team, { email: lateEmail });
    const token = await readInvitationToken(lateEmail);
    const account = await makeUser({ email: lateEmail });
    const { status, json } = await acceptInvitation(token);
    expect({ status, success: json.success }).toEqual({ status: 422, success: false });
    const accountAfter = await prisma().user.findUniqueOrThrow({ where: { id: account.id } });
    expect({ parentUserId: accountAfter.parentUserId, passwordHash: accountAfter.passwordHash }).toEqual({
      parentUserId: null,
      passwordHash: account.passwordHash,
    });
    expect(
      (await prisma().invitation.findFirstOrThrow({ where: { email: lateEmail } })).acceptedAt,
    ).toBeNull();
  });

  it("checks the inviter's current state when accepted", async () => {
    const changes: Array<(owner: Team) => Promise<unknown>> = [
      ({ owner }) => prisma().user.update({ where: { id: owner.id }, data: { isActive: false } }),
      ({ owner }) => prisma().user.update({ where: { id: owner.id }, data: { isAgentOnly: true } }),
      async ({ site }) =>
        prisma().site.update({ where: { id: site.id }, data: { userId: (await makeUser()).id } }),
    ];
    for (const change of changes) {
      const team = await makeTeam();
      const email = createAddress();
      await invite(team, { email, site_id: team.site.id });
      const token = await readInvitationToken(email);
      await change(team);
      expect((await acceptInvitation(token)).status).toBe(400);
      expect(await prisma().user.count({ where: { email } })).toBe(0);
    }
    const owner = await makeTeam();
    const email = createAddress();
    await invite(owner, { email });
    await prisma().user.update({ where: { id: owner.owner.id }, data: { allowedModules: ["saas"] } });
    const { json } = await acceptInvitation(await readInvitationToken(email));
    expect({ allowed_modules: json.user.allowed_modules, modules: json.modules }).toEqual({
      allowed_modules: ["saas"],
      modules: ["saas"],
    });
  });
});

describe("permission to invite", () => {
  it("is denied to agents, unverified addresses and limited keys", async () => {
    const team = await makeTeam();
    const agent = await joinTeamAsAgent(team);
    for (const body of [{}, { site_id: team.site.id }]) expect((await invite(agent, body)).status).toBe(403);
    expect((await get("/api/team", agent.token)).status).toBe(403);
    expect((await updateMember(agent.id, { is_active: true }, agent.token)).status).toBe(403);

    const unverifiedUser = await makeUser({ emailVerifiedAt: null });
    expect((await invite({ token: await makeToken(unverifiedUser.id) })).status).toBe(422);
    const limitedToken = await makeToken(team.owner.id, { abilities: ["read", "profile:write"] });
    expect((await invite({ token: limitedToken })).status).toBe(403);
    expect((await get("/api/team", limitedToken)).status).toBe(200);
  });

  it("lets a sub-user invite agents for their own sites only, within their own modules", async () => {
    const team = await makeTeam();
    const member = await joinTeam(team, { allowed_modules: ["saas"] });
    const site = await makeSite(member.id);
    expect((await invite(member)).status).toBe(403);
    expect(Object.keys((await invite(member, { site_id: team.site.id })).json.errors)).toEqual(["site_id"]);
    const tooManyModules = await invite(member, {
      site_id: site.id,
      allowed_modules: ["saas", "appointment"],
    });
    expect(Object.keys(tooManyModules.json.errors)).toEqual(["allowed_modules"]);
    const allModules = await invite(member, { site_id: site.id, allowed_modules: null });
    expect(allModules.json.invitation.allowed_modules).toEqual(["saas"]);
    expect((await invite(team, { site_id: site.id })).status).toBe(201);
  });

  it("gives the same error for a foreign site and a missing one", async () => {
    const team = await makeTeam();
    const { site } = await makeTeam();
    const [foreignSiteResponse, missingSiteResponse] = [
      await invite(team, { site_id: site.id }),
      await invite(team, { site_id: 2_147_483_647 }),
    ];
    expect({ status: foreignSiteResponse.status, text: foreignSiteResponse.text }).toEqual({
      status: 422,
      text: missingSiteResponse.text,
    });
  });

  it("is limited to twenty an hour per account and per network", async () => {
    const team = await makeTeam();
    const responses = await runConcurrently(25, () => invite(team));
    expect(countByStatus(responses)).toEqual({ 201: 20, 429: 5 });
    const networkResponses: TestResponse[] = [];
    for (let index = 0; index < 22; index++) {
      const { token } = await makeTeam();
      const body = { name: "Ece", email: createAddress() };
      networkResponses.push(await post("/api/team/invitations", body, { token, ip: "192.0.2.77" }));
    }
    expect(countByStatus(networkResponses)).toEqual({ 201: 20, 429: 2 });
  });
});

describe("members", () => {
  it("are listed with site, state and second factor, without another team's", async () => {
    const team = await makeTeam();
    await joinTeamAsAgent(await makeTeam());
    const agent = await joinTeamAsAgent(team);
    const member = await joinTeam(team);
    await makeTotpFactor(member.id);
    await invite(team, { name: "Waiting" });
    const { json } = await get("/api/team", team.token);
    expect(json.members).toMatchObject([
      { id: member.id, email: member.email, is_agent_only: false, site: null, two_factor: true },
      {
        id: agent.id,
        is_agent_only: true,
        is_active: true,
        site: { id: team.site.id, name: "Aydın Kahve", domain: team.site.domain },
        two_factor: false,
        allowed_modules: null,
      },
    ]);
    expect(json.members[0].last_seen_at).toMatch(/^20/);
    expect(json).toMatchObject({ count: 2, data: { length: 2 } });
    expect(json.invitations.map(({ name }: { name: string }) => name)).toEqual(["Waiting"]);
  });

  it("lose all access when deactivated, and regain it when activated", async () => {
    const team = await makeTeam();
    const member = await joinTeam(team);
    const site = await makeSite(member.id);
    const apiKey = (await post("/api/user/tokens", { name: "CI" }, member)).json.token;
    expect(typeof apiKey).toBe("string");
    const totpApp = await makeTotpFactor(member.id);
    const pendingSignIn = (await post("/api/auth/login", { email: member.email, password: "correct-horse" }))
      .json;
    const trustedLogin = (await post("/api/auth/login", { email: member.email, password: "correct-horse" }))
      .json;
    const trustedSignIn = await post("/api/auth/2fa/challenge", {
      interim_token: trustedLogin.interim_token,
      method: "totp",
      code: totpApp.getCode(),
      remember_device: true,
    });
    await post("/api/auth/forgot-password", { email: member.email });
    const resetToken = getLinkParam(
      (await deliverAndReadMails(server, member.email, "reset_password"))[0]!,
      "token",
    );
    const invitedAddress = createAddress();
    await invite(member, { email: invitedAddress, site_id: site.id });
    const invitationToken = await readInvitationToken(invitedAddress);

    const { status, json } = await updateMember(member.id, { is_active: false }, team.token);
    expect({ status, is_active: json.member.is_active }).toEqual({ status: 200, is_active: false });
    for (const token of [member.token, apiKey, trustedSignIn.json.token])
      expect((await get("/api/user", token)).status).toBe(401);
    const challenge = {
      interim_token: pendingSignIn.interim_token,
      method: "totp",
      code: totpApp.getCode(30),
    };
    expect((await post("/api/auth/2fa/challenge", challenge)).status).toBe(401);
    const loginBody = {
      email: member.email,
      password: "correct-horse",
      device_token: trustedSignIn.json.device_token,
    };
    const refusedResponse = await post("/api/auth/login", loginBody);
    expect(refusedResponse).toMatchObject({ status: 403, json: { account_disabled: true } });
    expect(refusedResponse.json.contact).toMatchObject({ source: "parent", email: team.owner.email });
    const password = { password: "another-horse", password_confirmation: "another-horse" };
    const resetBody = { token: resetToken, email: member.email, ...password };
    expect((await post("/api/auth/reset-password", resetBody)).status).toBe(400);
    expect((await acceptInvitation(invitationToken)).status).toBe(400);
    for (const count of [
      prisma().accessToken.count({ where: { userId: member.id } }),
      prisma().interimToken.count({ where: { userId: member.id } }),
      prisma().trustedDevice.count({ where: { userId: member.id } }),
      prisma().invitation.count({ where: { inviterId: member.id } }),
    ])
      expect(await count).toBe(0);

    expect((await updateMember(member.id, { is_active: true }, team.token)).json.member.is_active).toBe(true);
    expect((await get("/api/user", member.token)).status).toBe(401);
    expect((await post("/api/auth/login", loginBody)).json.requires_2fa).toBe(true);
    expect((await listAuditEntries("team.member")).slice(-2).map(({ action }) => action)).toEqual([
      "team.member_deactivated",
      "team.member_reactivated",
    ]);
  });

  it("cannot be activated by the owner when an administrator or their reseller deactivated them", async () => {
    const [team, resellerTeam] = [await makeTeam(), await makeTeam({ role: "reseller" })];
    const reseller = await makeUser({ role: "reseller" });
    const memberFields = { parentUserId: team.owner.id };
    const rejectedOutcome = { status: 422, error: formatText("tr", "errors.member_held") };
    const activatedOutcome = { status: 200, error: undefined };
    for (const [deactivatedBy, data, expectedOutcome] of [
      ["admin", memberFields, rejectedOutcome],
      ["reseller", { ...memberFields, resellerId: reseller.id }, rejectedOutcome],
      ["admin", { parentUserId: resellerTeam.owner.id }, rejectedOutcome],
      ["reseller", { parentUserId: resellerTeam.owner.id }, activatedOutcome],
      // Deactivated by the owner while it was a reseller.
      ["reseller", memberFields, activatedOutcome],
      ["user", memberFields, activatedOutcome],
      // An agent whose site was deleted.
      [null, memberFields, activatedOutcome],
    ] as const) {
      const { id } = await makeUser({ ...data, isActive: false, deactivatedBy });
      const { token } = data.parentUserId === team.owner.id ? team : resellerTeam;
      const { members } = (await get("/api/team", token)).json;
      expect(members.find((member: { id: number }) => member.id === id).is_held, `${deactivatedBy}`).toBe(
        expectedOutcome === rejectedOutcome,
      );
      const { status, json } = await updateMember(id, { is_active: true }, token);
      expect({ status, error: json.error }, `${deactivatedBy} ${JSON.stringify(data)}`).toEqual(
        expectedOutcome,
      );
      const row = await prisma().user.findUniqueOrThrow({ where: { id } });
      expect([row.isActive, row.deactivatedBy]).toEqual(
        status === 200 ? [true, null] : [false, deactivatedBy],
      );
      if (status === 422) {
        expect((await updateMember(id, { is_active: false }, token)).status).toBe(200);
        expect((await prisma().user.findUniqueOrThrow({ where: { id } })).deactivatedBy).toBe(deactivatedBy);
      }
    }
  });

  it("get 401 for every call that starts after the deactivation", async () => {
    const team = await makeTeam();
    const agent = await joinTeamAsAgent(team);
    let isDeactivated = false;
    // Each reader repeats until a call has started after the response.
    const reads = runConcurrently(8, async () => {
      for (;;) {
        const hasStartedAfter = isDeactivated;
        const response = await get("/api/sites", agent.token);
        if (hasStartedAfter) return response;
      }
    });
    await updateMember(agent.id, { is_active: false }, team.token);
    isDeactivated = true;
    expect(countByStatus(await reads)).toEqual({ 401: 8 });
  });

  it("get modules and another site, and keep what is omitted", async () => {
    const team = await makeTeam();
    const otherSite = await makeSite(team.owner.id);
    const agent = await joinTeamAsAgent(team);
    const moveResponse = await updateMember(
      agent.id,
      { site_id: otherSite.id, allowed_modules: ["appointment"] },
      team.token,
    );
    expect(moveResponse.json.member).toMatchObject({
      site: { id: otherSite.id },
      allowed_modules: ["appointment"],
    });
    expect((await updateMember(agent.id, {}, team.token)).json.member).toEqual(moveResponse.json.member);
    expect((await get(`/api/sites/${otherSite.id}`, agent.token)).status).toBe(200);
    expect((await get(`/api/sites/${team.site.id}`, agent.token)).status).toBe(403);
    const unrestrictedResponse = await updateMember(agent.id, { allowed_modules: null }, team.token);
    expect(unrestrictedResponse.json.member.allowed_modules).toBeNull();
    expect((await get("/api/auth/user", agent.token)).json.modules).toEqual(["appointment", "saas"]);

    const foreignSiteResponse = await updateMember(
      agent.id,
      { site_id: (await makeTeam()).site.id },
      team.token,
    );
    expect(Object.keys(foreignSiteResponse.json.errors)).toEqual(["site_id"]);
    const member = await joinTeam(team);
    expect((await updateMember(agent.id, {}, team.token)).json.member.id, "not the newest").toBe(agent.id);
    const subUserResponse = await updateMember(member.id, { site_id: otherSite.id }, team.token);
    expect(Object.keys(subUserResponse.json.errors)).toEqual(["site_id"]);
    for (const allowed_modules of [["voice"], "saas", ["saas", "saas", "saas"]])
      expect((await updateMember(agent.id, { allowed_modules }, team.token)).status).toBe(422);
  });

  it("can only be changed by their team's owner", async () => {
    const team = await makeTeam();
    const agent = await joinTeamAsAgent(team);
    const member = await joinTeam(team);
    const stranger = await makeTeam();
    for (const id of [agent.id, member.id, team.owner.id])
      expect(isForbidden(await updateMember(id, { is_active: false }, stranger.token))).toBe(true);
    expect(isForbidden(await updateMember(agent.id, { is_active: false }, member.token))).toBe(true);
    expect(isForbidden(await updateMember(team.owner.id, { is_active: false }, member.token))).toBe(true);
    expect(isForbidden(await updateMember(stranger.owner.id, { is_active: false }, stranger.token))).toBe(
      true,
    );
    expect(isNotFound(await updateMember(2_147_480_000, { is_active: false }, stranger.token))).toBe(true);
    const { id } = (await invite(team)).json.invitation;
    for (const { token } of [stranger, member]) {
      expect(isForbidden(await post(`/api/team/invitations/${id}/resend`, undefined, { token }))).toBe(true);
      expect(isForbidden(await call("DELETE", `/api/team/invitations/${id}`, { token }))).toBe(true);
    }
    const activeCount = await prisma().user.count({
      where: { id: { in: [agent.id, member.id, team.owner.id] }, isActive: true },
    });
    expect(activeCount).toBe(3);
  });
});
