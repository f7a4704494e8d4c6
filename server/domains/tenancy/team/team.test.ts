import { describe, expect, it } from "vitest";
import { formatText } from "@/server/core/texts";
import { prisma } from "@/server/infrastructure/database/client";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeSite, makeToken, makeUser } from "@/server/testing/factories";
import type { TestResponse } from "@/server/testing/http";
import { getLinkParam, readMails } from "@/server/testing/mailbox";
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
const accept = (token: string, body: object = {}) => {
  const { password, password_confirmation, consents } = buildRegistrationBody();
  return post("/api/auth/accept-invitation", { token, password, password_confirmation, consents, ...body });
};

async function readToken(address: string): Promise<string> {
  const [mail] = (await readMails(server, address)).filter(({ template }) =>
    template.endsWith("_invitation"),
  );
  return getLinkParam(mail!, "token");
}

async function joinTeam(owner: Team, body: object = {}) {
  const invitation = await invite(owner, body);
  expect(invitation.status).toBe(201);
  const { email } = invitation.json.invitation;
  const { status, json } = await accept(await readToken(email));
  expect(status).toBe(201);
  return { id: json.user.id as number, email: email as string, token: json.token as string };
}
const joinAgent = (owner: Team) => joinTeam(owner, { site_id: owner.site.id });

const listAuditEntries = async (name: string) =>
  (
    await prisma().auditEvent.findMany({ where: { action: { startsWith: name } }, orderBy: { id: "asc" } })
  ).map(({ action, actorId, objectId, details }) => ({ action, actorId, objectId, details }));
const isForbidden = ({ status, text }: TestResponse) =>
  status === 403 && text === '{"message":"This action is unauthorized."}';
const isNotFound = ({ status, json }: TestResponse) =>
  [status, String(json.message).split(" ")[0]].join() === "404,No";

