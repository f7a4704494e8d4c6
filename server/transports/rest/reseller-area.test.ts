import { describe, expect, it } from "vitest";
import type { AnyOperation } from "@/server/core/contract";
import { text } from "@/server/core/texts";
import { prisma } from "@/server/infrastructure/database/client";
import { makeReseller, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { resetLimits } from "@/server/testing/limits";
import { harmlessCall } from "@/server/testing/requests";
import { makeRow, relationsBehind } from "@/server/testing/rows";
import { testServer } from "@/server/testing/server";
import { handlers } from "./operations";

/*
 * The rule of the resellers' area, generated from the operations: below `/api/reseller/` only resellers who have signed get
 * anywhere, each in what is theirs. The agreement itself is open to those who have not.
 */

const { call } = await testServer();

const UNSIGNED = { success: false, error: expect.any(String) };
const UNSIGNED_BY_CODE = { success: false, error: text("tr", "errors.agreement_unsigned") };
const FORBIDDEN = { message: "This action is unauthorized." };

const area = handlers()
  .map(({ operation }) => operation)
  .filter(({ path }) => path.startsWith("/api/reseller/"));
const isAgreement = ({ path }: AnyOperation) => path === "/api/reseller/agreement";

async function signedIn(data: Parameters<typeof makeUser>[0], { signed }: { signed?: boolean } = {}) {
  const { id } = await makeUser(data);
  if (signed !== undefined) await makeReseller(id, { signed });
  return { id, token: await makeToken(id, { provenAt: new Date() }) };
}
const owner = await signedIn({ role: "reseller" }, { signed: true });
const unsigned = await signedIn({ role: "reseller" }, { signed: false });
const rowless = await signedIn({ role: "reseller" });
const foreign = await signedIn({ role: "reseller" }, { signed: true });
const customer = await signedIn({ resellerId: owner.id });
const site = await makeSite(owner.id);
const agent = await signedIn({ parentUserId: owner.id, isAgentOnly: true, assignedSiteId: site.id });
const subUser = await signedIn({ parentUserId: owner.id });
const admin = await signedIn({ role: "admin" });

/** A record of a reseller. */
async function recordOf({ path, id }: AnyOperation, resellerId: number): Promise<number> {
  if (path.startsWith("/api/reseller/customers/")) return (await makeUser({ resellerId })).id;
  const [relation] = relationsBehind(id);
  const table = path.startsWith("/api/reseller/notes/")
    ? "customer_notes"
    : path.startsWith("/api/reseller/invitations/")
      ? "customer_invitations"
      : relation!.table;
  return Number(await makeRow(table, { column: "reseller_id", owner: resellerId, mark: "own" }));
}

async function perform(operation: AnyOperation, token: string, resellerId: number) {
  await resetLimits();
  const path = operation.path.includes("{id}")
    ? operation.path.replace("{id}", String(await recordOf(operation, resellerId)))
    : operation.path.replace("{picture}", "logo");
  const query = operation.id === "checkReferralCode" ? "?code=NOBODYS1" : "";
  return call(operation.method, path + query, { token, ...harmlessCall(operation) });
}

describe.each(area.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  "%s",
  (_, operation) => {
    it("refuses everyone but a reseller", async () => {
      for (const { id, token } of [customer, agent, subUser]) {
        const { status, json } = await perform(operation, token, owner.id);
        expect({ id, status, json }).toEqual({ id, status: 403, json: FORBIDDEN });
      }
      // An administrator reads the customers of a reseller by name, and nothing else.
      const byAdmin = await perform(operation, admin.token, owner.id);
      if (
        operation.path.startsWith("/api/reseller/customers") &&
        operation.method === "GET" &&
        !operation.path.includes("{id}")
      )
        expect(Object.keys(byAdmin.json.errors)).toEqual(["reseller_id"]);
      else expect(byAdmin).toMatchObject({ status: 403, json: FORBIDDEN });
    });

    it("refuses a reseller who has not signed", async () => {
      for (const { id, token } of [unsigned, rowless]) {
        const { status, json, text } = await perform(operation, token, id);
        if (isAgreement(operation)) expect([200, 422], text).toContain(status);
        else expect({ id, status, json }).toEqual({ id, status: 403, json: UNSIGNED });
      }
    });

    it("lets the reseller in, and no other reseller to a record", async () => {
      const own = await perform(operation, owner.token, owner.id);
      expect([200, 201, 404, 422], own.text).toContain(own.status);
      if (!operation.path.includes("{id}")) return;
      const { status, json } = await perform(operation, foreign.token, owner.id);
      expect({ status, json }).toEqual({ status: 403, json: FORBIDDEN });
    });
  },
);

/** What resellers use beside their area: their own account's, or everybody's. */
const BESIDE =
  /^\/api\/(user\/mail-account|view-as|profile\/support-access|public\/referral-resellers|portal-domains)/;
const beside = handlers()
  .map(({ operation }) => operation)
  .filter(({ path }) => BESIDE.test(path));

describe.each(beside.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  "%s",
  (_, operation) => {
    it("needs no signature, and answers every role alike except agents and administrators", async () => {
      const actors = { owner, foreign, unsigned, rowless, customer, subUser, agent, admin };
      const answers: Record<string, unknown> = {};
      for (const [name, { token }] of Object.entries(actors)) {
        await resetLimits();
        const { status, json } = await call(operation.method, operation.path, {
          token,
          ...harmlessCall(operation),
        });
        expect(status, name).toBeLessThan(500);
        expect(json, name).not.toEqual(UNSIGNED_BY_CODE);
        answers[name] = status;
      }
      // Nobody looks at an administrator's panel.
      const looked = operation.id === "putSupportAccess" ? { admin: answers.owner } : {};
      const { agent: byAgent, ...others }: Record<string, unknown> = { ...answers, ...looked };
      expect(new Set(Object.values(others)).size, JSON.stringify(answers)).toBe(1);
      const closed = operation.path.startsWith("/api/user/mail-account");
      expect(byAgent).toBe(closed ? 403 : answers.owner);
    });
  },
);

it("tests every operation of the area", () => {
  expect(area.length).toBeGreaterThanOrEqual(24);
  expect(area.filter(({ access }) => access !== "token")).toEqual([]);
  expect(beside.length).toBe(11);
});

it("opens a pay-per-site licence for signed resellers only", async () => {
  const body = { name: "X", domain: "pay-per-site.example.com", confirm_pay_per_site: true };
  const refused = await call("POST", "/api/sites", { token: unsigned.token, body });
  expect({ status: refused.status, json: refused.json }).toEqual({ status: 403, json: UNSIGNED });
  expect(await prisma().site.count({ where: { domain: body.domain } })).toBe(0);
  expect((await call("POST", "/api/sites", { token: foreign.token, body })).status).toBe(201);
});
