import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeSite, makeUser } from "@/server/testing/factories";
import { createIpAddress } from "@/server/testing/http";
import { startTestServer } from "@/server/testing/server";

const { post, get } = await startTestServer();

const PASSWORD = "correct-horse";
const login = (email: string, password = PASSWORD, ip?: string) =>
  post("/api/auth/login", { email, password }, ip ? { ip } : {});

describe("sign-in", () => {
  it("returns exactly the documented body", async () => {
    const user = await makeUser({ allowedModules: ["saas", "other"] });
    const { status, json } = await login(user.email.toUpperCase());
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      user: {
        id: user.id,
        name: user.name,
        email: user.email,
        phone: user.phone,
        role: "user",
        is_active: true,
        credits: 1000,
        allowed_modules: ["saas", "other"],
        assigned_site_id: null,
        is_agent_only: false,
        reseller_id: null,
        locale: null,
      },
      token: expect.stringMatching(/^dsu_/),
      modules: ["saas"],
    });
    expect((await get("/api/user", json.token)).json.user.email).toBe(user.email);
    expect((await login((await makeUser()).email)).json.modules).toEqual(["appointment", "saas"]);
  });

  it("returns the same response for every wrong password and unknown address", async () => {
    const knownUser = await makeUser();
    const deactivatedUser = await makeUser({ isActive: false });
    const unverifiedUser = await makeUser({ emailVerifiedAt: null });
    const providerUser = await makeUser({ provider: "google" });
    await prisma().user.update({ where: { id: providerUser.id }, data: { passwordHash: null } });
    const responses = new Set<string>();
    for (const email of [
      "nobody@example.com",
      knownUser.email,
      deactivatedUser.email,
      unverifiedUser.email,
      providerUser.email,
    ]) {
      for (const password of ["wrong-password", " correct-horse", "no account has this password"]) {
        const { status, text, headers } = await login(email, password);
        const { date: _, "x-request-id": __, ...stableHeaders } = headers;
        responses.add(JSON.stringify([status, text, stableHeaders]));
      }
    }
    expect(responses.size).toBe(1);
    expect([...responses][0]).toContain('[401,"{\\"success\\":false,\\"error\\":');
    for (const email of ["nobody@example.com", knownUser.email])
      expect((await login(email, "")).json.errors, "empty password").toHaveProperty("password");
  });

  it("applies the gates in order, after the password", async () => {
    const blockedUser = await makeUser({ emailVerifiedAt: null, isActive: false });
    const unverifiedResponse = await login(blockedUser.email);
    expect({ status: unverifiedResponse.status, json: unverifiedResponse.json }).toEqual({
      status: 403,
      json: {
        success: false,
        error: expect.any(String),
        requires_verification: true,
        email: blockedUser.email,
      },
    });
    const deactivatedUser = await makeUser({ isActive: false });
    const refusedResponse = await login(deactivatedUser.email);
    expect(refusedResponse.status).toBe(403);
    expect(Object.keys(refusedResponse.json)).toEqual(["success", "error", "account_disabled", "contact"]);
    expect(refusedResponse.json.contact.source).toBe("system");
    expect(
      await prisma().accessToken.count({ where: { userId: { in: [blockedUser.id, deactivatedUser.id] } } }),
    ).toBe(0);
    const refusals = await prisma().auditEvent.findMany({
      where: { action: "sign_in.refused", actorId: { in: [blockedUser.id, deactivatedUser.id] } },
      orderBy: { id: "asc" },
    });
    expect(refusals.map(({ details }) => (details as { gate: string }).gate)).toEqual([
      "email_unverified",
      "account_disabled",
    ]);
  });

  it("names the contact of a deactivated account: parent, reseller, then owner of the site", async () => {
    const parent = await makeUser({ name: "Parent" });
    const reseller = await makeUser({ name: "Reseller", role: "reseller" });
    const site = await makeSite((await makeUser({ name: "Owner" })).id);
    const contactIds = { parentUserId: parent.id, resellerId: reseller.id, assignedSiteId: site.id };
    const readContactOfUser = async (data: Partial<typeof contactIds>) => {
      const user = await makeUser({ isActive: false, ...data });
      return (await login(user.email)).json.contact;
    };
    expect(await readContactOfUser(contactIds)).toMatchObject({
      source: "parent",
      name: "Parent",
      email: parent.email,
    });
    expect(await readContactOfUser({ ...contactIds, parentUserId: undefined })).toMatchObject({
      source: "reseller",
      name: "Reseller",
    });
    expect(await readContactOfUser({ assignedSiteId: site.id })).toMatchObject({
      source: "site",
      name: "Owner",
    });
    await prisma().user.update({ where: { id: parent.id }, data: { isActive: false } });
    expect((await readContactOfUser(contactIds)).source).toBe("reseller");

    await prisma().brand.create({ data: { userId: reseller.id, productName: "Arslan Panel" } });
    const domain = "help.arslan.example";
    await prisma().resellerPortal.create({
      data: { resellerId: reseller.id, domain, verifiedAt: new Date() },
    });
    await prisma().user.update({ where: { id: reseller.id }, data: { isActive: false } });
    const customer = await makeUser({ isActive: false, resellerId: reseller.id });
    const readContactAt = async (host: string) =>
      (
        await post(
          "/api/auth/login",
          { email: customer.email, password: PASSWORD },
          { headers: { "x-portal-host": host } },
        )
      ).json.contact;
    expect(await readContactAt(domain)).toMatchObject({ source: "system", name: "Arslan Panel" });
    expect(await readContactAt("panel.test")).toMatchObject({ source: "system", name: "Tellal" });

    const supportContact = { email: "destek@arslan.example", phone: "+90 312 555 00 34" };
    await prisma().brand.update({
      where: { userId: reseller.id },
      data: { supportEmail: supportContact.email, supportPhone: supportContact.phone },
    });
    expect(await readContactAt(domain)).toMatchObject({ source: "system", ...supportContact });
    expect((await readContactAt("panel.test")).email).not.toBe(supportContact.email);
    await prisma().user.update({ where: { id: reseller.id }, data: { isActive: true } });
    expect(await readContactAt("panel.test")).toMatchObject({
      source: "reseller",
      name: "Reseller",
      ...supportContact,
    });
    const subUser = await makeUser({ parentUserId: reseller.id, isActive: false });
    expect((await login(subUser.email)).json.contact).toMatchObject({
      source: "parent",
      email: reseller.email,
    });
  });

  it("refuses passwords longer than 1,024 characters", async () => {
    expect((await login("nobody@example.com", "a".repeat(1024))).status).toBe(401);
    expect((await login("nobody@example.com", "a".repeat(1025))).status).toBe(422);
  });
});

