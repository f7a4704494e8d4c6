import { beforeEach, describe, expect, it } from "vitest";
import { dayOf } from "@/server/core/calendar";
import { DAY, fromNow } from "@/server/core/time";
import { exchangeForSession } from "@/server/domains/access/tokens/service/tokens";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { burst, countByStatus } from "@/server/testing/burst";
import { makeProvenUser, makeReseller, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { send } from "@/server/testing/http";
import { resetLimits } from "@/server/testing/limits";
import { mailsTo } from "@/server/testing/mailbox";
import { registrationBody } from "@/server/testing/requests";
import { makeEmailFactor } from "@/server/testing/second-factor";
import { testServer } from "@/server/testing/server";
import { remindOfFactorDutyJob } from "./jobs";

const server = await testServer();
const { call, get, port, work } = server;
beforeEach(() => resetLimits());

const { token: adminToken } = await makeProvenUser({ role: "admin", name: "Deniz Yılmaz" });

const day = (plus: number) => dayOf(fromNow(plus * DAY));
const midnight = (plus: number) => new Date(`${day(plus)}T00:00:00+03:00`);
const NONE = { user: null, agent: null, reseller: null, admin: null };
type Requirement = { required_from: string; grace_days: number };

async function setRequirements(roles: Partial<Record<keyof typeof NONE, Requirement>>) {
  const body = { two_factor_duty: { ...NONE, ...roles } };
  expect((await call("PUT", "/api/admin/settings", { token: adminToken, body })).status).toBe(200);
  await work();
}
const enrolBy = async (id: number) =>
  (await prisma().user.findUniqueOrThrow({ where: { id }, select: { enrolBy: true } })).enrolBy;
/** An account that exists for years. */
const veteran = async (data: Parameters<typeof makeUser>[0] = {}) => {
  const user = await makeUser(data);
  await prisma().user.update({
    where: { id: user.id },
    data: { dutySince: new Date("2024-01-01T00:00:00Z") },
  });
  return user;
};
const PAST = { required_from: day(-10), grace_days: 3 };
const REFUSED = { success: false, error: expect.any(String), requires_two_factor_setup: true };

describe("the two-factor requirement", () => {
  it("applies to the chosen roles and sets the end of the grace period", async () => {
    const [old, agent] = [await veteran(), await veteran({ isAgentOnly: true })];
    expect([await enrolBy(old.id), await enrolBy(agent.id)]).toEqual([null, null]);
    await setRequirements({ user: { required_from: day(5), grace_days: 14 } });
    const until = new Date(midnight(5).getTime() + 14 * DAY);
    expect([await enrolBy(old.id), await enrolBy(agent.id)]).toEqual([until, null]);
    const token = await makeToken(old.id);
    const { json } = await get("/api/user/second-factor-duty", token);
    expect(json).toMatchObject({ success: true, duty: { overdue: false } });
    expect((await get("/api/sites", token)).status).toBe(200);
    await setRequirements({ agent: PAST });
    expect(await enrolBy(old.id)).toBeNull();
    expect(await enrolBy(agent.id)).toEqual(new Date(midnight(-10).getTime() + 3 * DAY));
    expect((await get("/api/user/second-factor-duty", token)).json.duty).toBeNull();
  });

  it("blocks tokens and keys after the grace period, except for the set-up, until there is a factor", async () => {
    const user = await veteran();
    await setRequirements({ user: PAST });
    const token = await makeToken(user.id, { provenAt: new Date() });
    const key = await makeToken(user.id, { kind: "api_key" });
    for (const each of [token, key]) {
      const { status, json } = await get("/api/sites", each);
      expect({ status, json }).toEqual({ status: 403, json: REFUSED });
    }
    expect((await get("/api/team", token)).json).toEqual(REFUSED);
    for (const path of ["/api/user", "/api/auth/user", "/api/profile/2fa/methods", "/api/auth/passkey"]) {
      const { status } = await get(path, token);
      expect([path, status]).not.toEqual([path, 403]);
    }
    // A sign-in still works; its token has the same requirement.
    const body = { email: user.email, password: "correct-horse" };
    const signedIn = await call("POST", "/api/auth/login", { body });
    expect(signedIn.status).toBe(200);
    expect((await get("/api/sites", signedIn.json.token)).status).toBe(403);

    expect((await call("POST", "/api/profile/2fa/email", { token })).status).toBe(200);
    expect(await enrolBy(user.id)).toBeNull();
    expect((await get("/api/sites", key)).status).toBe(200);
    // Removing it does not restart the grace period.
    expect((await call("DELETE", "/api/profile/2fa/email", { token })).status).toBe(200);
    expect((await get("/api/sites", token)).json).toEqual(REFUSED);
    expect((await call("POST", "/api/auth/logout", { token })).status).toBe(200);
  });

  it("is met by a passkey, and gives new accounts and roles a full grace period", async () => {
    await setRequirements({ user: PAST, reseller: PAST });
    const [user, fresh] = [await veteran(), await makeUser()];
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
    expect(await enrolBy(user.id)).toBeNull();
    await prisma().passkey.delete({ where: { id: passkey.id } });
    expect(await enrolBy(user.id)).not.toBeNull();
    expect((await enrolBy(fresh.id))!.getTime()).toBeGreaterThan(Date.now() + 2 * DAY);
    expect((await get("/api/sites", await makeToken(fresh.id))).status).toBe(200);
    // A new role restarts it.
    await prisma().user.update({ where: { id: user.id }, data: { role: "reseller" } });
    expect((await enrolBy(user.id))!.getTime()).toBeGreaterThan(Date.now() + 2 * DAY);
    await prisma().user.update({ where: { id: user.id }, data: { anonymisedAt: new Date() } });
    expect(await enrolBy(user.id)).toBeNull();
  });

  it("ends impersonation and does not affect external keys of sites", async () => {
    const reseller = await veteran({ role: "reseller" });
    await makeReseller(reseller.id);
    const customer = await makeUser({ resellerId: reseller.id });
    const session = (await exchangeForSession(
      withoutTransaction(),
      await makeToken(reseller.id, { provenAt: new Date() }),
    ))!;
    await setRequirements({});
    await prisma().supportAccess.create({ data: { userId: customer.id, until: fromNow(DAY) } });
    const panel = (name: string, input?: object) =>
      send(port, input ? "POST" : "GET", `/trpc/${name}${input ? "" : "?input=%7B%7D"}`, {
        headers: { origin: "http://panel.test", cookie: `locale=en; session=${session.secret}` },
        ...(input && { body: input }),
      });
    const started = await panel("viewAs.start", {
      body: { user_id: customer.id, reason: "Ticket 4711", minutes: 30 },
    });
    expect(started.status).toBe(200);
    expect((await panel("profile.me")).json.result.data.user.id).toBe(customer.id);
    await setRequirements({ reseller: PAST });
    expect((await panel("profile.me")).json.error.data.error).toBe("view_as_over");
    expect((await panel("viewAs.end", {})).status).toBe(200);
    expect((await panel("profile.me")).json.result.data.user.id).toBe(reseller.id);
    expect((await panel("customers.list")).json.error.data.error).toBe("second_factor_required");

    // Create the key while nothing is required.
    await setRequirements({});
    const site = await makeSite(reseller.id);
    const token = await makeToken(reseller.id, { provenAt: new Date() });
    const created = await call("POST", `/api/sites/${site.id}/regenerate-external-key`, { token });
    await setRequirements({ reseller: PAST });
    expect((await get("/api/sites", token)).json).toEqual(REFUSED);
    const headers = { "x-api-key": created.json.external_api_key };
    expect((await call("GET", "/api/sites", { headers })).status).toBe(200);
  });

  it("of a reseller covers customers, agents and agents of customers", async () => {
    await setRequirements({});
    const reseller = await makeUser({ role: "reseller" });
    await makeReseller(reseller.id);
    const token = await makeToken(reseller.id, { provenAt: new Date() });
    const customer = await veteran({ resellerId: reseller.id });
    const agent = await veteran({ isAgentOnly: true, parentUserId: customer.id });
    const ownAgent = await veteran({ isAgentOnly: true, parentUserId: reseller.id });
    const stranger = await veteran();
    await makeEmailFactor(ownAgent.id);
    const path = "/api/reseller/second-factor-duty";
    expect((await get(path, token)).json).toEqual({ success: true, duty: null, without_count: 2 });
    const put = (duty: Requirement | null, more: object = {}) =>
      call("PUT", path, { token, body: { duty, ...more } });
    expect((await put(PAST, { expected: { duty: PAST } })).status).toBe(409);
    expect((await put(PAST, { expected: { duty: null } })).json.duty).toEqual(PAST);
    await work();
    const until = new Date(midnight(-10).getTime() + 3 * DAY);
    const all = async () =>
      Promise.all([customer, agent, ownAgent, stranger, reseller].map(({ id }) => enrolBy(id)));
    expect(await all()).toEqual([until, until, null, null, null]);
    // The requirement ends for a customer who leaves, and for their agents.
    await prisma().user.update({ where: { id: customer.id }, data: { resellerId: null } });
    expect(await all()).toEqual([null, null, null, null, null]);
    const unproven = await makeToken(reseller.id);
    expect((await call("PUT", path, { token: unproven, body: { duty: null } })).json.requires_identity).toBe(
      true,
    );
    expect((await get(path, await makeToken(customer.id))).status).toBe(403);
    expect((await put(null)).json.duty).toBeNull();
  });

  it("is mailed once, a week before the deadline", async () => {
    const [soon, later] = [await veteran({ locale: "en" }), await veteran({ locale: "en" })];
    await setRequirements({ user: { required_from: day(0), grace_days: 5 } });
    await prisma().user.update({ where: { id: later.id }, data: { role: "admin" } });
    await remindOfFactorDutyJob();
    await remindOfFactorDutyJob();
    const subjects = async (email: string) => (await mailsTo(server, email)).map(({ subject }) => subject);
    expect(await subjects(soon.email)).toEqual([expect.stringContaining("second step")]);
    expect(await subjects(later.email)).toEqual([]);
  });

  it("is exact when sign-ups, new factors and the setting are concurrent", async () => {
    await setRequirements({});
    const people = await Promise.all(Array.from({ length: 10 }, () => veteran()));
    const tokens = await Promise.all(people.map(({ id }) => makeToken(id, { provenAt: new Date() })));
    const results = await burst(21, (index) => {
      if (index === 10)
        return call("PUT", "/api/admin/settings", {
          token: adminToken,
          body: { two_factor_duty: { ...NONE, user: PAST } },
        });
      if (index < 10) return call("POST", "/api/profile/2fa/email", { token: tokens[index]! });
      const body = registrationBody({ email: `newcomer-${index}@example.com` });
      return call("POST", "/api/auth/register", { body, ip: `198.51.100.${index}` });
    });
    expect(countByStatus(results)).toEqual({ 200: 11, 201: 10 });
    await work();
    expect(await Promise.all(people.map(({ id }) => enrolBy(id)))).toEqual(people.map(() => null));
    const newcomers = await prisma().user.findMany({ where: { email: { startsWith: "newcomer-" } } });
    expect(newcomers.map((each) => each.enrolBy)).toEqual(newcomers.map(() => expect.any(Date)));
    expect(newcomers).toHaveLength(10);
  });
});
