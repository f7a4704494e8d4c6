import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeToken, makeUser } from "@/server/testing/factories";
import { createIpAddress } from "@/server/testing/http";
import { deliverAndReadMails, getLinkParam } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { makeTotpFactor, type TotpApp } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { call, get, post } = server;
const adminToken = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
const getGates = (id: number, query = "") => get(`/api/admin/users/${id}/gates${query}`, adminToken);

describe("the explanation of gates", () => {
  it("lists the gates in order, with the roles that can open them", async () => {
    const reseller = await makeUser({ role: "reseller" });
    await prisma().resellerPortal.create({
      data: {
        verifiedAt: new Date(),
        resellerId: reseller.id,
        domain: "kaya.example.com",
        lockCustomers: true,
      },
    });
    const user = await makeUser({ emailVerifiedAt: null, isActive: false, resellerId: reseller.id });
    await makeTotpFactor(user.id);
    const { status, json } = await getGates(user.id);
    expect(status).toBe(200);
    expect(json.stopped_by).toBe("email_verified");
    expect(
      json.gates.map(({ gate, open, lifted_by }: Record<string, unknown>) => [gate, open, lifted_by]),
    ).toEqual([
      ["attempts", true, []],
      ["password", true, []],
      ["email_verified", false, ["owner"]],
      ["account_active", false, ["parent", "reseller", "administrator"]],
      ["portal", false, ["reseller"]],
      ["second_factor", false, ["owner", "administrator"]],
      ["factor_attempts", true, []],
    ]);
    expect(json.gates[4].reason).toContain("Kaya");
    const atPortal = await getGates(user.id, "?host=KAYA.example.com");
    const openGateFields = { open: true, reason: null, lifted_by: [], until: null, lift: null };
    expect(atPortal.json.gates[4]).toEqual({ gate: "portal", ...openGateFields });
    await prisma().user.update({ where: { id: user.id }, data: { emailVerifiedAt: new Date() } });
    expect((await getGates(user.id)).json.stopped_by).toBe("account_active");
    expect(await prisma().auditEvent.count({ where: { objectId: String(user.id) } })).toBe(0);
  });

  it("shows all gates open for an ordinary account", async () => {
    const { json } = await getGates((await makeUser()).id);
    expect([json.stopped_by, json.gates.every(({ open }: { open: boolean }) => open)]).toEqual([null, true]);
  });

  it("returns 404 for an unknown account", async () => {
    expect((await getGates(2_147_483_647)).status).toBe(404);
  });
});

type User = Awaited<ReturnType<typeof makeUser>>;
interface Person {
  user: User;
  ip: string;
  password: string;
  host?: string;
  app?: TotpApp;
}

const WRONG_PASSWORD = "a-wrong-password";
const login = ({ user, ip, password, host }: Person, typedPassword = password) =>
  post(
    "/api/auth/login",
    { email: user.email, password: typedPassword },
    {
      ip,
      headers: host ? { "x-portal-host": host } : {},
    },
  );
const updateUser = (id: number, data: object) => prisma().user.update({ where: { id }, data });

/** In the order of a sign-in. */
const CLOSE_GATE = {
  attempts: async (person: Person) => {
    // ACCOUNT_NETWORK_COUNTER allows five.
    for (let attempt = 0; attempt < 5; attempt++) await login(person, WRONG_PASSWORD);
  },
  password: ({ user }: Person) => updateUser(user.id, { passwordHash: null }),
  email_verified: ({ user }: Person) => updateUser(user.id, { emailVerifiedAt: null }),
  account_active: ({ user }: Person) => updateUser(user.id, { isActive: false }),
  portal: async ({ user }: Person) => {
    const { id: resellerId } = await makeUser({ role: "reseller" });
    const domain = `gates-${resellerId}.example.com`;
    await prisma().resellerPortal.create({
      data: { verifiedAt: new Date(), resellerId, domain, lockCustomers: true },
    });
    await updateUser(user.id, { resellerId });
  },
};
type ClosableGate = keyof typeof CLOSE_GATE;

function readStoppingGate({ status, json }: Awaited<ReturnType<typeof login>>): string | null {
  if (status === 429) return "attempts";
  if (status === 401) return "password";
  const fields = {
    requires_verification: "email_verified",
    account_disabled: "account_active",
    portal_locked: "portal",
    requires_2fa: "second_factor",
  };
  return (
    Object.entries(fields).find(([field]) => json[field])?.[1] ?? (json.token ? null : `status ${status}`)
  );
}

