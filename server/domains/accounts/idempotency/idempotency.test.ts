import { describe, expect, it } from "vitest";
import { exchangeForSession } from "@/server/domains/access/tokens/service/tokens";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeReseller, makeSite, makeSubscription, makeToken, makeUser } from "@/server/testing/factories";
import { createIpAddress, sendHttp } from "@/server/testing/http";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";
import { getHandlers } from "@/server/transports/rest/operations";
import { deleteIdempotencyKeysJob } from "./jobs";

const { call, port } = await startTestServer();

let domainCount = 0;
const buildSiteBody = () => ({ name: "Kaya Kahve", domain: `once-${++domainCount}.example.com` });

async function makeOwner({ slots = 100, provenAt }: { slots?: number; provenAt?: Date } = {}) {
  await resetRateLimits();
  const user = await makeUser();
  await makeSubscription(user.id, { slots });
  return { id: user.id, token: await makeToken(user.id, { provenAt }) };
}

const createSite = (token: string, key: string | string[], body: object, headers = {}) =>
  call("POST", "/api/sites", { token, body, headers: { "idempotency-key": key, ...headers } });
const countSites = (userId: number) => prisma().site.count({ where: { userId } });
const countAuditEntries = (actorId: number) => prisma().auditEvent.count({ where: { actorId } });

