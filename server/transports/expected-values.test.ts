import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeMailAccount, makeReseller, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";

const { call } = await startTestServer({ env: { MAIL_PRIVATE_HOSTS: "true" } });

type Values = Record<string, unknown>;

interface Case {
  path: string;
  token: string;
  displayedValues: Values | null;
  makeBody: (n: number) => Values;
  readStored: () => Promise<Values>;
}

const makeProvenToken = (userId: number) => makeToken(userId, { provenAt: new Date() });

async function makeProfileCase(): Promise<Case> {
  const { id, email, phone } = await makeUser({ name: "Ayşe Kaya", phone: "+905321234567" });
  const displayed = { name: "Ayşe Kaya", email, phone, timezone: null };
  const readProfile = () =>
    prisma().user.findUniqueOrThrow({
      where: { id },
      select: { name: true, email: true, phone: true, timezone: true },
    });
  return {
    path: "/api/auth/profile",
    token: await makeToken(id),
    displayedValues: displayed,
    makeBody: (n) => ({ name: `Ayşe ${n}` }),
    readStored: readProfile,
  };
}

async function makeMenuLabelsCase(): Promise<Case> {
  const { id } = await makeUser();
  await prisma().user.update({ where: { id }, data: { menuLabels: { docs: "Yardım" } } });
  return {
    path: "/api/user/menu-labels",
    token: await makeToken(id),
    displayedValues: { docs: "Yardım" },
    makeBody: (n) => ({ menu_labels: { sites: `Dükkân ${n}` } }),
    readStored: async () => (await prisma().user.findUniqueOrThrow({ where: { id } })).menuLabels as Values,
  };
}

async function makeMailAccountCase(): Promise<Case> {
  const { id } = await makeUser();
  const displayed = {
    from_name: "Kaya Kahve",
    from_address: "merhaba@kaya.example.com",
    host: "127.0.0.1",
    port: 587,
    secure: false,
    username: null,
  };
  const { from_name: fromName, from_address: fromAddress, ...server } = displayed;
  await makeMailAccount({ userId: id, fromName, fromAddress, ...server });
  return {
    path: "/api/user/mail-account",
    token: await makeProvenToken(id),
    displayedValues: displayed,
    makeBody: (n) => ({ ...displayed, from_name: `Kaya ${n}` }),
    readStored: async () => {
      const row = await prisma().mailAccount.findUniqueOrThrow({ where: { userId: id } });
      return { ...displayed, from_name: row.fromName, from_address: row.fromAddress, port: row.port };
    },
  };
}

async function makePortalCase(): Promise<Case> {
  const { id } = await makeUser({ role: "reseller" });
  await makeReseller(id);
  const displayed = { domain: `stale-${id}.example.com`, lock_customers: false };
  await prisma().resellerPortal.create({
    data: { resellerId: id, domain: displayed.domain, lockCustomers: false },
  });
  return {
    path: "/api/reseller/portal",
    token: await makeProvenToken(id),
    displayedValues: displayed,
    makeBody: (n) => ({ ...displayed, domain: `stale-${id}-${n}.example.com` }),
    readStored: async () => {
      const row = await prisma().resellerPortal.findUniqueOrThrow({ where: { resellerId: id } });
      return { domain: row.domain, lock_customers: row.lockCustomers };
    },
  };
}

async function makeBrandCase(): Promise<Case> {
  const { id } = await makeUser({ role: "reseller" });
  await makeReseller(id);
  const displayed = { product_name: "Kaya", color: null, support_email: null, support_phone: null };
  await prisma().brand.create({ data: { userId: id, productName: "Kaya" } });
  return {
    path: "/api/reseller/brand",
    token: await makeProvenToken(id),
    displayedValues: displayed,
    makeBody: (n) => ({ ...displayed, product_name: `Kaya ${n}` }),
    readStored: async () => {
      const row = await prisma().brand.findUniqueOrThrow({ where: { userId: id } });
      const { supportEmail: support_email, supportPhone: support_phone } = row;
      return { product_name: row.productName, color: row.color, support_email, support_phone };
    },
  };
}

