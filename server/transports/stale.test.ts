import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { burst, tally } from "@/server/testing/burst";
import { makeMailAccount, makeReseller, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { resetLimits } from "@/server/testing/limits";
import { testServer } from "@/server/testing/server";

/* Operations that take `expected`: what one page has changed, another does not replace unseen. */

const { call } = await testServer({ env: { MAIL_PRIVATE_HOSTS: "true" } });

type Values = Record<string, unknown>;

interface Case {
  path: string;
  token: string;
  /** What every page shows in the beginning. */
  shown: Values | null;
  /** A complete body that changes one value, another one for each number. */
  body: (n: number) => Values;
  /** The stored values under the API's names. */
  stored: () => Promise<Values>;
}

const proven = (userId: number) => makeToken(userId, { provenAt: new Date() });

async function profile(): Promise<Case> {
  const { id, email, phone } = await makeUser({ name: "Ayşe Kaya", phone: "+905321234567" });
  const shown = { name: "Ayşe Kaya", email, phone, timezone: null };
  const stored = () =>
    prisma().user.findUniqueOrThrow({
      where: { id },
      select: { name: true, email: true, phone: true, timezone: true },
    });
  return {
    path: "/api/auth/profile",
    token: await makeToken(id),
    shown,
    body: (n) => ({ name: `Ayşe ${n}` }),
    stored,
  };
}

async function menuLabels(): Promise<Case> {
  const { id } = await makeUser();
  await prisma().user.update({ where: { id }, data: { menuLabels: { docs: "Yardım" } } });
  return {
    path: "/api/user/menu-labels",
    token: await makeToken(id),
    shown: { docs: "Yardım" },
    body: (n) => ({ menu_labels: { sites: `Dükkân ${n}` } }),
    stored: async () => (await prisma().user.findUniqueOrThrow({ where: { id } })).menuLabels as Values,
  };
}

async function mailAccount(): Promise<Case> {
  const { id } = await makeUser();
  const shown = {
    from_name: "Kaya Kahve",
    from_address: "merhaba@kaya.example.com",
    host: "127.0.0.1",
    port: 587,
    secure: false,
    username: null,
  };
  const { from_name: fromName, from_address: fromAddress, ...server } = shown;
  await makeMailAccount({ userId: id, fromName, fromAddress, ...server });
  return {
    path: "/api/user/mail-account",
    token: await proven(id),
    shown,
    body: (n) => ({ ...shown, from_name: `Kaya ${n}` }),
    stored: async () => {
      const row = await prisma().mailAccount.findUniqueOrThrow({ where: { userId: id } });
      return { ...shown, from_name: row.fromName, from_address: row.fromAddress, port: row.port };
    },
  };
}

async function portal(): Promise<Case> {
  const { id } = await makeUser({ role: "reseller" });
  await makeReseller(id);
  const shown = { domain: `stale-${id}.example.com`, lock_customers: false };
  await prisma().resellerPortal.create({
    data: { resellerId: id, domain: shown.domain, lockCustomers: false },
  });
  return {
    path: "/api/reseller/portal",
    token: await proven(id),
    shown,
    body: (n) => ({ ...shown, domain: `stale-${id}-${n}.example.com` }),
    stored: async () => {
      const row = await prisma().resellerPortal.findUniqueOrThrow({ where: { resellerId: id } });
      return { domain: row.domain, lock_customers: row.lockCustomers };
    },
  };
}

async function brand(): Promise<Case> {
  const { id } = await makeUser({ role: "reseller" });
  await makeReseller(id);
  const shown = { product_name: "Kaya", color: null, support_email: null, support_phone: null };
  await prisma().brand.create({ data: { userId: id, productName: "Kaya" } });
  return {
    path: "/api/reseller/brand",
    token: await proven(id),
    shown,
    body: (n) => ({ ...shown, product_name: `Kaya ${n}` }),
    stored: async () => {
      const row = await prisma().brand.findUniqueOrThrow({ where: { userId: id } });
      const { supportEmail: support_email, supportPhone: support_phone } = row;
      return { product_name: row.productName, color: row.color, support_email, support_phone };
    },
  };
}

async function member(): Promise<Case> {
  const owner = await makeUser();
  const sites = await Promise.all(Array.from({ length: 21 }, () => makeSite(owner.id)));
  const first = sites.pop()!.id;
  const agent = await makeUser({ parentUserId: owner.id, isAgentOnly: true, assignedSiteId: first });
  return {
    path: `/api/team/members/${agent.id}`,
    token: await makeToken(owner.id),
    shown: { site_id: first, allowed_modules: null },
    body: (n) => ({ site_id: sites[n % 20]!.id }),
    stored: async () => {
      const row = await prisma().user.findUniqueOrThrow({ where: { id: agent.id } });
      return { site_id: row.assignedSiteId, allowed_modules: row.allowedModules };
    },
  };
}

async function site(): Promise<Case> {
  const { id } = await makeUser();
  const { id: siteId } = await makeSite(id, { botName: "Ada" });
  return {
    path: `/api/sites/${siteId}`,
    token: await makeToken(id),
    shown: { bot_name: "Ada" },
    body: (n) => ({ bot_name: `Ada ${n}` }),
    stored: async () => {
      const { json } = await call("GET", `/api/sites/${siteId}`, { token: await makeToken(id) });
      const { id: _, user_id, api_key, is_active, suspended_reason, ...rest } = json.data;
      const { ai_provider_api_key, subscription_id, faqs_count, owner_name, ...settings } = rest;
      const { created_at, updated_at, ...stored } = settings;
      return stored;
    },
  };
}

const CASES = [
  ["site", site],
  ["profile", profile],
  ["menu labels", menuLabels],
  ["mail account", mailAccount],
  ["portal", portal],
  ["brand", brand],
  ["member", member],
] as const;

const put = ({ path, token }: Case, body: Values) => call("PUT", path, { token, body });

describe.each(CASES)("%s", (_, make) => {
  it("of 20 writes over the same values exactly one wins", async () => {
    const made = await make();
    const answers = await burst(20, (n) => put(made, { ...made.body(n), expected: made.shown }));
    expect(tally(answers)).toEqual({ 200: 1, 409: 19 });
    const winner = answers.findIndex(({ status }) => status === 200);
    const stored = await made.stored();
    for (const [n, { status, json }] of answers.entries()) {
      if (n === winner) continue;
      expect({ status, json }).toEqual({
        status: 409,
        json: { success: false, error: expect.stringMatching(/değiştirildi/), current: stored },
      });
    }
    const won = made.body(winner);
    expect(stored).toMatchObject((won.menu_labels as Values | undefined) ?? pick(won, stored));
  });

  it("is written over the newer values by whoever has seen them", async () => {
    const made = await make();
    expect((await put(made, { ...made.body(1), expected: made.shown })).status).toBe(200);
    const { status, json } = await put(made, { ...made.body(2), expected: made.shown });
    expect(status).toBe(409);
    expect((await put(made, { ...made.body(2), expected: json.current })).status).toBe(200);
  });

  it("takes a repeated call, and calls that name no values, as ever", async () => {
    const made = await make();
    const first = { ...made.body(1), expected: made.shown };
    expect((await put(made, first)).status).toBe(200);
    expect((await put(made, first)).status, "the answer was lost on the way").toBe(200);
    expect((await put(made, made.body(2))).status).toBe(200);
    expect((await put(made, made.body(3))).status).toBe(200);
  });
});

const pick = (values: Values, like: Values) =>
  Object.fromEntries(Object.entries(values).filter(([field]) => Object.hasOwn(like, field)));

describe("expected values", () => {
  it("are compared only where the call would replace them", async () => {
    const made = await profile();
    expect((await put(made, { name: "Ayşe Öz", expected: made.shown })).status).toBe(200);
    const other = await put(made, { timezone: "Europe/Berlin", expected: made.shown });
    expect(other.status, "the name stays that of the other page").toBe(200);
    expect(await made.stored()).toMatchObject({ name: "Ayşe Öz", timezone: "Europe/Berlin" });
    const gone = await put(made, { timezone: null, expected: { timezone: null } });
    expect(gone).toMatchObject({ status: 409, json: { current: { timezone: "Europe/Berlin" } } });
  });

  it("are those that people see: a pending address, a name with a space around it", async () => {
    const made = await profile();
    await prisma().user.updateMany({
      where: { email: String(made.shown!.email) },
      data: { name: " Ayşe ", pendingEmail: "yeni@example.com", pendingEmailKey: "yeni@example.com" },
    });
    const seen = { ...made.shown, name: " Ayşe ", email: "yeni@example.com" };
    expect((await put(made, { name: "Ayşe Öz", expected: seen })).status).toBe(200);
    const old = await put(made, { email: "baska@example.com", expected: made.shown });
    expect(old).toMatchObject({ status: 409, json: { current: { email: "yeni@example.com" } } });
  });

  it("say that there was no label, whatever its key", async () => {
    const made = await menuLabels();
    for (const key of ["sites", "constructor", "toString"]) {
      const write = (label: string) => put(made, { menu_labels: { [key]: label }, expected: made.shown! });
      expect((await write("Benim")).status, key).toBe(200);
      expect((await write("Seninki")).status, key).toBe(409);
    }
    const other = await put(made, { menu_labels: { team: "Ekip" }, expected: made.shown! });
    expect(other.status, "another label").toBe(200);
    const removed = await put(made, { menu_labels: { sites: null }, expected: made.shown! });
    expect(removed.status, "a label that this page never saw").toBe(409);
  });

  it("may be none, or gone by now", async () => {
    for (const [make, clear] of [
      [mailAccount, () => prisma().mailAccount.deleteMany()],
      [portal, () => prisma().resellerPortal.deleteMany()],
      [brand, () => prisma().brand.deleteMany()],
    ] as const) {
      const made = await make();
      const other = await put(made, { ...made.body(1), expected: null });
      expect({ status: other.status, current: other.json.current }).toEqual({
        status: 409,
        current: made.shown,
      });
      await clear();
      const removed = await put(made, { ...made.body(1), expected: made.shown });
      expect(removed).toMatchObject({ status: 409, json: { current: null } });
      await resetLimits();
      const first = await burst(20, (n) => put(made, { ...made.body(n), expected: null }));
      expect(tally(first)).toEqual({ 200: 1, 409: 19 });
    }
  });

  it("keep an administrator from a role that another has just given", async () => {
    const [one, two] = [await makeUser({ role: "admin" }), await makeUser({ role: "admin" })];
    const person = await makeUser();
    const give = async (by: { id: number }, role: string) =>
      call("PUT", `/api/admin/users/${person.id}/role`, {
        token: await proven(by.id),
        body: {
          role,
          reason: "Agreement 4711",
          email: person.email,
          agreement_signed: true,
          expected: { role: "user" },
        },
      });
    expect((await give(one, "reseller")).status).toBe(200);
    const second = await give(two, "admin");
    expect({ status: second.status, current: second.json.current }).toEqual({
      status: 409,
      current: { role: "reseller" },
    });
    expect((await give(two, "reseller")).status, "as it is already").toBe(200);
  });
});
