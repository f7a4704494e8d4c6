import { describe, expect, it } from "vitest";
import type { AnyOperation } from "@/server/core/contract";
import { formatText } from "@/server/core/texts";
import { prisma } from "@/server/infrastructure/database/client";
import { makeReseller, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { getHarmlessCall } from "@/server/testing/requests";
import { listRelationsOfOperation, makeRow } from "@/server/testing/rows";
import { startTestServer } from "@/server/testing/server";
import { getHandlers } from "./operations";

/* `/api/reseller/` requires a signed agreement, except for reading and signing the agreement itself. */

const { call } = await startTestServer();

const UNSIGNED_BODY = { success: false, error: expect.any(String) };
const AGREEMENT_UNSIGNED_BODY = { success: false, error: formatText("tr", "errors.agreement_unsigned") };
const FORBIDDEN_BODY = { message: "This action is unauthorized." };

const areaOperations = getHandlers()
  .map(({ operation }) => operation)
  .filter(({ path }) => path.startsWith("/api/reseller/"));
/** The agreement, and the set-up that begins with it. */
const isOpenWithoutSignature = ({ path }: AnyOperation) =>
  path === "/api/reseller/agreement" || path === "/api/reseller/setup";

async function makeSignedInAccount(
  data: Parameters<typeof makeUser>[0],
  { signed }: { signed?: boolean } = {},
) {
  const { id } = await makeUser(data);
  if (signed !== undefined) await makeReseller(id, { signed });
  return { id, token: await makeToken(id, { provenAt: new Date() }) };
}
const owner = await makeSignedInAccount({ role: "reseller" }, { signed: true });
const unsignedReseller = await makeSignedInAccount({ role: "reseller" }, { signed: false });
const resellerWithoutRow = await makeSignedInAccount({ role: "reseller" });
const otherReseller = await makeSignedInAccount({ role: "reseller" }, { signed: true });
const customer = await makeSignedInAccount({ resellerId: owner.id });
const site = await makeSite(owner.id);
const agent = await makeSignedInAccount({
  parentUserId: owner.id,
  isAgentOnly: true,
  assignedSiteId: site.id,
});
const subUser = await makeSignedInAccount({ parentUserId: owner.id });
const admin = await makeSignedInAccount({ role: "admin" });

async function makeRecord({ path, id }: AnyOperation, resellerId: number): Promise<number> {
  if (path.startsWith("/api/reseller/customers/")) return (await makeUser({ resellerId })).id;
  const [relation] = listRelationsOfOperation(id);
  const table = path.startsWith("/api/reseller/notes/")
    ? "customer_notes"
    : path.startsWith("/api/reseller/invitations/")
      ? "customer_invitations"
      : relation!.table;
  return Number(await makeRow(table, { column: "reseller_id", ownerId: resellerId, textPrefix: "own" }));
}

async function callOperation(operation: AnyOperation, token: string, resellerId: number) {
  await resetRateLimits();
  const path = operation.path.includes("{id}")
    ? operation.path.replace("{id}", String(await makeRecord(operation, resellerId)))
    : operation.path.replace("{picture}", "logo");
  const query = operation.id === "checkReferralCode" ? "?code=NOBODYS1" : "";
  return call(operation.method, path + query, { token, ...getHarmlessCall(operation) });
}

describe.each(
  areaOperations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const),
)("%s", (_, operation) => {
  it("rejects everyone but a reseller", async () => {
    for (const { id, token } of [customer, agent, subUser]) {
      const { status, json } = await callOperation(operation, token, owner.id);
      expect({ id, status, json }).toEqual({ id, status: 403, json: FORBIDDEN_BODY });
    }
    // An administrator may only list a reseller's customers, and must name the reseller.
    const adminResponse = await callOperation(operation, admin.token, owner.id);
    if (
      operation.path.startsWith("/api/reseller/customers") &&
      operation.method === "GET" &&
      !operation.path.includes("{id}")
    )
      expect(Object.keys(adminResponse.json.errors)).toEqual(["reseller_id"]);
    else expect(adminResponse).toMatchObject({ status: 403, json: FORBIDDEN_BODY });
  });

  it("rejects a reseller without a signature", async () => {
    for (const { id, token } of [unsignedReseller, resellerWithoutRow]) {
      const { status, json, text } = await callOperation(operation, token, id);
      if (isOpenWithoutSignature(operation)) expect([200, 422], text).toContain(status);
      else expect({ id, status, json }).toEqual({ id, status: 403, json: UNSIGNED_BODY });
    }
  });

  it("accepts the reseller, and rejects a record of another reseller", async () => {
    const ownResponse = await callOperation(operation, owner.token, owner.id);
    expect([200, 201, 404, 422], ownResponse.text).toContain(ownResponse.status);
    if (!operation.path.includes("{id}")) return;
    const { status, json } = await callOperation(operation, otherReseller.token, owner.id);
    expect({ status, json }).toEqual({ status: 403, json: FORBIDDEN_BODY });
  });
});

/** Operations that resellers use too, but that belong to every account. */
const OUTSIDE_AREA_PATHS =
  /^\/api\/(user\/mail-account|view-as|profile\/support-access|public\/referral-resellers|portal-domains)/;
const operationsOutsideArea = getHandlers()
  .map(({ operation }) => operation)
  .filter(({ path }) => OUTSIDE_AREA_PATHS.test(path));

describe.each(
  operationsOutsideArea.map((operation) => [`${operation.method} ${operation.path}`, operation] as const),
)("%s", (_, operation) => {
  it("requires no signature and responds alike to every role except agents and administrators", async () => {
    const callers = {
      owner,
      foreign: otherReseller,
      unsigned: unsignedReseller,
      rowless: resellerWithoutRow,
      customer,
      subUser,
      agent,
      admin,
    };
    const statuses: Record<string, unknown> = {};
    for (const [name, { token }] of Object.entries(callers)) {
      await resetRateLimits();
      const { status, json } = await call(operation.method, operation.path, {
        token,
        ...getHarmlessCall(operation),
      });
      expect(status, name).toBeLessThan(500);
      expect(json, name).not.toEqual(AGREEMENT_UNSIGNED_BODY);
      statuses[name] = status;
    }
    // Administrators cannot be impersonated.
    const adminException = operation.id === "putSupportAccess" ? { admin: statuses.owner } : {};
    const { agent: agentStatus, ...otherStatuses }: Record<string, unknown> = {
      ...statuses,
      ...adminException,
    };
    expect(new Set(Object.values(otherStatuses)).size, JSON.stringify(statuses)).toBe(1);
    const isClosedToAgents = operation.path.startsWith("/api/user/mail-account");
    expect(agentStatus).toBe(isClosedToAgents ? 403 : statuses.owner);
  });
});

it("covers every operation of the area", () => {
  // Guards against filters that match nothing. Adjust 11 when such an operation is added.
  expect(areaOperations.length).toBeGreaterThanOrEqual(24);
  expect(areaOperations.filter(({ access }) => access !== "token")).toEqual([]);
  expect(operationsOutsideArea.length).toBe(11);
});

it("accepts a pay-per-site licence only from signed resellers", async () => {
  const body = { name: "X", domain: "pay-per-site.example.com", confirm_pay_per_site: true };
  const refusal = await call("POST", "/api/sites", { token: unsignedReseller.token, body });
  expect({ status: refusal.status, json: refusal.json }).toEqual({ status: 403, json: UNSIGNED_BODY });
  expect(await prisma().site.count({ where: { domain: body.domain } })).toBe(0);
  expect((await call("POST", "/api/sites", { token: otherReseller.token, body })).status).toBe(201);
});