describe("an invitation", () => {
  it("with a site creates a verified agent with consents, without credits, and signs in", async () => {
    const owner = await makeTeam({ resellerId: null });
    const email = createAddress();
    const inviteResponse = await invite(owner, {
      email,
      site_id: owner.site.id,
      allowed_modules: ["saas", "saas"],
    });
    expect(inviteResponse.json.invitation).toMatchObject({
      email,
      site: { id: owner.site.id, name: "Aydın Kahve" },
      allowed_modules: ["saas"],
      expired: false,
    });
    const [mail] = await readMails(server, email, "agent_invitation");
    expect(mail!.subject).toContain("Deniz Aydın");
    expect(mail!.text).toContain("Aydın Kahve");
    const { status, json } = await accept(await readToken(email), { phone: "0532 123 45 67" });
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
    expect(json.user.assigned_site_id).toBe(owner.site.id);

    const user = await prisma().user.findUniqueOrThrow({
      where: { id: json.user.id },
      include: { creditEntries: true, consents: true },
    });
    expect(user).toMatchObject({ parentUserId: owner.owner.id, resellerId: null, creditEntries: [] });
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
      details: { inviter: owner.owner.id, site: owner.site.id },
    });
  });

  it("without a site creates a sub-user, whose sites the inviter can access", async () => {
    const owner = await makeTeam();
    const member = await joinTeam(owner);
    const site = await makeSite(member.id);
    expect((await get(`/api/sites/${site.id}`, owner.token)).status).toBe(200);
    expect((await get(`/api/sites/${owner.site.id}`, member.token)).status).toBe(403);
    const { json } = await get("/api/auth/user", member.token);
    expect(json.user).toMatchObject({ is_agent_only: false, parent_user_id: owner.owner.id, credits: 0 });
  });

  it("can be read repeatedly with its own token only", async () => {
    const owner = await makeTeam();
    const email = createAddress();
    await invite(owner, { email, site_id: owner.site.id });
    const token = await readToken(email);
    for (let time = 0; time < 3; time++) {
      const { status, json } = await get(`/api/auth/invitation?token=${token}`);
      expect({ status, inviter: json.invitation.inviter, name: json.invitation.site.name }).toEqual({
        status: 200,
        inviter: "Deniz Aydın",
        name: "Aydın Kahve",
      });
    }
    const wrongToken = token.slice(0, -1) + (token.endsWith("A") ? "B" : "A");
    for (const other of [wrongToken, "dsj_x", owner.token])
      expect((await get(`/api/auth/invitation?token=${other}`)).status).toBe(400);
    expect((await accept(token)).status).toBe(201);
    expect((await get(`/api/auth/invitation?token=${token}`)).status).toBe(400);
  });

  it.each(Array.from({ length: ROUND_COUNT }, (_, round) => round))(
    "opens one account when accepted by fifty concurrent calls (round %i)",
    async () => {
      const owner = await makeTeam();
      const email = createAddress();
      await invite(owner, { email, site_id: owner.site.id });
      const token = await readToken(email);
      const responses = await runConcurrently(50, () => accept(token));
      expect(countByStatus(responses)).toEqual({ 201: 1, 400: 49 });
      expect(await prisma().user.count({ where: { parentUserId: owner.owner.id } })).toBe(1);
    },
  );

  it("is created once by concurrent calls", async () => {
    const owner = await makeTeam();
    const email = createAddress();
    const responses = await runConcurrently(3, () => invite(owner, { email }));
    expect(countByStatus(responses)).toEqual({ 201: 1, 422: 2 });
    expect((await readMails(server, email)).length).toBe(1);
  });

  it("can be resent or cancelled without affecting others", async () => {
    const owner = await makeTeam();
    const invitees = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const email = createAddress();
        const { id } = (await invite(owner, { email })).json.invitation;
        return { id, email, token: await readToken(email) };
      }),
    );
    const [resent, cancelled, other] = invitees as [
      (typeof invitees)[0],
      (typeof invitees)[0],
      (typeof invitees)[0],
    ];
    expect((await post(`/api/team/invitations/${resent.id}/resend`, undefined, owner)).status).toBe(200);
    expect((await call("DELETE", `/api/team/invitations/${cancelled.id}`, owner)).status).toBe(200);
    expect((await accept(other.token)).status).toBe(201);
    expect((await accept(cancelled.token)).status).toBe(400);
    expect((await accept(await readToken(resent.email))).status).toBe(201);
  });

  it("expires after seven days, when cancelled and when resent", async () => {
    const owner = await makeTeam();
    const email = createAddress();
    const { id } = (await invite(owner, { email })).json.invitation;
    const firstToken = await readToken(email);
    expect((await post(`/api/team/invitations/${id}/resend`, undefined, owner)).status).toBe(200);
    const secondToken = await readToken(email);
    expect((await accept(firstToken)).status).toBe(400);

    const before = await prisma().invitation.findUniqueOrThrow({ where: { id } });
    const days = (before.expiresAt.getTime() - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.99);
    expect(days).toBeLessThanOrEqual(7);
    await prisma().invitation.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } });
    expect((await accept(secondToken)).status).toBe(400);
    expect((await get("/api/team", owner.token)).json.invitations[0].expired).toBe(true);

    expect((await post(`/api/team/invitations/${id}/resend`, undefined, owner)).status).toBe(200);
    const thirdToken = await readToken(email);
    expect((await post(`/api/team/invitations/${id}/resend`, undefined, owner)).status).toBe(429);
    expect((await call("DELETE", `/api/team/invitations/${id}`, owner)).status).toBe(200);
    expect((await accept(thirdToken)).status).toBe(400);
    expect(isNotFound(await call("DELETE", `/api/team/invitations/${id}`, owner))).toBe(true);
    expect((await listAuditEntries("team.invit")).slice(-4).map(({ action }) => action)).toEqual([
      "team.invited",
      "team.invitation_resent",
      "team.invitation_resent",
      "team.invitation_cancelled",
    ]);
  });

  it("is gone once accepted: it cannot be cancelled and does not block a new one", async () => {
    const owner = await makeTeam();
    const email = createAddress();
    const invitationId: number = (await invite(owner, { email })).json.invitation.id;
    const { id } = (await accept(await readToken(email))).json.user;
    expect(isNotFound(await call("DELETE", `/api/team/invitations/${invitationId}`, owner))).toBe(true);
    expect(isNotFound(await post(`/api/team/invitations/${invitationId}/resend`, undefined, owner))).toBe(
      true,
    );
    expect(await prisma().invitation.findMany({ where: { inviterId: owner.owner.id } })).toEqual([]);
    const movedAddress = createAddress();
    await prisma().user.update({ where: { id }, data: { email: movedAddress, emailKey: movedAddress } });
    expect((await invite(owner, { email })).status).toBe(201);
  });

  it("stores only the digest of its token", async () => {
    const email = createAddress();
    await invite(await makeTeam(), { email });
    const token = await readToken(email);
    const row = await prisma().invitation.findFirstOrThrow({ where: { email } });
    expect(Buffer.from(row.tokenHash)).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(token.slice(4, 20));
  });

  it("needs valid registration data, and stays usable after an error", async () => {
    const email = createAddress();
    await invite(await makeTeam(), { email });
    const token = await readToken(email);
    const invalid: Array<[object, string]> = [
      [{ password: "short", password_confirmation: "short" }, "password"],
      [{ password_confirmation: "another-one" }, "password_confirmation"],
      [{ password: "password123", password_confirmation: "password123" }, "password"],
      [{ phone: "12" }, "phone"],
      [{ name: "a\nb" }, "name"],
    ];
    for (const [body, field] of invalid) {
      const { status, json } = await accept(token, body);
      expect(status, field).toBe(422);
      expect(Object.keys(json.errors), field).toEqual([field]);
    }
    const { status, json } = await accept(token, { consents: { terms: true } });
    expect({ status, missing_consents: json.missing_consents }).toEqual({
      status: 422,
      missing_consents: ["privacy", "yurtdisi", "cagri_kayit"],
    });
    expect((await accept(token)).status).toBe(201);
  });

  it("is rejected for an address with an account, when sent and when accepted", async () => {
    const owner = await makeTeam();
    const { email } = await makeUser();
    const refused = await invite(owner, { email: email.toUpperCase() });
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.json.errors)).toEqual(["email"]);
    const other = await invite(owner, { email, site_id: 2_147_483_647 });
    expect(Object.keys(other.json.errors)).toEqual(["site_id"]);
    expect(await readMails(server, email)).toEqual([]);

    const lateEmail = createAddress();
    await invite(owner, { email: lateEmail });
    const token = await readToken(lateEmail);
    const account = await makeUser({ email: lateEmail });
    const { status, json } = await accept(token);
    expect({ status, success: json.success }).toEqual({ status: 422, success: false });
    const after = await prisma().user.findUniqueOrThrow({ where: { id: account.id } });
    expect({ parentUserId: after.parentUserId, passwordHash: after.passwordHash }).toEqual({
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
      const owner = await makeTeam();
      const email = createAddress();
      await invite(owner, { email, site_id: owner.site.id });
      const token = await readToken(email);
      await change(owner);
      expect((await accept(token)).status).toBe(400);
      expect(await prisma().user.count({ where: { email } })).toBe(0);
    }
    const owner = await makeTeam();
    const email = createAddress();
    await invite(owner, { email });
    await prisma().user.update({ where: { id: owner.owner.id }, data: { allowedModules: ["saas"] } });
    const { json } = await accept(await readToken(email));
    expect({ allowed_modules: json.user.allowed_modules, modules: json.modules }).toEqual({
      allowed_modules: ["saas"],
      modules: ["saas"],
    });
  });
});

