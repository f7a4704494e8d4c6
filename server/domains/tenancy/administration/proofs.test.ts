import { beforeEach, describe, expect, it } from "vitest";
import { SETTINGS } from "@/server/core/settings";
import { fromNow, HOUR, MINUTE } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import {
  makeLicence,
  makeProvenUser,
  makeReseller,
  makeSite,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { resetLimits } from "@/server/testing/limits";
import { harmlessCall, samplePath } from "@/server/testing/requests";
import { testServer } from "@/server/testing/server";
import { handlers } from "@/server/transports/rest/operations";

/* A leaked API key has no proof of identity and cannot get one without the password. */

const server = await testServer();
const { call, post } = server;
beforeEach(resetLimits);

const FRESH = [
  "setUserRole",
  "setUserReseller",
  "setUserParent",
  "setUserStatus",
  "signOutUser",
  "unlockUser",
  "changeUsers",
  "publishLegalText",
  "resetTwoFactor",
  "approveFactorReset",
  "putPlan",
  "reversePayment",
  "cancelLicence",
  "recordPayout",
  "adjustCredits",
];
/** Record received payments all day: a proof of the last eight hours is enough. */
const ROUTINE = ["activateSubscription", "payLicence"];
/** Needs a proof for some settings. */
const BY_VALUE = ["putSettings"];
const FREE = [
  "sendUserVerification",
  "sendUserPasswordMail",
  "previewLegalText",
  "previewActivation",
  "cancelFactorReset",
  "retryJob",
  "giveUpJob",
  "runTask",
  "retryFailedWork",
  "checkAuditChain",
  "testParty",
  "resendMail",
  "resumeDocument",
  "putDocumentData",
  "skipDocument",
  "unskipDocument",
  "testAccounting",
  "uploadReceipt",
];
/** Settings that affect neither access nor debts. */
const FREE_SETTINGS = ["mail_retention_days", "webhook_retention_days"];

const operations = handlers()
  .map(({ operation }) => operation)
  .filter(({ ability, path }) => ability === "admin:*" || path.startsWith("/api/admin/"));
const writes = operations.filter(({ method }) => method !== "GET");
const operationOf = (id: string) => operations.find((operation) => operation.id === id)!;

const FORBIDDEN = "This action is unauthorized.";
const makeBoss = () => makeUser({ role: "admin" });
const makeKey = (userId: number, provenAt?: Date) =>
  makeToken(userId, { kind: "api_key", abilities: ["read", "admin:*"], ...(provenAt && { provenAt }) });

function attempt(id: string, token: string) {
  const operation = operationOf(id);
  const { body, ...rest } = harmlessCall(operation);
  const input = id === "changeUsers" ? { ...(body as object), dry_run: false } : body;
  const query = id === "explainAddress" ? "?email=nobody@example.com" : "";
  return call(operation.method, samplePath(operation) + query, {
    ...rest,
    ...(input !== undefined && { body: input }),
    token,
  });
}
const isProofRequested = async (response: ReturnType<typeof attempt>) =>
  (await response).json?.requires_identity === true;

describe("an administrator's operation", () => {
  it.each(operations.map(({ id }) => id))(
    "rejects other accounts and keys without the ability: %s",
    async (id) => {
      const boss = await makeBoss();
      const tokens = [
        (await makeProvenUser()).token,
        (await makeProvenUser({ role: "reseller" })).token,
        await makeToken(boss.id, { abilities: ["read"], provenAt: new Date() }),
      ];
      for (const token of tokens)
        expect(await attempt(id, token)).toMatchObject({ status: 403, json: { message: FORBIDDEN } });
    },
  );

  it("is listed in this file with the proof it needs", () => {
    expect(writes.map(({ id }) => id).sort()).toEqual([...FRESH, ...ROUTINE, ...BY_VALUE, ...FREE].sort());
  });

  it.each([...FRESH, ...ROUTINE])("rejects a key without a proof of identity: %s", async (id) => {
    const boss = await makeBoss();
    const response = await attempt(id, await makeKey(boss.id));
    expect({ status: response.status, json: response.json }).toMatchObject({
      status: 403,
      json: { success: false, requires_identity: true, methods: ["password"] },
    });
    expect(await isProofRequested(attempt(id, await makeKey(boss.id, new Date())))).toBe(false);
    const late = await makeKey(boss.id, fromNow(-11 * MINUTE));
    expect(await isProofRequested(attempt(id, late))).toBe(FRESH.includes(id));
    expect(await isProofRequested(attempt(id, await makeKey(boss.id, fromNow(-9 * HOUR))))).toBe(true);
  });

  it.each(FREE)("needs no proof: %s", async (id) => {
    const boss = await makeBoss();
    expect(await isProofRequested(attempt(id, await makeKey(boss.id)))).toBe(false);
  });

  it("accepts a password sign-in as proof", async () => {
    const [boss, person] = [await makeBoss(), await makeUser()];
    const { token } = (await post("/api/auth/login", { email: boss.email, password: "correct-horse" })).json;
    const body = { amount: 5, note: "Goodwill" };
    expect((await post(`/api/admin/users/${person.id}/credits`, body, { token })).status).toBe(201);
  });
});

describe("an administrator's leaked key", () => {
  it("cannot change access or debts", async () => {
    const [boss, other] = [await makeBoss(), await makeBoss()];
    const token = await makeKey(boss.id);
    const locked = { is_active: false, reason: "Goodbye" };
    const responses = [
      await call("PUT", `/api/admin/users/${other.id}/status`, { token, body: locked }),
      await post(`/api/admin/users/${other.id}/credits`, { amount: 1_000_000, note: "Gift" }, { token }),
      await call("PUT", "/api/admin/settings", { token, body: { referral_rate: 100 } }),
      await post(
        "/api/admin/legal-texts/terms",
        { version: "evil", bodies: { tr: "Yeni" }, expected_version: "1" },
        { token },
      ),
    ];
    expect(responses.map(({ status, json }) => [status, json.requires_identity])).toEqual(
      responses.map(() => [403, true]),
    );
    const { isActive, credits } = await prisma().user.findUniqueOrThrow({ where: { id: other.id } });
    expect({ isActive, credits }).toEqual({ isActive: true, credits: other.credits });
    expect(await prisma().setting.count({ where: { key: "referral_rate" } })).toBe(0);
  });

  it("cannot suspend or activate another account's site", async () => {
    const [boss, person] = [await makeBoss(), await makeUser()];
    const site = await makeSite(person.id);
    const token = await makeToken(boss.id, { kind: "api_key" });
    for (const verb of ["suspend", "activate"]) {
      const { status, json } = await post(`/api/sites/${site.id}/${verb}`, {}, { token });
      expect([verb, status, json.requires_identity]).toEqual([verb, 403, true]);
    }
    const own = await makeSite(boss.id);
    expect((await post(`/api/sites/${own.id}/suspend`, {}, { token })).status).toBe(200);
  });
});

describe("a setting", () => {
  it("needs a proof unless it affects neither access nor debts", () => {
    const free = Object.entries(SETTINGS).filter(([, spec]) => !("requiresProof" in spec));
    expect(free.map(([key]) => key).sort()).toEqual(FREE_SETTINGS);
  });
});

it("lets a reseller suspend a customer's site without a proof", async () => {
  const reseller = await makeUser({ role: "reseller" });
  await makeReseller(reseller.id);
  const site = await makeSite((await makeUser({ resellerId: reseller.id })).id);
  const token = await makeToken(reseller.id);
  expect((await post(`/api/sites/${site.id}/suspend`, {}, { token })).status).toBe(200);
});

it("lets an administrator record payments for a working day after one proof", async () => {
  const boss = await makeBoss();
  const reseller = await makeUser({ role: "reseller" });
  await makeReseller(reseller.id);
  const licence = await makeLicence(reseller.id);
  const token = await makeToken(boss.id, { provenAt: fromNow(-7 * HOUR) });
  expect((await post(`/api/admin/licences/${licence.id}/payment`, {}, { token })).status).toBe(201);
});
