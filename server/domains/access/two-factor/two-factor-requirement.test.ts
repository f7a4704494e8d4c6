import { beforeEach, describe, expect, it } from "vitest";
import { toTurkishDay } from "@/server/core/calendar";
import { DAY, fromNow } from "@/server/core/time";
import { exchangeForSession } from "@/server/domains/access/tokens/service/tokens";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeProvenUser, makeReseller, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { sendHttp } from "@/server/testing/http";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { buildRegistrationBody } from "@/server/testing/requests";
import { makeEmailFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";
import { remindOfTwoFactorRequirementJob } from "./jobs";

const server = await startTestServer();
const { call, get, port, runJobs } = server;
beforeEach(() => resetRateLimits());

const { token: adminToken } = await makeProvenUser({ role: "admin", name: "Deniz Yılmaz" });

const getTurkishDay = (offset: number) => toTurkishDay(fromNow(offset * DAY));
const getMidnight = (offset: number) => new Date(`${getTurkishDay(offset)}T00:00:00+03:00`);
const NO_REQUIREMENTS = { user: null, agent: null, reseller: null, admin: null };
type Requirement = { required_from: string; grace_days: number };

async function setRequirements(roles: Partial<Record<keyof typeof NO_REQUIREMENTS, Requirement>>) {
  const body = { two_factor_duty: { ...NO_REQUIREMENTS, ...roles } };
  expect((await call("PUT", "/api/admin/settings", { token: adminToken, body })).status).toBe(200);
  await runJobs();
}
const readEnrolBy = async (id: number) =>
  (await prisma().user.findUniqueOrThrow({ where: { id }, select: { enrolBy: true } })).enrolBy;
/** Makes an account that has existed for years, so that its grace period can be over. */
const makeOldUser = async (data: Parameters<typeof makeUser>[0] = {}) => {
  const user = await makeUser(data);
  await prisma().user.update({
    where: { id: user.id },
    data: { dutySince: new Date("2024-01-01T00:00:00Z") },
  });
  return user;
};
const PAST_REQUIREMENT = { required_from: getTurkishDay(-10), grace_days: 3 };
const REFUSED_BODY = { success: false, error: expect.any(String), requires_two_factor_setup: true };

describe("the two-factor requirement", () => {
  it("applies to the chosen roles and sets the end of the grace period", async () => {
    const [oldUser, agent] = [await makeOldUser(), await makeOldUser({ isAgentOnly: true })];
    expect([await readEnrolBy(oldUser.id), await readEnrolBy(agent.id)]).toEqual([null, null]);
    await setRequirements({ user: { required_from: getTurkishDay(5), grace_days: 14 } });
    const deadline = new Date(getMidnight(5).getTime() + 14 * DAY);
    expect([await readEnrolBy(oldUser.id), await readEnrolBy(agent.id)]).toEqual([deadline, null]);
    const token = await makeToken(oldUser.id);
    const { json } = await get("/api/user/second-factor-duty", token);
    expect(json).toMatchObject({ success: true, duty: { overdue: false } });
    expect((await get("/api/sites", token)).status).toBe(200);
    await setRequirements({ agent: PAST_REQUIREMENT });
    expect(await readEnrolBy(oldUser.id)).toBeNull();
    expect(await readEnrolBy(agent.id)).toEqual(new Date(getMidnight(-10).getTime() + 3 * DAY));
    expect((await get("/api/user/second-factor-duty", token)).json.duty).toBeNull();
  });

  it("blocks tokens and keys after the grace period, except for the set-up, until there is a factor", async () => {
    const user = await makeOldUser();
    await setRequirements({ user: PAST_REQUIREMENT });
    const token = await makeToken(user.id, { provenAt: new Date() });
    const key = await makeToken(user.id, { kind: "api_key" });
    for (const bearer of [token, key]) {
      const { status, json } = await get("/api/sites", bearer);
      expect({ status, json }).toEqual({ status: 403, json: REFUSED_BODY });
    }
    expect((await get("/api/team", token)).json).toEqual(REFUSED_BODY);
    for (const path of ["/api/user", "/api/auth/user", "/api/profile/2fa/methods", "/api/auth/passkey"]) {
      const { status } = await get(path, token);
      expect([path, status]).not.toEqual([path, 403]);
    }
    const body = { email: user.email, password: "correct-horse" };
    const loginResponse = await call("POST", "/api/auth/login", { body });
    expect(loginResponse.status).toBe(200);
    expect((await get("/api/sites", loginResponse.json.token)).status).toBe(403);

    expect((await call("POST", "/api/profile/2fa/email", { token })).status).toBe(200);
    expect(await readEnrolBy(user.id)).toBeNull();
    expect((await get("/api/sites", key)).status).toBe(200);
    expect((await call("DELETE", "/api/profile/2fa/email", { token })).status).toBe(200);
    expect((await get("/api/sites", token)).json).toEqual(REFUSED_BODY);
    expect((await call("POST", "/api/auth/logout", { token })).status).toBe(200);
  });

  it("is met by a passkey, and gives new accounts and roles a full grace period", async () => {
    await setRequirements({ user: PAST_REQUIREMENT, reseller: PAST_REQUIREMENT });
    const [user, newUser] = [await makeOldUser(), await makeUser()];
    const passkey = {
      id: "01J00000000000000000000000",
      userId: user.id,
      credentialId: "abc",
      publicKey: Buffer.from("key"),
      transports: [],
      deviceName: "Phone",
      aaguid: "00000000-0000-0000-0000-000000000000",
      backupEligible: false,
      backedUp: false,
    };
    await prisma().passkey.create({ data: passkey });
    expect(await readEnrolBy(user.id)).toBeNull();
    await prisma().passkey.delete({ where: { id: passkey.id } });
    expect(await readEnrolBy(user.id)).not.toBeNull();
    expect((await readEnrolBy(newUser.id))!.getTime()).toBeGreaterThan(Date.now() + 2 * DAY);
    expect((await get("/api/sites", await makeToken(newUser.id))).status).toBe(200);
    await prisma().user.update({ where: { id: user.id }, data: { role: "reseller" } });
    expect((await readEnrolBy(user.id))!.getTime()).toBeGreaterThan(Date.now() + 2 * DAY);
    await prisma().user.update({ where: { id: user.id }, data: { anonymisedAt: new Date() } });
    expect(await readEnrolBy(user.id)).toBeNull();
  });

  it("ends impersonation and does not affect external keys of sites", async () => {
    const reseller = await makeOldUser({ role: "reseller" });
    await makeReseller(reseller.id);
    const customer = await makeUser({ resellerId: reseller.id });
    const session = (await exchangeForSession(
      withoutTransaction(),
      await makeToken(reseller.id, { provenAt: new Date() }),
    ))!;
    await setRequirements({});
    await prisma().supportAccess.create({ data: { userId: customer.id, until: fromNow(DAY) } });
    const callPanel = (name: string, input?: object) =>
      sendHttp(port, input ? "POST" : "GET", `/trpc/${name}${input ? "" : "?input=%7B%7D"}`, {
        headers: { origin: "http://panel.test", cookie: `locale=en; session=${session.secret}` },
        ...(input && { body: input }),
      });
    const startResponse = await callPanel("viewAs.start", {
      body: { user_id: customer.id, reason: "Ticket 4711", minutes: 30 },
    });
    expect(startResponse.status).toBe(200);
    expect((await callPanel("profile.me")).json.result.data.user.id).toBe(customer.id);
    await setRequirements({ reseller: PAST_REQUIREMENT });
    expect((await callPanel("profile.me")).json.error.data.error).toBe("view_as_over");
    expect((await callPanel("viewAs.end", {})).status).toBe(200);
    expect((await callPanel("profile.me")).json.result.data.user.id).toBe(reseller.id);
    expect((await callPanel("customers.list")).json.error.data.error).toBe("second_factor_required");

    await setRequirements({});
    const site = await makeSite(reseller.id);
    const token = await makeToken(reseller.id, { provenAt: new Date() });
    const createResponse = await call("POST", `/api/sites/${site.id}/regenerate-external-key`, { token });
    await setRequirements({ reseller: PAST_REQUIREMENT });
    expect((await get("/api/sites", token)).json).toEqual(REFUSED_BODY);
    const headers = { "x-api-key": createResponse.json.external_api_key };
    expect((await call("GET", "/api/sites", { headers })).status).toBe(200);
  });

  it("covers customers, agents and agents of customers when a reseller sets it", async () => {
    await setRequirements({});
    const reseller = await makeUser({ role: "reseller" });
    await makeReseller(reseller.id);
    const token = await makeToken(reseller.id, { provenAt: new Date() });
    const customer = await makeOldUser({ resellerId: reseller.id });
    const agent = await makeOldUser({ isAgentOnly: true, parentUserId: customer.id });
    const ownAgent = await makeOldUser({ isAgentOnly: true, parentUserId: reseller.id });
    const stranger = await makeOldUser();
    await makeEmailFactor(ownAgent.id);
    const path = "/api/reseller/second-factor-duty";
    expect((await get(path, token)).json).toEqual({ success: true, duty: null, without_count: 2 });
    const putRequirement = (duty: Requirement | null, extraFields: object = {}) =>
      call("PUT", path, { token, body: { duty, ...extraFields } });
    expect((await putRequirement(PAST_REQUIREMENT, { expected: { duty: PAST_REQUIREMENT } })).status).toBe(
      409,
    );
    expect((await putRequirement(PAST_REQUIREMENT, { expected: { duty: null } })).json.duty).toEqual(
      PAST_REQUIREMENT,
    );
    await runJobs();
    const deadline = new Date(getMidnight(-10).getTime() + 3 * DAY);
    const readAllDeadlines = async () =>
      Promise.all([customer, agent, ownAgent, stranger, reseller].map(({ id }) => readEnrolBy(id)));
    expect(await readAllDeadlines()).toEqual([deadline, deadline, null, null, null]);
    await prisma().user.update({ where: { id: customer.id }, data: { resellerId: null } });
    expect(await readAllDeadlines()).toEqual([null, null, null, null, null]);
    const unprovenToken = await makeToken(reseller.id);
    expect(
      (await call("PUT", path, { token: unprovenToken, body: { duty: null } })).json.requires_identity,
    ).toBe(true);
    expect((await get(path, await makeToken(customer.id))).status).toBe(403);
    expect((await putRequirement(null)).json.duty).toBeNull();
  });

  it("is mailed once, a week before the deadline", async () => {
    const [dueUser, laterUser] = [await makeOldUser({ locale: "en" }), await makeOldUser({ locale: "en" })];
    await setRequirements({ user: { required_from: getTurkishDay(0), grace_days: 5 } });
    await prisma().user.update({ where: { id: laterUser.id }, data: { role: "admin" } });
    await remindOfTwoFactorRequirementJob();
    await remindOfTwoFactorRequirementJob();
    const listTemplates = async (email: string) =>
      (await deliverAndReadMails(server, email)).map(({ template }) => template);
    expect(await listTemplates(dueUser.email)).toEqual(["second_factor_due"]);
    expect(await listTemplates(laterUser.email)).toEqual([]);
  });

  it("sets the right deadlines when sign-ups, new factors and the setting are concurrent", async () => {
    await setRequirements({});
    const users = await Promise.all(Array.from({ length: 10 }, () => makeOldUser()));
    const tokens = await Promise.all(users.map(({ id }) => makeToken(id, { provenAt: new Date() })));
    const results = await runConcurrently(21, (index) => {
      if (index === 10)
        return call("PUT", "/api/admin/settings", {
          token: adminToken,
          body: { two_factor_duty: { ...NO_REQUIREMENTS, user: PAST_REQUIREMENT } },
        });
      if (index < 10) return call("POST", "/api/profile/2fa/email", { token: tokens[index]! });
      const body = buildRegistrationBody({ email: `newcomer-${index}@example.com` });
      return call("POST", "/api/auth/register", { body, ip: `198.51.100.${index}` });
    });
    expect(countByStatus(results)).toEqual({ 200: 11, 201: 10 });
    await runJobs();
    expect(await Promise.all(users.map(({ id }) => readEnrolBy(id)))).toEqual(users.map(() => null));
    const newcomers = await prisma().user.findMany({ where: { email: { startsWith: "newcomer-" } } });
    expect(newcomers.map((newcomer) => newcomer.enrolBy)).toEqual(newcomers.map(() => expect.any(Date)));
    expect(newcomers).toHaveLength(10);
  });
});