async function openGate(person: Person, gate: string, liftAction: string | null): Promise<void> {
  const path = `/api/admin/users/${person.user.id}`;
  const body = { reason: "Ticket 4711" };
  const { email } = person.user;
  const OK_STATUS = { status: 200 };
  if (liftAction === "unlock")
    return void expect(await post(`${path}/unlock`, body, { token: adminToken })).toMatchObject(OK_STATUS);
  if (liftAction === "activate") {
    const statusBody = { ...body, is_active: true };
    return void expect(
      await call("PUT", `${path}/status`, { token: adminToken, body: statusBody }),
    ).toMatchObject(OK_STATUS);
  }
  if (liftAction === "password_mail") {
    expect(await post(`${path}/password-mail`, body, { token: adminToken })).toMatchObject(OK_STATUS);
    const token = getLinkParam((await deliverAndReadMails(server, email, "reset_password"))[0]!, "token");
    person.password = "a-brand-new-password";
    const password = { password: person.password, password_confirmation: person.password };
    return void expect(await post("/api/auth/reset-password", { token, email, ...password })).toMatchObject(
      OK_STATUS,
    );
  }
  if (liftAction === "verification") {
    expect(await post(`${path}/verification`, body, { token: adminToken })).toMatchObject(OK_STATUS);
    const [mail] = await deliverAndReadMails(server, email, "verify_email");
    const linkBody = { token: getLinkParam(mail!, "token") };
    return void expect(await post("/api/auth/verify-email", linkBody)).toMatchObject(OK_STATUS);
  }
  expect(gate).toBe("portal");
  const account = await prisma().user.findUniqueOrThrow({
    where: { id: person.user.id },
    select: { reseller: { select: { portal: { select: { domain: true } } } } },
  });
  person.host = account.reseller!.portal!.domain;
}

describe("the explained gates match the sign-in, and each lift action opens its gate", () => {
  const gateNames = Object.keys(CLOSE_GATE) as ClosableGate[];
  const gatePairs = gateNames.flatMap((first, index) =>
    gateNames.slice(index + 1).map((other) => [first, other]),
  );
  const smallCombinations: ClosableGate[][] = [[], ...gateNames.map((name) => [name]), gateNames];
  const cases = [
    ...[...smallCombinations, ...(gatePairs as ClosableGate[][])].map((gates) => ({ factor: "none", gates })),
    ...["on", "spent"].flatMap((factor) => smallCombinations.map((gates) => ({ factor, gates }))),
  ];

  it.each(cases)("second factor $factor, closed gates: $gates", async ({ factor, gates }) => {
    await resetRateLimits();
    const person: Person = {
      user: await makeUser(),
      ip: createIpAddress(),
      password: "correct-horse",
    };
    // Wrong passwords first, while the account has one.
    for (const name of gates) await CLOSE_GATE[name](person);
    // Not for an unverified address: a reset or takeover removes the factors.
    if (factor !== "none" && !gates.includes("email_verified"))
      person.app = await makeTotpFactor(person.user.id);
    // All points of `sign_in` in WRONG_CODE_COUNTERS.
    if (factor === "spent")
      await prisma().rateLimit.create({
        data: { key: `2fa_wrong:${person.user.id}`, points: 15, expire: BigInt(Date.now() + 3_600_000) },
      });
    let areCodesUsedUp = factor === "spent";
    for (let step = 0; ; step++) {
      expect(step).toBeLessThan(8);
      const host = person.host ? `&host=${person.host}` : "";
      const { json } = await get(
        `/api/admin/gates?email=${encodeURIComponent(person.user.email)}${host}`,
        adminToken,
      );
      const explainedById = await getGates(person.user.id, person.host ? `?host=${person.host}` : "");
      expect(json).toMatchObject({ found: true, stopped_by: explainedById.json.stopped_by });
      const response = await login(person);
      expect(readStoppingGate(response)).toBe(json.stopped_by);
      if (json.stopped_by === null) break;
      const stoppingGate = json.gates.find(({ gate }: { gate: string }) => gate === json.stopped_by);
      expect(stoppingGate.open).toBe(false);
      if (stoppingGate.gate !== "second_factor") {
        await openGate(person, stoppingGate.gate, stoppingGate.lift);
        if (stoppingGate.lift === "unlock") areCodesUsedUp = false;
        continue;
      }
      const codesGate = json.gates.find(({ gate }: { gate: string }) => gate === "factor_attempts");
      expect(codesGate).toMatchObject({ open: !areCodesUsedUp, lift: areCodesUsedUp ? "unlock" : null });
      const codeBody = {
        interim_token: response.json.interim_token,
        method: "totp",
        code: person.app!.getCode(),
      };
      const finishSignIn = () =>
        post("/api/auth/2fa/challenge", codeBody, {
          headers: person.host ? { "x-portal-host": person.host } : {},
        });
      if (areCodesUsedUp) {
        expect((await finishSignIn()).status).toBe(429);
        await openGate(person, codesGate.gate, codesGate.lift);
      }
      expect((await finishSignIn()).status).toBe(200);
      break;
    }
  });

  it("returns no gates for an unknown address", async () => {
    const { status, json } = await get("/api/admin/gates?email=nobody@example.com", adminToken);
    expect(status).toBe(200);
    expect(json).toEqual({ success: true, found: false, user: null, gates: [], stopped_by: null });
  });

  it("resets only the limits of the unlocked account", async () => {
    await resetRateLimits();
    const [unlockedPerson, otherPerson] = await Promise.all(
      [1, 2].map(async () => ({ user: await makeUser(), ip: createIpAddress(), password: "correct-horse" })),
    );
    await CLOSE_GATE.attempts(unlockedPerson!);
    await CLOSE_GATE.attempts(otherPerson!);
    await openGate(unlockedPerson!, "attempts", "unlock");
    expect((await login(unlockedPerson!)).status).toBe(200);
    expect((await login(otherPerson!)).status).toBe(429);
    const entry = await prisma().auditEvent.findFirst({
      where: { action: "account.unlocked" },
      orderBy: { id: "desc" },
    });
    expect(entry).toMatchObject({
      objectId: String(unlockedPerson!.user.id),
      details: { reason: "Ticket 4711" },
    });
  });
});