describe("a call with a key", () => {
  it("has one effect, and repeats the first response byte for byte", async () => {
    const { id, token } = await makeOwner();
    const body = buildSiteBody();
    const firstResponse = await createSite(token, "k1", body);
    const entriesBefore = await countAuditEntries(id);
    const secondResponse = await createSite(token, "k1", body);
    expect([firstResponse.status, secondResponse.status]).toEqual([201, 201]);
    expect(secondResponse.text).toBe(firstResponse.text);
    expect(firstResponse.json.site.api_key).toMatch(/^dsk_/);
    expect([firstResponse.headers["idempotent-replay"], secondResponse.headers["idempotent-replay"]]).toEqual(
      [undefined, "true"],
    );
    expect([await countSites(id), await countAuditEntries(id)]).toEqual([1, entriesBefore]);
    const [storedRow] = await prisma().idempotencyKey.findMany({ where: { userId: id } });
    expect(Buffer.from(storedRow!.responseSealed!).toString("latin1")).not.toContain("dsk_");
  });

  it("ignores spelling and order of the input", async () => {
    const { id, token } = await makeOwner();
    const { name, domain } = buildSiteBody();
    const firstResponse = await createSite(token, "k", { name, domain, ai_enabled: true });
    const secondResponse = await createSite(token, "k", {
      unknown: 1,
      ai_enabled: "1",
      domain: `${domain}.`,
      name: ` ${name} `,
    });
    expect(secondResponse.status).toBe(201);
    expect(secondResponse.text).toEqual(firstResponse.text);
    expect(await countSites(id)).toBe(1);
  });

  it("rejects the key with another input", async () => {
    const { id, token } = await makeOwner();
    await createSite(token, "k", buildSiteBody());
    const conflict = await createSite(token, "k", buildSiteBody());
    expect(conflict.status).toBe(422);
    expect(conflict.json.success).toBe(false);
    expect(Object.keys(conflict.json)).toEqual(["success", "error"]);
    expect(conflict.json.error).toContain("anahtar");
    expect(await countSites(id)).toBe(1);
  });

  it.each([
    ["256 characters", "k".repeat(256)],
    ["a space", "a b"],
    ["a letter beyond ASCII", "anahtar-\u00fc"],
    ["two headers", ["a", "b"]],
    ["nothing", ""],
  ])("rejects %s as a key", async (_, key) => {
    const { id, token } = await makeOwner();
    const { status, json } = await createSite(token, key, buildSiteBody());
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(["Idempotency-Key"]);
    expect(json.message).toContain("Idempotency-Key");
    expect(await countSites(id)).toBe(0);
  });

  it("accepts keys of 1 and 255 visible characters", async () => {
    const { token } = await makeOwner();
    for (const key of ["!", "~".repeat(255)])
      expect((await createSite(token, key, buildSiteBody())).status).toBe(201);
  });

  it("can be repeated with the same key after a refusal", async () => {
    const { id, token } = await makeOwner({ slots: 0 });
    const body = buildSiteBody();
    expect((await createSite(token, "k", body)).status).toBe(403);
    expect(await prisma().idempotencyKey.count({ where: { userId: id } })).toBe(0);
    await makeSubscription(id);
    const secondResponse = await createSite(token, "k", body);
    expect(secondResponse.status).toBe(201);
    expect(secondResponse.headers["idempotent-replay"]).toBe(undefined);
  });

  it("shares its key with no other token or operation", async () => {
    const { id, token } = await makeOwner({ provenAt: new Date() });
    await createSite(token, "k", buildSiteBody());
    const otherToken = await makeToken(id);
    expect((await createSite(otherToken, "k", buildSiteBody())).headers["idempotent-replay"]).toBeUndefined();
    const tokenResponse = await call("POST", "/api/user/tokens", {
      token,
      body: { name: "CI" },
      headers: { "idempotency-key": "k" },
    });
    expect(tokenResponse.status).toBe(201);
    expect(tokenResponse.headers["idempotent-replay"]).toBe(undefined);
    expect(await countSites(id)).toBe(2);
  });

  it("has a new effect once its key has expired, and a job deletes expired keys", async () => {
    const { id, token } = await makeOwner();
    const body = buildSiteBody();
    await createSite(token, "k", body);
    await pool().query("update idempotency_keys set expires_at = now() where user_id = $1", [id]);
    const secondResponse = await createSite(token, "k", body);
    expect(secondResponse.status).toBe(422);
    expect(Object.keys(secondResponse.json.errors)).toEqual(["domain"]);
    expect((await createSite(token, "k", buildSiteBody())).status).toBe(201);
    await deleteIdempotencyKeysJob();
    expect(await prisma().idempotencyKey.count({ where: { userId: id } })).toBe(1);
    await pool().query("update idempotency_keys set expires_at = now()");
    await deleteIdempotencyKeysJob();
    expect(await prisma().idempotencyKey.count()).toBe(0);
  });

  it.each([1, 2, 3])("has one effect in a burst of 30, round %i", async () => {
    const { id, token } = await makeOwner();
    const body = buildSiteBody();
    const responses = await runConcurrently(30, () =>
      createSite(token, "burst", body, { "x-forwarded-for": createIpAddress() }),
    );
    const createdResponses = responses.filter(({ status }) => status === 201);
    // 409 after too long a wait: the client may retry.
    expect(countByStatus(responses)[201]! + (countByStatus(responses)[409] ?? 0)).toBe(30);
    expect(createdResponses.filter(({ headers }) => !headers["idempotent-replay"])).toHaveLength(1);
    expect(new Set(createdResponses.map(({ text }) => text)).size).toBe(1);
    expect(await countSites(id)).toBe(1);
  });

  it("waits for the first call, and gets 409 after too long a wait", async () => {
    const { id, token } = await makeOwner();
    const body = buildSiteBody();
    await createSite(token, "k", body);
    const blocker = await pool().connect();
    try {
      await blocker.query("begin");
      await blocker.query("delete from idempotency_keys where user_id = $1", [id]);
      await blocker.query(
        "insert into idempotency_keys select $1, 'u' || id, 'createSite', 'held', '', null, null, now(), now() + interval '1 day' from access_tokens where user_id = $1",
        [id],
      );
      const conflict = await createSite(token, "held", buildSiteBody());
      expect(conflict).toMatchObject({
        status: 409,
        json: { success: false },
        headers: { "retry-after": "2" },
      });
      await blocker.query("rollback");
      expect((await createSite(token, "held", buildSiteBody())).status).toBe(201);
    } finally {
      blocker.release();
    }
  });
});