async function makeMemberCase(): Promise<Case> {
  const owner = await makeUser();
  const sites = await Promise.all(Array.from({ length: 21 }, () => makeSite(owner.id)));
  const assignedSiteId = sites.pop()!.id;
  const agent = await makeUser({ parentUserId: owner.id, isAgentOnly: true, assignedSiteId });
  return {
    path: `/api/team/members/${agent.id}`,
    token: await makeToken(owner.id),
    displayedValues: { site_id: assignedSiteId, allowed_modules: null },
    makeBody: (n) => ({ site_id: sites[n % 20]!.id }),
    readStored: async () => {
      const row = await prisma().user.findUniqueOrThrow({ where: { id: agent.id } });
      return { site_id: row.assignedSiteId, allowed_modules: row.allowedModules };
    },
  };
}

async function makeSiteCase(): Promise<Case> {
  const { id } = await makeUser();
  const { id: siteId } = await makeSite(id, { botName: "Ada" });
  return {
    path: `/api/sites/${siteId}`,
    token: await makeToken(id),
    displayedValues: { bot_name: "Ada" },
    makeBody: (n) => ({ bot_name: `Ada ${n}` }),
    readStored: async () => {
      const { json } = await call("GET", `/api/sites/${siteId}`, { token: await makeToken(id) });
      const { id: _, user_id, api_key, is_active, ...others } = json.data;
      const { suspended_reason, suspended_at, suspended_by, last_seen_at, last_seen_host, ...rest } = others;
      const { ai_provider_api_key, subscription_id, billing, faqs_count, owner_name, ...settings } = rest;
      const { created_at, updated_at, ...stored } = settings;
      return stored;
    },
  };
}

const CASES = [
  ["site", makeSiteCase],
  ["profile", makeProfileCase],
  ["menu labels", makeMenuLabelsCase],
  ["mail account", makeMailAccountCase],
  ["portal", makePortalCase],
  ["brand", makeBrandCase],
  ["member", makeMemberCase],
] as const;

const put = ({ path, token }: Case, body: Values) => call("PUT", path, { token, body });

describe.each(CASES)("%s", (_, makeCase) => {
  it("accepts exactly one of 20 concurrent writes that expect the same values", async () => {
    const testCase = await makeCase();
    const responses = await runConcurrently(20, (n) =>
      put(testCase, { ...testCase.makeBody(n), expected: testCase.displayedValues }),
    );
    expect(countByStatus(responses)).toEqual({ 200: 1, 409: 19 });
    const winner = responses.findIndex(({ status }) => status === 200);
    const stored = await testCase.readStored();
    for (const [n, { status, json }] of responses.entries()) {
      if (n === winner) continue;
      expect({ status, json }).toEqual({
        status: 409,
        json: { success: false, error: expect.stringMatching(/değiştirildi/), current: stored },
      });
    }
    const winningBody = testCase.makeBody(winner);
    expect(stored).toMatchObject(
      (winningBody.menu_labels as Values | undefined) ?? pickFieldsOf(winningBody, stored),
    );
  });

  it("accepts a retry that expects the newer values", async () => {
    const testCase = await makeCase();
    expect(
      (await put(testCase, { ...testCase.makeBody(1), expected: testCase.displayedValues })).status,
    ).toBe(200);
    const { status, json } = await put(testCase, {
      ...testCase.makeBody(2),
      expected: testCase.displayedValues,
    });
    expect(status).toBe(409);
    expect((await put(testCase, { ...testCase.makeBody(2), expected: json.current })).status).toBe(200);
  });

  it("accepts a repeated call, and calls without expected values", async () => {
    const testCase = await makeCase();
    const firstBody = { ...testCase.makeBody(1), expected: testCase.displayedValues };
    expect((await put(testCase, firstBody)).status).toBe(200);
    expect((await put(testCase, firstBody)).status, "the response was lost").toBe(200);
    expect((await put(testCase, testCase.makeBody(2))).status).toBe(200);
    expect((await put(testCase, testCase.makeBody(3))).status).toBe(200);
  });
});

const pickFieldsOf = (values: Values, template: Values) =>
  Object.fromEntries(Object.entries(values).filter(([field]) => Object.hasOwn(template, field)));

