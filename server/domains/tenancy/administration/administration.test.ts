import { describe, expect, it } from "vitest";
import { formatText } from "@/server/core/texts";
import { CONSENTS } from "@/server/domains/accounts/consents/contract";
import { lockAdministrators } from "@/server/domains/accounts/users/service/lock";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { findMailSenders } from "@/server/infrastructure/mail/senders";
import { runConcurrently } from "@/server/testing/burst";
import {
  makeLicence,
  makeMailAccount,
  makeReseller,
  makeSignedInUser,
  makeSite,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { buildRegistrationBody } from "@/server/testing/requests";
import { makeEmailFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { call, get, post } = server;

async function makeAdmin(isProven = true) {
  const { id, email } = await makeUser({ role: "admin" });
  return { id, email, token: await makeToken(id, isProven ? { provenAt: new Date() } : {}) };
}
const caller = await makeAdmin();

interface Target {
  id: number;
  email: string;
}
function setRole({ id, email }: Target, body: object, token = caller.token) {
  return call("PUT", `/api/admin/users/${id}/role`, {
    token,
    body: { reason: "A good reason", email, ...body },
  });
}
const readRole = async (id: number) => (await prisma().user.findUniqueOrThrow({ where: { id } })).role;
const findLastRoleChange = (id: number) =>
  prisma().auditEvent.findFirst({
    where: { action: "role.changed", objectId: String(id) },
    orderBy: { id: "desc" },
  });

/** The transaction stays open until all requests wait for its lock, which can be slow. */
const LONG_TRANSACTION_OPTIONS = { seconds: 60 };

async function countWaitingLocks(): Promise<number> {
  const { rows } = await pool().query(
    "select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
  );
  return rows[0].count;
}

it("drops pending webhook deliveries of a demoted administrator", async () => {
  const formerAdmin = await makeUser({ role: "admin" });
  const endpoint = await prisma().webhookEndpoint.create({
    data: {
      userId: formerAdmin.id,
      url: "https://hooks.example.com",
      urlHash: Buffer.alloc(32, formerAdmin.id),
      secretSealed: Buffer.alloc(1),
      secretLastFour: "abcd",
      events: [],
    },
  });
  const event = await prisma().webhookEvent.create({
    data: { id: "msg_DEMOTED", type: "user.created", body: "{}", audience: [formerAdmin.id] },
  });
  const delivery = { endpointId: endpoint.id, eventId: event.id, nextAt: new Date() };
  await prisma().webhookDelivery.create({ data: delivery });
  expect((await setRole(formerAdmin, { role: "user" })).status).toBe(200);
  expect(await prisma().webhookDelivery.count({ where: { endpointId: endpoint.id } })).toBe(0);
});

describe("the role of an account", () => {
  it("gives reseller rights with an agreement on paper, and removes them when it changes back", async () => {
    const { token: oldToken, ...person } = await makeSignedInUser();
    expect((await setRole(person, { role: "reseller" })).json.errors).toHaveProperty("agreement_signed");
    const { status, json } = await setRole(person, { role: "reseller", agreement_signed: true });
    expect(status).toBe(200);
    expect(json.user.role).toBe("reseller");
    expect(typeof json.user.agreement_signed_at).toBe("string");
    expect((await findLastRoleChange(person.id))?.details).toEqual({
      before: "user",
      after: "reseller",
      reason: "A good reason",
      agreement_signed: true,
    });
    expect((await get("/api/user", oldToken)).status, "sessions of the old role").toBe(401);

    const token = await makeToken(person.id, { provenAt: new Date() });
    const portal = { domain: "bayi.example.com", lock_customers: true };
    expect((await call("PUT", "/api/reseller/portal", { token, body: portal })).status).toBe(200);
    const brand = { product_name: "Bayi", color: null };
    expect((await call("PUT", "/api/reseller/brand", { token, body: brand })).status).toBe(200);
    const { referralCode } = await prisma().reseller.findUniqueOrThrow({ where: { userId: person.id } });
    const registerResponse = await post(
      "/api/auth/register",
      buildRegistrationBody({ referral_code: referralCode }),
    );
    expect(registerResponse.status).toBe(201);
    const { id: customerId } = registerResponse.json.user;
    await makeMailAccount({ userId: person.id, port: 9 });
    const listSenderKinds = async () =>
      (await findMailSenders(withoutTransaction(), { userId: customerId })).map(({ via }) => via);
    expect(await listSenderKinds()).toEqual(["reseller", "system"]);

    const [site, member] = [await makeSite(customerId), await makeUser({ parentUserId: person.id })];
    const memberSite = await makeSite(member.id);
    const makeAgentToken = async (assignedSiteId: number) =>
      makeToken((await makeUser({ parentUserId: person.id, isAgentOnly: true, assignedSiteId })).id);
    const agentTokens = [await makeAgentToken(site.id), await makeAgentToken(memberSite.id)];
    const readAgentStatuses = () =>
      Promise.all(agentTokens.map(async (agentToken) => (await get("/api/sites", agentToken)).status));
    const keyResponse = await post(`/api/sites/${site.id}/regenerate-external-key`, {}, { token });
    const keyHeaders = { headers: { "x-api-key": keyResponse.json.external_api_key } };
    expect((await call("GET", `/api/sites/${site.id}`, keyHeaders)).status).toBe(200);
    expect(await readAgentStatuses()).toEqual([200, 200]);

    expect((await setRole(person, { role: "user" })).status).toBe(200);
    expect((await get("/api/user", token)).status).toBe(401);
    expect((await call("GET", `/api/sites/${site.id}`, keyHeaders)).status, "a former reseller's key").toBe(
      401,
    );
    expect(await readAgentStatuses(), "agents at the former customer's and the member's site").toEqual([
      401, 200,
    ]);
    expect(await prisma().resellerPortal.count({ where: { resellerId: person.id } })).toBe(0);
    expect(await prisma().brand.count({ where: { userId: person.id } })).toBe(0);
    expect(await listSenderKinds(), "a former reseller sends nothing to former customers").toEqual([
      "system",
    ]);

    const secondPromotion = await setRole(person, { role: "reseller", agreement_signed: true });
    expect(secondPromotion.json.user.agreement_signed_at).toBe(json.user.agreement_signed_at);
  });

  it("is mailed to the person once per change, in the person's language", async () => {
    const person = await makeUser({ locale: "en" });
    const readRoleMails = () => deliverAndReadMails(server, person.email, "role_changed");
    await setRole(person, { role: "user" });
    await setRole(person, { role: "reseller" });
    expect(await readRoleMails(), "no mail without a change").toEqual([]);
    await setRole(person, { role: "reseller", agreement_signed: true });
    const describeRole = (role: string) =>
      expect.stringContaining(formatText("en", "mail.role_changed.body", { brand: "Tellal", role }));
    expect((await readRoleMails()).map(({ text }) => text)).toEqual([describeRole("reseller")]);
    await setRole(person, { role: "reseller", agreement_signed: true });
    await runConcurrently(5, () => setRole(person, { role: "admin" }));
    const roleTexts = (await readRoleMails()).map(({ text }) => text);
    expect(roleTexts).toHaveLength(2);
    expect(roleTexts).toEqual(expect.arrayContaining([describeRole("admin"), describeRole("reseller")]));
    expect(await deliverAndReadMails(server, caller.email, "role_changed")).toEqual([]);
  });

  it("is not changed by a call whose token is revoked while the call waits", async () => {
    const admin = await makeAdmin();
    const person = await makeUser();
    let pendingChange: ReturnType<typeof setRole> | undefined;
    await inTransaction(async (tx) => {
      await lockAdministrators(tx);
      pendingChange = setRole(person, { role: "admin" }, admin.token);
      await expect.poll(countWaitingLocks, { timeout: 30_000 }).toBe(1);
      await prisma().accessToken.deleteMany({ where: { userId: admin.id } });
    }, LONG_TRANSACTION_OPTIONS);
    expect((await pendingChange!).status).toBe(401);
    expect(await readRole(person.id)).toBe("user");
  });

  it("records a paper signature for a reseller who had not signed", async () => {
    const person = await makeUser({ role: "reseller" });
    await makeReseller(person.id, { code: "LATER", signed: false });
    const token = await makeToken(person.id);
    await setRole(person, { role: "reseller", agreement_signed: true });
    const resellerRow = await prisma().reseller.findUniqueOrThrow({ where: { userId: person.id } });
    expect(resellerRow.referralCode).toBe("LATER");
    expect(resellerRow.agreementSignedAt !== null).toBe(true);
    expect((await get("/api/user", token)).status, "the role is the same").toBe(200);
  });

  it("removes the reseller and earlier password links when it becomes administrator", async () => {
    const reseller = await makeUser({ role: "reseller" });
    const person = await makeUser({ resellerId: reseller.id });
    await post("/api/auth/forgot-password", { email: person.email });
    await prisma().passwordReset.create({
      data: {
        userId: person.id,
        emailKey: person.email,
        tokenHash: new Uint8Array(32),
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    expect((await setRole(person, { role: "admin" })).status).toBe(200);
    const userRow = await prisma().user.findUniqueOrThrow({ where: { id: person.id } });
    expect(userRow).toMatchObject({ role: "admin", resellerId: null });
    expect(await prisma().passwordReset.count({ where: { userId: person.id } })).toBe(0);
  });

  it("removes parent and reseller when it becomes reseller", async () => {
    const formerReseller = await makeUser({ role: "reseller" });
    await makeReseller(formerReseller.id);
    const customer = await makeUser({ resellerId: formerReseller.id });
    const owner = await makeUser();
    const member = await makeUser({ parentUserId: owner.id });
    for (const person of [customer, member]) {
      const { status } = await setRole(person, { role: "reseller", agreement_signed: true });
      expect(status).toBe(200);
      const userRow = await prisma().user.findUniqueOrThrow({ where: { id: person.id } });
      expect(userRow).toMatchObject({ role: "reseller", resellerId: null, parentUserId: null });
    }
    const token = await makeToken(formerReseller.id);
    expect((await get("/api/reseller/customers", token)).json.data).toEqual([]);
  });

  it("ends what a former parent or reseller set up on members' sites, and keeps the account's own", async () => {
    const reseller = await makeUser({ role: "reseller" });
    await makeReseller(reseller.id);
    for (const role of ["reseller", "admin"] as const) {
      const customer = await makeUser({ resellerId: reseller.id });
      const member = await makeUser({ parentUserId: customer.id });
      const sites = [await makeSite(member.id), await makeSite(member.id)];
      const keys: string[] = [];
      for (const [index, keyMaker] of [reseller, customer].entries()) {
        const token = await makeToken(keyMaker.id, { provenAt: new Date() });
        const path = `/api/sites/${sites[index]!.id}/regenerate-external-key`;
        keys.push((await post(path, {}, { token })).json.external_api_key);
      }
      const licences = [
        await makeLicence(reseller.id, { siteId: sites[0]!.id }),
        await makeLicence(customer.id, { siteId: sites[1]!.id }),
      ];
      const agentFields = { parentUserId: reseller.id, isAgentOnly: true };
      const agent = await makeUser({ ...agentFields, assignedSiteId: sites[0]!.id });
      await makeMailAccount({ siteId: sites[0]!.id, port: 9 });
      const readSiteStatuses = () =>
        Promise.all(
          keys.map(async (key, index) => {
            const headers = { "x-api-key": key };
            return (await call("GET", `/api/sites/${sites[index]!.id}`, { headers })).status;
          }),
        );
      expect(await readSiteStatuses()).toEqual([200, 200]);

      const { status } = await setRole(customer, { role, agreement_signed: role === "reseller" || null });
      expect(status).toBe(200);
      expect(await readSiteStatuses(), "the former reseller's key, the parent's key").toEqual([401, 200]);
      const licenceQuery = {
        where: { id: { in: licences.map(({ id }) => id) } },
        orderBy: { id: "asc" },
      } as const;
      const payers = (await prisma().siteLicence.findMany(licenceQuery)).map(({ userId }) => userId);
      expect(payers).toEqual([member.id, customer.id]);
      expect(await prisma().user.findUniqueOrThrow({ where: { id: agent.id } })).toMatchObject({
        isActive: false,
        assignedSiteId: null,
      });
      const whereVerified = { siteId: sites[0]!.id, verifiedAt: { not: null } };
      expect(await prisma().mailAccount.count({ where: whereVerified })).toBe(0);
      expect(await deliverAndReadMails(server, member.email, "site_keys_ended")).toHaveLength(1);
    }
  });

  it("is only changed with the account's address and a reason", async () => {
    const person = await makeUser();
    expect((await setRole(person, { role: "admin", email: caller.email })).json.errors).toHaveProperty(
      "email",
    );
    expect((await setRole(person, { role: "admin", reason: "no" })).json.errors).toHaveProperty("reason");
    expect(await readRole(person.id)).toBe("user");
    expect(await findLastRoleChange(person.id)).toBeNull();
  });

  it("cannot be changed for the caller, an agent or an unverified address", async () => {
    const parent = await makeUser();
    const agent = await makeUser({ parentUserId: parent.id, isAgentOnly: true });
    const unverifiedUser = await makeUser({ emailVerifiedAt: null });
    for (const person of [caller, agent, unverifiedUser]) {
      const roleBefore = await readRole(person.id);
      const response = await setRole(person, { role: person === caller ? "user" : "admin" });
      expect(response).toMatchObject({ status: 422, json: { success: false } });
      expect(await readRole(person.id)).toBe(roleBefore);
    }
    const anonymisedUser = await makeUser({ anonymisedAt: new Date() });
    expect((await setRole(anonymisedUser, { role: "admin" })).status).toBe(404);
  });

  it("keeps one of the administrators who demote each other concurrently", async () => {
    await prisma().user.updateMany({ where: { role: "admin" }, data: { isActive: false } });
    const admins = await Promise.all([1, 2, 3, 4].map(() => makeAdmin()));
    // All calls pass the first check before one changes anything.
    const demotions = await inTransaction(async (tx) => {
      await lockAdministrators(tx);
      const calls = runConcurrently(admins.length, (index) =>
        setRole(admins[(index + 1) % admins.length]!, { role: "user" }, admins[index]!.token),
      );
      await expect.poll(countWaitingLocks, { timeout: 45_000 }).toBe(admins.length);
      return { calls };
    }, LONG_TRANSACTION_OPTIONS);
    const statuses = (await demotions.calls).map(({ status }) => status);
    const remainingAdminCount = await prisma().user.count({ where: { role: "admin", isActive: true } });
    expect(remainingAdminCount).toBeGreaterThanOrEqual(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(admins.length - remainingAdminCount);
    await prisma().user.updateMany({ where: { role: "admin" }, data: { isActive: true } });
  });
});

describe("the list of accounts", () => {
  it("matches IDs and parts of the address, and counts sites", async () => {
    const user = await makeUser({ email: "Selin_Arslan@Example.com" });
    const similarUser = await makeUser({ email: "selinxarslan@example.com" });
    await makeSite(user.id);
    await makeSite(user.id);
    const findUsers = async (query: string) =>
      (await get(`/api/admin/users?${query}`, caller.token)).json.data as Array<Record<string, unknown>>;
    expect((await findUsers("q=selin_arslan")).map(({ id }) => id)).toEqual([user.id]);
    expect((await findUsers("q=ARSLAN%20selin&sort=email")).map(({ id }) => id)).toEqual([
      user.id,
      similarUser.id,
    ]);
    const row = (await findUsers(`q=${user.id}&sort=-created_at`)).find(({ id }) => id === user.id);
    expect(row).toMatchObject({ id: user.id, sites_count: 2, role: "user", agreement_signed_at: null });
    await prisma().user.update({ where: { id: similarUser.id }, data: { anonymisedAt: new Date() } });
    expect(await findUsers("q=selinxarslan")).toEqual([]);
    expect((await findUsers("role=admin&is_active=true")).every(({ role }) => role === "admin")).toBe(true);
  });

  it("includes anonymised accounts on request, and shows phone and reseller", async () => {
    const reseller = await makeUser({ role: "reseller" });
    const name = "Ungewöhnlich Benannt";
    const [user, anonymised] = [
      await makeUser({ name, phone: "+905321110000", resellerId: reseller.id }),
      await makeUser({ name, anonymisedAt: new Date() }),
    ];
    const findUsers = async (extraQuery = "") =>
      (await get(`/api/admin/users?q=ungewohnlich${extraQuery}`, caller.token)).json.data;
    expect(await findUsers()).toEqual([
      expect.objectContaining({
        id: user.id,
        phone: "+905321110000",
        reseller: { id: reseller.id, name: reseller.name, email: reseller.email },
      }),
    ]);
    expect((await findUsers("&anonymised=true")).map(({ id }: { id: number }) => id)).toEqual([
      anonymised.id,
    ]);
  });

  it("is paged", async () => {
    const page = (await get("/api/admin/users?per_page=1&page=2&sort=created_at", caller.token)).json;
    expect(page.data).toHaveLength(1);
    expect(page.meta).toMatchObject({
      page: 2,
      per_page: 1,
      total: await prisma().user.count({ where: { anonymisedAt: null } }),
    });
  });
});

describe("one account", () => {
  const readUser = (id: number | string, token = caller.token) => get(`/api/admin/users/${id}`, token);

  it("includes parent, reseller and assigned site", async () => {
    const reseller = await makeUser({ role: "reseller" });
    const parent = await makeUser({ resellerId: reseller.id });
    const site = await makeSite(parent.id);
    const agent = await makeUser({
      parentUserId: parent.id,
      isAgentOnly: true,
      assignedSiteId: site.id,
      phone: "+905321112233",
    });
    expect((await readUser(parent.id)).json.user).toMatchObject({
      id: parent.id,
      credits: 1000,
      sites_count: 1,
      parent: null,
      reseller: { id: reseller.id, name: reseller.name, email: reseller.email },
      assigned_site: null,
      anonymised_at: null,
    });
    expect((await readUser(agent.id)).json.user).toMatchObject({
      phone: "+905321112233",
      parent: { id: parent.id },
      assigned_site: { id: site.id, name: site.name, domain: site.domain },
    });
  });

  it("includes last sign-in, second factors, consents and reseller", async () => {
    const reseller = await makeUser({ role: "reseller" });
    const { json } = await post("/api/auth/register", buildRegistrationBody());
    const { id, email } = json.user;
    const initialDetail = (await readUser(id)).json.user;
    expect(initialDetail).toMatchObject({
      factors: [],
      recovery_codes_count: 0,
      passkeys_count: 0,
      last_sign_in_at: null,
    });
    expect(initialDetail.consents).toEqual(CONSENTS);
    await prisma().user.update({
      where: { id },
      data: { emailVerifiedAt: new Date(), resellerId: reseller.id },
    });
    const { password } = buildRegistrationBody();
    expect((await post("/api/auth/login", { email, password })).status).toBe(200);
    await makeEmailFactor(id);
    expect((await readUser(id)).json.user).toMatchObject({
      factors: ["email"],
      last_sign_in_at: expect.any(String),
      reseller: { id: reseller.id },
    });
  });

  it("is found by its ID when anonymised, because its payments are kept", async () => {
    const { id } = await makeUser();
    await prisma().user.update({ where: { id }, data: { anonymisedAt: new Date() } });
    const { status, json } = await readUser(id);
    expect(status).toBe(200);
    expect(typeof json.user.anonymised_at).toBe("string");
  });

  it("is 404 for unknown IDs", async () => {
    for (const id of [2_147_483_647, "0", "x"]) expect((await readUser(id)).status).toBe(404);
  });
});
