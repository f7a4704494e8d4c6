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
import { resetRateLimits } from "@/server/testing/rate-limits";
import { buildSamplePath, getHarmlessCall } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";
import { getHandlers } from "@/server/transports/rest/operations";

/* A leaked API key has no proof of identity and cannot get one without the password. */

const server = await startTestServer();
const { call, post } = server;
beforeEach(resetRateLimits);

const NEEDS_RECENT_PROOF = [
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
/** Accept a proof of the last eight hours, because administrators record payments all day. */
const NEEDS_WORKDAY_PROOF = ["activateSubscription", "payLicence"];
const NEEDS_PROOF_BY_VALUE = ["putSettings"];
const NEEDS_NO_PROOF = [
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
const SETTINGS_WITHOUT_PROOF = ["mail_retention_days", "trial_days", "trial_slots", "webhook_retention_days"];

const operations = getHandlers()
  .map(({ operation }) => operation)
  .filter(({ ability, path }) => ability === "admin:*" || path.startsWith("/api/admin/"));
const writeOperations = operations.filter(({ method }) => method !== "GET");
const findOperation = (id: string) => operations.find((operation) => operation.id === id)!;

const FORBIDDEN_MESSAGE = "This action is unauthorized.";
const makeAdmin = () => makeUser({ role: "admin" });
const makeAdminApiKey = (userId: number, provenAt?: Date) =>
  makeToken(userId, { kind: "api_key", abilities: ["read", "admin:*"], ...(provenAt && { provenAt }) });

function callOperation(id: string, token: string) {
  const operation = findOperation(id);
  const { body, ...callOptions } = getHarmlessCall(operation);
  const requestBody = id === "changeUsers" ? { ...(body as object), dry_run: false } : body;
  const query = id === "explainAddress" ? "?email=nobody@example.com" : "";
  return call(operation.method, buildSamplePath(operation) + query, {
    ...callOptions,
    ...(requestBody !== undefined && { body: requestBody }),
    token,
  });
}
const isProofRequested = async (response: ReturnType<typeof callOperation>) =>
  (await response).json?.requires_identity === true;

describe("an administrator's operation", () => {
  it.each(operations.map(({ id }) => id))(
    "rejects other accounts and keys without the ability: %s",
    async (id) => {
      const admin = await makeAdmin();
      const tokens = [
        (await makeProvenUser()).token,
        (await makeProvenUser({ role: "reseller" })).token,
        await makeToken(admin.id, { abilities: ["read"], provenAt: new Date() }),
      ];
      for (const token of tokens)
        expect(await callOperation(id, token)).toMatchObject({
          status: 403,
          json: { message: FORBIDDEN_MESSAGE },
        });
    },
  );

  it("is listed in this file with the proof it needs", () => {
    expect(writeOperations.map(({ id }) => id).sort()).toEqual(
      [...NEEDS_RECENT_PROOF, ...NEEDS_WORKDAY_PROOF, ...NEEDS_PROOF_BY_VALUE, ...NEEDS_NO_PROOF].sort(),
    );
  });

  it.each([...NEEDS_RECENT_PROOF, ...NEEDS_WORKDAY_PROOF])(
    "rejects a key without a proof of identity: %s",
    async (id) => {
      const admin = await makeAdmin();
      const response = await callOperation(id, await makeAdminApiKey(admin.id));
      expect({ status: response.status, json: response.json }).toMatchObject({
        status: 403,
        json: { success: false, requires_identity: true, methods: ["password"] },
      });
      expect(await isProofRequested(callOperation(id, await makeAdminApiKey(admin.id, new Date())))).toBe(
        false,
      );
      const oldKey = await makeAdminApiKey(admin.id, fromNow(-11 * MINUTE));
      expect(await isProofRequested(callOperation(id, oldKey))).toBe(NEEDS_RECENT_PROOF.includes(id));
      expect(
        await isProofRequested(callOperation(id, await makeAdminApiKey(admin.id, fromNow(-9 * HOUR)))),
      ).toBe(true);
    },
  );

  it.each(NEEDS_NO_PROOF)("needs no proof: %s", async (id) => {
    const admin = await makeAdmin();
    expect(await isProofRequested(callOperation(id, await makeAdminApiKey(admin.id)))).toBe(false);
  });

  it("accepts a password sign-in as proof", async () => {
    const [admin, person] = [await makeAdmin(), await makeUser()];
    const { token } = (await post("/api/auth/login", { email: admin.email, password: "correct-horse" })).json;
    const body = { amount: 5, note: "Goodwill" };
    expect((await post(`/api/admin/users/${person.id}/credits`, body, { token })).status).toBe(201);
  });
});

describe("an administrator's leaked key", () => {
  it("cannot change access or debts", async () => {
    const [admin, otherAdmin] = [await makeAdmin(), await makeAdmin()];
    const token = await makeAdminApiKey(admin.id);
    const deactivation = { is_active: false, reason: "Goodbye" };
    const responses = [
      await call("PUT", `/api/admin/users/${otherAdmin.id}/status`, { token, body: deactivation }),
      await post(`/api/admin/users/${otherAdmin.id}/credits`, { amount: 1_000_000, note: "Gift" }, { token }),
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
    const { isActive, credits } = await prisma().user.findUniqueOrThrow({ where: { id: otherAdmin.id } });
    expect({ isActive, credits }).toEqual({ isActive: true, credits: otherAdmin.credits });
    expect(await prisma().setting.count({ where: { key: "referral_rate" } })).toBe(0);
  });

  it("cannot suspend or activate another account's site", async () => {
    const [admin, person] = [await makeAdmin(), await makeUser()];
    const site = await makeSite(person.id);
    const token = await makeToken(admin.id, { kind: "api_key" });
    for (const verb of ["suspend", "activate"]) {
      const { status, json } = await post(`/api/sites/${site.id}/${verb}`, {}, { token });
      expect([verb, status, json.requires_identity]).toEqual([verb, 403, true]);
    }
    const ownSite = await makeSite(admin.id);
    expect((await post(`/api/sites/${ownSite.id}/suspend`, {}, { token })).status).toBe(200);
  });
});

describe("a setting", () => {
  it("needs a proof unless it affects neither access nor debts", () => {
    const settingsWithoutProof = Object.entries(SETTINGS).filter(([, spec]) => !("requiresProof" in spec));
    expect(settingsWithoutProof.map(([key]) => key).sort()).toEqual(SETTINGS_WITHOUT_PROOF);
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
  const admin = await makeAdmin();
  const reseller = await makeUser({ role: "reseller" });
  await makeReseller(reseller.id);
  const licence = await makeLicence(reseller.id);
  const token = await makeToken(admin.id, { provenAt: fromNow(-7 * HOUR) });
  expect((await post(`/api/admin/licences/${licence.id}/payment`, {}, { token })).status).toBe(201);
});