describe("throttling", () => {
  it("refuses the sixth attempt per client and account, with retry-after", async () => {
    const ip = createIpAddress();
    const { email } = await makeUser();
    for (let index = 0; index < 5; index++) expect((await login(email, "wrong", ip)).status).toBe(401);
    const { status, json, headers } = await login(email, PASSWORD, ip);
    expect(status).toBe(429);
    expect(Object.keys(json)).toEqual(["success", "error", "message", "retry_after"]);
    expect(headers["retry-after"]).toBe(String(json.retry_after));
    expect(json.retry_after).toBeGreaterThan(890);
    expect(json.retry_after).toBeLessThanOrEqual(900);
    expect(headers["x-ratelimit-remaining"]).toBe("0");
    expect(Number(headers["x-ratelimit-reset"]) - Date.now() / 1000).toBeGreaterThan(880);
    expect((await login(email, PASSWORD)).status).toBe(200);
    expect((await login((await makeUser()).email, PASSWORD, ip)).status).toBe(200);
  });

  it.each([
    ["existing", true],
    ["unknown", false],
  ])("refuses exactly 45 of 50 concurrent attempts for an %s address", async (_, exists) => {
    for (let round = 0; round < 2; round++) {
      const ip = createIpAddress();
      const email = exists ? (await makeUser()).email : `nobody.${round}@example.com`;
      expect(countByStatus(await runConcurrently(50, () => login(email, "wrong", ip)))).toEqual({
        401: 5,
        429: 45,
      });
    }
  });

  it("counts all spellings of an address together", async () => {
    const ip = createIpAddress();
    const { email } = await makeUser();
    const spellings = [
      email,
      email.toUpperCase(),
      ` ${email} `,
      email.replace("@", "＠"),
      email.replace("example", "EXAMPLE"),
    ];
    for (const spelling of spellings) expect((await login(spelling, "wrong", ip)).status).toBe(401);
    expect((await login(email, "wrong", ip)).status).toBe(429);
  });

  it("resets the counter after a success", async () => {
    const ip = createIpAddress();
    const { email } = await makeUser();
    for (let round = 0; round < 2; round++) {
      for (let index = 0; index < 4; index++) expect((await login(email, "wrong", ip)).status).toBe(401);
      expect((await login(email, PASSWORD, ip)).status).toBe(200);
    }
    for (let index = 0; index < 5; index++) expect((await login(email, "wrong", ip)).status).toBe(401);
    expect((await login(email, "wrong", ip)).status).toBe(429);
  });

  it("allows twenty failures per client across all accounts", async () => {
    const ip = createIpAddress();
    const responses = await runConcurrently(50, (index) => login(`many.${index}@example.com`, "wrong", ip));
    expect(countByStatus(responses)).toEqual({ 401: 20, 429: 30 });
    expect((await login((await makeUser()).email, PASSWORD, ip)).status).toBe(429);
  });

  it("counts an IPv6 client by its /64, in every spelling", async () => {
    const spellAddress = (index: number) =>
      ["2001:db8:7:9::%", "2001:0DB8:0007:0009::%", "2001:db8:7:9:0:0:0:%", "2001:db8:7:9:ffff:%::"][
        index % 4
      ]!.replace("%", (index + 1).toString(16));
    const responses = await runConcurrently(40, (index) =>
      login(`six.${index}@example.com`, "wrong", spellAddress(index)),
    );
    expect(countByStatus(responses)).toEqual({ 401: 20, 429: 20 });
    expect((await login("six@example.com", "wrong", "2001:db8:7:a::1")).status).toBe(401);
  });

  it("counts an IPv4 client once, also in IPv6 notation", async () => {
    const notations = [
      "192.0.2.77",
      "::ffff:192.0.2.77",
      "::FFFF:192.0.2.77",
      "::ffff:c000:24d",
      "0:0:0:0:0:ffff:c000:024d",
    ];
    const responses = await runConcurrently(40, (index) =>
      login(`four.${index}@example.com`, "wrong", notations[index % 5]),
    );
    expect(countByStatus(responses)).toEqual({ 401: 20, 429: 20 });
  });

  it("allows 100 failures per account and day, but lets a known client sign in", async () => {
    const { email } = await makeUser();
    const homeIp = createIpAddress();
    expect((await login(email, PASSWORD, homeIp)).status).toBe(200);
    const guesses = await runConcurrently(60, () => login(email, "wrong"));
    const furtherGuesses = await runConcurrently(60, () => login(email, "wrong"));
    expect(countByStatus([...guesses, ...furtherGuesses])).toEqual({ 401: 100, 429: 20 });
    expect((await login(email, PASSWORD)).status).toBe(429);
    expect((await login(email, PASSWORD, homeIp)).status).toBe(200);
  });

  it("does not count refused attempts against the account or the client", async () => {
    const ip = createIpAddress();
    const { email } = await makeUser();
    expect(countByStatus(await runConcurrently(130, () => login(email, "wrong", ip)))).toEqual({
      401: 5,
      429: 125,
    });
    expect((await login(email, PASSWORD)).status).toBe(200);
    expect((await login((await makeUser()).email, PASSWORD, ip)).status).toBe(200);
  });

  it("allows attempts again after the window", async () => {
    const ip = createIpAddress();
    const { email } = await makeUser();
    for (let index = 0; index < 6; index++) await login(email, "wrong", ip);
    expect((await login(email, PASSWORD, ip)).status).toBe(429);
    await prisma().rateLimit.updateMany({
      where: { key: { contains: email } },
      data: { expire: BigInt(Date.now() - 1) },
    });
    expect((await login(email, PASSWORD, ip)).status).toBe(200);
  });
});