describe("permission to invite", () => {
  it("is denied to agents, unverified addresses and limited keys", async () => {
    const owner = await makeTeam();
    const agent = await joinAgent(owner);
    for (const body of [{}, { site_id: owner.site.id }]) expect((await invite(agent, body)).status).toBe(403);
    expect((await get("/api/team", agent.token)).status).toBe(403);
    expect((await updateMember(agent.id, { is_active: true }, agent.token)).status).toBe(403);

    const unverifiedUser = await makeUser({ emailVerifiedAt: null });
    expect((await invite({ token: await makeToken(unverifiedUser.id) })).status).toBe(422);
    const limitedToken = await makeToken(owner.owner.id, { abilities: ["read", "profile:write"] });
    expect((await invite({ token: limitedToken })).status).toBe(403);
    expect((await get("/api/team", limitedToken)).status).toBe(200);
  });

  it("lets a sub-user invite agents for their own sites only, within their own modules", async () => {
    const owner = await makeTeam();
    const member = await joinTeam(owner, { allowed_modules: ["saas"] });
    const site = await makeSite(member.id);
    expect((await invite(member)).status).toBe(403);
    expect(Object.keys((await invite(member, { site_id: owner.site.id })).json.errors)).toEqual(["site_id"]);
    const tooManyModules = await invite(member, {
      site_id: site.id,
      allowed_modules: ["saas", "appointment"],
    });
    expect(Object.keys(tooManyModules.json.errors)).toEqual(["allowed_modules"]);
    const allModules = await invite(member, { site_id: site.id, allowed_modules: null });
    expect(allModules.json.invitation.allowed_modules).toEqual(["saas"]);
    expect((await invite(owner, { site_id: site.id })).status).toBe(201);
  });

  it("gives the same error for a foreign site and a missing one", async () => {
    const owner = await makeTeam();
    const { site } = await makeTeam();
    const [foreignSiteResponse, missingSiteResponse] = [
      await invite(owner, { site_id: site.id }),
      await invite(owner, { site_id: 2_147_483_647 }),
    ];
    expect({ status: foreignSiteResponse.status, text: foreignSiteResponse.text }).toEqual({
      status: 422,
      text: missingSiteResponse.text,
    });
  });

  it("is limited to twenty an hour per account and per network", async () => {
    const owner = await makeTeam();
    const responses = await runConcurrently(25, () => invite(owner));
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
    const owner = await makeTeam();
    await joinAgent(await makeTeam());
    const agent = await joinAgent(owner);
    const member = await joinTeam(owner);
    await makeTotpFactor(member.id);
    await invite(owner, { name: "Waiting" });
    const { json } = await get("/api/team", owner.token);
    expect(json.members).toMatchObject([
      { id: member.id, email: member.email, is_agent_only: false, site: null, two_factor: true },
      {
        id: agent.id,
        is_agent_only: true,
        is_active: true,
        site: { id: owner.site.id, name: "Aydın Kahve", domain: owner.site.domain },
        two_factor: false,
        allowed_modules: null,
      },
    ]);
    expect(json.members[0].last_seen_at).toMatch(/^20/);
    expect(json).toMatchObject({ count: 2, data: { length: 2 } });
    expect(json.invitations.map(({ name }: { name: string }) => name)).toEqual(["Waiting"]);
  });

  it("lose all access when deactivated, and regain it when activated", async () => {
    const owner = await makeTeam();
    const member = await joinTeam(owner);
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
    const resetToken = getLinkParam((await readMails(server, member.email, "reset_password"))[0]!, "token");
    const invitedAddress = createAddress();
    await invite(member, { email: invitedAddress, site_id: site.id });
    const invitationToken = await readToken(invitedAddress);

    const { status, json } = await updateMember(member.id, { is_active: false }, owner.token);
    expect({ status, is_active: json.member.is_active }).toEqual({ status: 200, is_active: false });
    for (const token of [member.token, apiKey, trustedSignIn.json.token])
      expect((await get("/api/user", token)).status).toBe(401);
    const challenge = {
      interim_token: pendingSignIn.interim_token,
      method: "totp",
      code: totpApp.getCode(30),
    };
    expect((await post("/api/auth/2fa/challenge", challenge)).status).toBe(401);
    const login = {
      email: member.email,
      password: "correct-horse",
      device_token: trustedSignIn.json.device_token,
    };
    const refused = await post("/api/auth/login", login);
    expect(refused).toMatchObject({ status: 403, json: { account_disabled: true } });
    expect(refused.json.contact).toMatchObject({ source: "parent", email: owner.owner.email });
    const password = { password: "another-horse", password_confirmation: "another-horse" };
    const resetBody = { token: resetToken, email: member.email, ...password };
    expect((await post("/api/auth/reset-password", resetBody)).status).toBe(400);
    expect((await accept(invitationToken)).status).toBe(400);
    for (const count of [
      prisma().accessToken.count({ where: { userId: member.id } }),
      prisma().interimToken.count({ where: { userId: member.id } }),
      prisma().trustedDevice.count({ where: { userId: member.id } }),
      prisma().invitation.count({ where: { inviterId: member.id } }),
    ])
      expect(await count).toBe(0);

    expect((await updateMember(member.id, { is_active: true }, owner.token)).json.member.is_active).toBe(
      true,
    );
    expect((await get("/api/user", member.token)).status).toBe(401);
    expect((await post("/api/auth/login", login)).json.requires_2fa).toBe(true);
    expect((await listAuditEntries("team.member")).slice(-2).map(({ action }) => action)).toEqual([
      "team.member_deactivated",
      "team.member_reactivated",
    ]);
  });

  it("cannot be activated by the owner when an administrator or their reseller deactivated them", async () => {
    const [owner, resellerTeam] = [await makeTeam(), await makeTeam({ role: "reseller" })];
    const reseller = await makeUser({ role: "reseller" });
    const memberFields = { parentUserId: owner.owner.id };
    const rejectedOutcome = { status: 422, error: formatText("tr", "errors.member_held") };
    const activatedOutcome = { status: 200, error: undefined };
    for (const [by, data, expected] of [
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
      const { id } = await makeUser({ ...data, isActive: false, deactivatedBy: by });
      const { token } = data.parentUserId === owner.owner.id ? owner : resellerTeam;
      const { members } = (await get("/api/team", token)).json;
      expect(members.find((each: { id: number }) => each.id === id).is_held, `${by}`).toBe(
        expected === rejectedOutcome,
      );
      const { status, json } = await updateMember(id, { is_active: true }, token);
      expect({ status, error: json.error }, `${by} ${JSON.stringify(data)}`).toEqual(expected);
      const row = await prisma().user.findUniqueOrThrow({ where: { id } });
      expect([row.isActive, row.deactivatedBy]).toEqual(status === 200 ? [true, null] : [false, by]);
      if (status === 422) {
        expect((await updateMember(id, { is_active: false }, token)).status).toBe(200);
        expect((await prisma().user.findUniqueOrThrow({ where: { id } })).deactivatedBy).toBe(by);
      }
    }
  });

  it("get 401 for every call that starts after the deactivation", async () => {
    const owner = await makeTeam();
    const agent = await joinAgent(owner);
    let isDeactivated = false;
    // Each reader repeats until a call has started after the response.
    const reads = runConcurrently(8, async () => {
      for (;;) {
        const hasStartedAfter = isDeactivated;
        const response = await get("/api/sites", agent.token);
        if (hasStartedAfter) return response;
      }
    });
    await updateMember(agent.id, { is_active: false }, owner.token);
    isDeactivated = true;
    expect(countByStatus(await reads)).toEqual({ 401: 8 });
  });

  it("get modules and another site, and keep what is omitted", async () => {
    const owner = await makeTeam();
    const other = await makeSite(owner.owner.id);
    const agent = await joinAgent(owner);
    const moveResponse = await updateMember(
      agent.id,
      { site_id: other.id, allowed_modules: ["appointment"] },
      owner.token,
    );
    expect(moveResponse.json.member).toMatchObject({
      site: { id: other.id },
      allowed_modules: ["appointment"],
    });
    expect((await updateMember(agent.id, {}, owner.token)).json.member).toEqual(moveResponse.json.member);
    expect((await get(`/api/sites/${other.id}`, agent.token)).status).toBe(200);
    expect((await get(`/api/sites/${owner.site.id}`, agent.token)).status).toBe(403);
    const unrestrictedResponse = await updateMember(agent.id, { allowed_modules: null }, owner.token);
    expect(unrestrictedResponse.json.member.allowed_modules).toBeNull();
    expect((await get("/api/auth/user", agent.token)).json.modules).toEqual(["appointment", "saas"]);

    const foreignSiteResponse = await updateMember(
      agent.id,
      { site_id: (await makeTeam()).site.id },
      owner.token,
    );
    expect(Object.keys(foreignSiteResponse.json.errors)).toEqual(["site_id"]);
    const member = await joinTeam(owner);
    expect((await updateMember(agent.id, {}, owner.token)).json.member.id, "not the newest").toBe(agent.id);
    const subUserResponse = await updateMember(member.id, { site_id: other.id }, owner.token);
    expect(Object.keys(subUserResponse.json.errors)).toEqual(["site_id"]);
    for (const allowed_modules of [["voice"], "saas", ["saas", "saas", "saas"]])
      expect((await updateMember(agent.id, { allowed_modules }, owner.token)).status).toBe(422);
  });

  it("can only be changed by their team's owner", async () => {
    const owner = await makeTeam();
    const agent = await joinAgent(owner);
    const member = await joinTeam(owner);
    const stranger = await makeTeam();
    for (const id of [agent.id, member.id, owner.owner.id])
      expect(isForbidden(await updateMember(id, { is_active: false }, stranger.token))).toBe(true);
    expect(isForbidden(await updateMember(agent.id, { is_active: false }, member.token))).toBe(true);
    expect(isForbidden(await updateMember(owner.owner.id, { is_active: false }, member.token))).toBe(true);
    expect(isForbidden(await updateMember(stranger.owner.id, { is_active: false }, stranger.token))).toBe(
      true,
    );
    expect(isNotFound(await updateMember(2_147_480_000, { is_active: false }, stranger.token))).toBe(true);
    const { id } = (await invite(owner)).json.invitation;
    for (const { token } of [stranger, member]) {
      expect(isForbidden(await post(`/api/team/invitations/${id}/resend`, undefined, { token }))).toBe(true);
      expect(isForbidden(await call("DELETE", `/api/team/invitations/${id}`, { token }))).toBe(true);
    }
    const active = await prisma().user.count({
      where: { id: { in: [agent.id, member.id, owner.owner.id] }, isActive: true },
    });
    expect(active).toBe(3);
  });
});