describe("expected values", () => {
  it("are compared only for fields that the call changes", async () => {
    const testCase = await makeProfileCase();
    expect((await put(testCase, { name: "Ayşe Öz", expected: testCase.displayedValues })).status).toBe(200);
    const otherWrite = await put(testCase, { timezone: "Europe/Berlin", expected: testCase.displayedValues });
    expect(otherWrite.status, "the other page's name remains").toBe(200);
    expect(await testCase.readStored()).toMatchObject({ name: "Ayşe Öz", timezone: "Europe/Berlin" });
    const staleWrite = await put(testCase, { timezone: null, expected: { timezone: null } });
    expect(staleWrite).toMatchObject({ status: 409, json: { current: { timezone: "Europe/Berlin" } } });
  });

  it("match what the panel displays: a pending address, a name with its surrounding spaces", async () => {
    const testCase = await makeProfileCase();
    await prisma().user.updateMany({
      where: { email: String(testCase.displayedValues!.email) },
      data: { name: " Ayşe ", pendingEmail: "yeni@example.com", pendingEmailKey: "yeni@example.com" },
    });
    const displayedValues = { ...testCase.displayedValues, name: " Ayşe ", email: "yeni@example.com" };
    expect((await put(testCase, { name: "Ayşe Öz", expected: displayedValues })).status).toBe(200);
    const staleWrite = await put(testCase, {
      email: "baska@example.com",
      expected: testCase.displayedValues,
    });
    expect(staleWrite).toMatchObject({ status: 409, json: { current: { email: "yeni@example.com" } } });
  });

  it("detect a label that another page has added, even under a reserved key", async () => {
    const testCase = await makeMenuLabelsCase();
    for (const key of ["sites", "constructor", "toString"]) {
      const write = (label: string) =>
        put(testCase, { menu_labels: { [key]: label }, expected: testCase.displayedValues! });
      expect((await write("Benim")).status, key).toBe(200);
      expect((await write("Seninki")).status, key).toBe(409);
    }
    const otherWrite = await put(testCase, {
      menu_labels: { team: "Ekip" },
      expected: testCase.displayedValues!,
    });
    expect(otherWrite.status, "another label").toBe(200);
    const removedWrite = await put(testCase, {
      menu_labels: { sites: null },
      expected: testCase.displayedValues!,
    });
    expect(removedWrite.status, "a label that the page has not read").toBe(409);
  });

  it("are null for a missing record, and conflict once the record is created or deleted", async () => {
    for (const [makeCase, deleteRecords] of [
      [makeMailAccountCase, () => prisma().mailAccount.deleteMany()],
      [makePortalCase, () => prisma().resellerPortal.deleteMany()],
      [makeBrandCase, () => prisma().brand.deleteMany()],
    ] as const) {
      const testCase = await makeCase();
      const otherWrite = await put(testCase, { ...testCase.makeBody(1), expected: null });
      expect({ status: otherWrite.status, current: otherWrite.json.current }).toEqual({
        status: 409,
        current: testCase.displayedValues,
      });
      await deleteRecords();
      const removedWrite = await put(testCase, {
        ...testCase.makeBody(1),
        expected: testCase.displayedValues,
      });
      expect(removedWrite).toMatchObject({ status: 409, json: { current: null } });
      await resetRateLimits();
      const createResponses = await runConcurrently(20, (n) =>
        put(testCase, { ...testCase.makeBody(n), expected: null }),
      );
      expect(countByStatus(createResponses)).toEqual({ 200: 1, 409: 19 });
    }
  });

  it("prevent an administrator from overwriting a role that another one has just assigned", async () => {
    const [firstAdmin, secondAdmin] = [await makeUser({ role: "admin" }), await makeUser({ role: "admin" })];
    const user = await makeUser();
    const setRole = async (admin: { id: number }, role: string) =>
      call("PUT", `/api/admin/users/${user.id}/role`, {
        token: await makeProvenToken(admin.id),
        body: {
          role,
          reason: "Agreement 4711",
          email: user.email,
          agreement_signed: true,
          expected: { role: "user" },
        },
      });
    expect((await setRole(firstAdmin, "reseller")).status).toBe(200);
    const secondResponse = await setRole(secondAdmin, "admin");
    expect({ status: secondResponse.status, current: secondResponse.json.current }).toEqual({
      status: 409,
      current: { role: "reseller" },
    });
    expect((await setRole(secondAdmin, "reseller")).status, "unchanged role").toBe(200);
  });
});