describe("a replay of a stored response", () => {
  it("is refused for a revoked token", async () => {
    const { id, token } = await makeOwner();
    const body = buildSiteBody();
    await createSite(token, "k", body);
    await prisma().accessToken.deleteMany({ where: { userId: id } });
    expect((await createSite(token, "k", body)).status).toBe(401);
  });

  it("is refused for an account that became an agent", async () => {
    const { id, token } = await makeOwner();
    const body = buildSiteBody();
    const creation = await createSite(token, "k", body);
    await prisma().user.update({
      where: { id },
      data: { isAgentOnly: true, assignedSiteId: creation.json.site.id },
    });
    expect((await createSite(token, "k", body)).status).toBe(403);
  });

  it("is refused without the proof of identity that the first call needed", async () => {
    const { id, token } = await makeOwner({ provenAt: new Date() });
    const createToken = () =>
      call("POST", "/api/user/tokens", {
        token,
        body: { name: "CI", abilities: ["read"] },
        headers: { "idempotency-key": "k" },
      });
    const firstResponse = await createToken();
    const secondResponse = await createToken();
    expect({ status: secondResponse.status, token: secondResponse.json.token }).toEqual({
      status: 201,
      token: firstResponse.json.token,
    });
    await pool().query("update access_tokens set proven_at = null where user_id = $1", [id]);
    expect((await createToken()).status).toBe(403);
    expect(await prisma().accessToken.count({ where: { userId: id } })).toBe(2);
  });
});

it("mails an invitation once, and counts replays only in the rate limit", async () => {
  await resetRateLimits();
  const user = await makeUser({ role: "reseller" });
  await makeReseller(user.id);
  const site = await makeSite(user.id);
  const token = await makeToken(user.id);
  const ip = createIpAddress();
  const invite = () =>
    call("POST", "/api/team/invitations", {
      token,
      ip,
      body: { name: "Ece", email: `ece.${user.id}@example.com`, site_id: site.id },
      headers: { "idempotency-key": "k" },
    });
  const firstResponse = await invite();
  expect(firstResponse.status, firstResponse.text).toBe(201);
  const readInvitePoints = async () =>
    (await pool().query("select key, points from rate_limits where key like 'invite%' order by key")).rows;
  const pointsBefore = await readInvitePoints();
  for (let attempt = 0; attempt < 5; attempt++) expect((await invite()).text).toBe(firstResponse.text);
  expect(pointsBefore.length).toBeGreaterThan(0);
  expect(await readInvitePoints()).toEqual(pointsBefore);
  expect(await prisma().mailMessage.count({ where: { template: "agent_invitation" } })).toBe(1);
});

it("applies to unbatched calls of the panel, too", async () => {
  const { id, token } = await makeOwner();
  const session = await exchangeForSession(withoutTransaction(), token);
  const callPanel = (path: string, body: object) =>
    sendHttp(port, "POST", `/trpc/${path}`, {
      headers: { origin: "http://panel.test", cookie: `session=${session!.secret}`, "idempotency-key": "k" },
      body,
    });
  const body = buildSiteBody();
  const [firstResponse, secondResponse] = [
    await callPanel("sites.create", { body }),
    await callPanel("sites.create", { body }),
  ];
  expect({ status: firstResponse.status, data: secondResponse.json.result.data }).toEqual({
    status: 200,
    data: firstResponse.json.result.data,
  });
  expect(await countSites(id)).toBe(1);
  const batchResponse = await callPanel("sites.create,sites.create?batch=1", {
    0: { body: buildSiteBody() },
    1: { body: buildSiteBody() },
  });
  expect(batchResponse.status).toBe(200);
  expect(await countSites(id)).toBe(3);
});

it("ignores the header for operations that are not idempotent", async () => {
  const { token } = await makeOwner();
  const { status, headers } = await call("PUT", "/api/user/locale", {
    token,
    body: { locale: "en" },
    headers: { "idempotency-key": "a b" },
  });
  expect(status).toBe(200);
  expect(headers["idempotent-replay"]).toBe(undefined);
});

it("documents the header for the operations that support it", async () => {
  const documentPaths = ["/api/openapi.json", "/api/openapi-admin.json"];
  const documents = await Promise.all(documentPaths.map((path) => call("GET", path)));
  const paths = Object.assign({}, ...documents.map(({ json }) => json.paths));
  for (const { operation } of getHandlers()) {
    const { parameters = [], responses } = paths[operation.path][operation.method.toLowerCase()];
    const isDocumented = parameters.some(
      ({ $ref }: { $ref?: string }) => $ref === "#/components/parameters/IdempotencyKey",
    );
    expect(isDocumented, operation.id).toBe(Boolean(operation.idempotent));
    if (isDocumented) expect(Object.keys(responses)).toEqual(expect.arrayContaining(["409", "422"]));
  }
});
