import { describe, expect, it } from "vitest";
import { exchangeForSession } from "@/server/domains/access/tokens/service/tokens";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { burst, countByStatus } from "@/server/testing/burst";
import { makeReseller, makeSite, makeSubscription, makeToken, makeUser } from "@/server/testing/factories";
import { newIpAddress, send } from "@/server/testing/http";
import { resetLimits } from "@/server/testing/limits";
import { testServer } from "@/server/testing/server";
import { handlers } from "@/server/transports/rest/operations";
import { deleteIdempotencyKeysJob } from "./jobs";

const { call, port } = await testServer();

let domains = 0;
const newSite = () => ({ name: "Kaya Kahve", domain: `once-${++domains}.example.com` });

async function owner({ slots = 100, provenAt }: { slots?: number; provenAt?: Date } = {}) {
  await resetLimits();
  const user = await makeUser();
  await makeSubscription(user.id, { slots });
  return { id: user.id, token: await makeToken(user.id, { provenAt }) };
}

const create = (token: string, key: string | string[], body: object, headers = {}) =>
  call("POST", "/api/sites", { token, body, headers: { "idempotency-key": key, ...headers } });
const sitesOf = (userId: number) => prisma().site.count({ where: { userId } });
const audited = (actorId: number) => prisma().auditEvent.count({ where: { actorId } });

describe("a call with a key", () => {
  it("has one effect, and repeats the first response byte for byte", async () => {
    const { id, token } = await owner();
    const body = newSite();
    const first = await create(token, "k1", body);
    const noted = await audited(id);
    const second = await create(token, "k1", body);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect(first.json.site.api_key).toMatch(/^dsk_/);
    expect([first.headers["idempotent-replay"], second.headers["idempotent-replay"]]).toEqual([
      undefined,
      "true",
    ]);
    expect([await sitesOf(id), await audited(id)]).toEqual([1, noted]);
    const [row] = await prisma().idempotencyKey.findMany({ where: { userId: id } });
    expect(Buffer.from(row!.responseSealed!).toString("latin1")).not.toContain("dsk_");
  });

  it("ignores spelling and order of the input", async () => {
    const { id, token } = await owner();
    const { name, domain } = newSite();
    const first = await create(token, "k", { name, domain, ai_enabled: true });
    const second = await create(token, "k", {
      unknown: 1,
      ai_enabled: "1",
      domain: `${domain}.`,
      name: ` ${name} `,
    });
    expect(second.status).toBe(201);
    expect(second.text).toEqual(first.text);
    expect(await sitesOf(id)).toBe(1);
  });

  it("rejects the key with another input", async () => {
    const { id, token } = await owner();
    await create(token, "k", newSite());
    const other = await create(token, "k", newSite());
    expect(other.status).toBe(422);
    expect(other.json.success).toBe(false);
    expect(Object.keys(other.json)).toEqual(["success", "error"]);
    expect(other.json.error).toContain("anahtar");
    expect(await sitesOf(id)).toBe(1);
  });

  it.each([
    ["256 characters", "k".repeat(256)],
    ["a space", "a b"],
    ["a letter beyond ASCII", "anahtar-\u00fc"],
    ["two headers", ["a", "b"]],
    ["nothing", ""],
  ])("rejects %s as a key", async (_, key) => {
    const { id, token } = await owner();
    const { status, json } = await create(token, key, newSite());
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(["Idempotency-Key"]);
    expect(json.message).toContain("Idempotency-Key");
    expect(await sitesOf(id)).toBe(0);
  });

  it("accepts keys of 1 and 255 visible characters", async () => {
    const { token } = await owner();
    for (const key of ["!", "~".repeat(255)]) expect((await create(token, key, newSite())).status).toBe(201);
  });

  it("can be repeated with the same key after a refusal", async () => {
    const { id, token } = await owner({ slots: 0 });
    const body = newSite();
    expect((await create(token, "k", body)).status).toBe(403);
    expect(await prisma().idempotencyKey.count({ where: { userId: id } })).toBe(0);
    await makeSubscription(id);
    const second = await create(token, "k", body);
    expect(second.status).toBe(201);
    expect(second.headers["idempotent-replay"]).toBe(undefined);
  });

  it("is separate for each token and operation", async () => {
    const { id, token } = await owner({ provenAt: new Date() });
    await create(token, "k", newSite());
    const other = await makeToken(id);
    expect((await create(other, "k", newSite())).headers["idempotent-replay"]).toBeUndefined();
    const key = await call("POST", "/api/user/tokens", {
      token,
      body: { name: "CI" },
      headers: { "idempotency-key": "k" },
    });
    expect(key.status).toBe(201);
    expect(key.headers["idempotent-replay"]).toBe(undefined);
    expect(await sitesOf(id)).toBe(2);
  });

  it("expires after a day, and is deleted by a job", async () => {
    const { id, token } = await owner();
    const body = newSite();
    await create(token, "k", body);
    await pool().query("update idempotency_keys set expires_at = now() where user_id = $1", [id]);
    const expired = await create(token, "k", body);
    expect(expired.status).toBe(422);
    expect(Object.keys(expired.json.errors)).toEqual(["domain"]);
    expect((await create(token, "k", newSite())).status).toBe(201);
    await deleteIdempotencyKeysJob();
    expect(await prisma().idempotencyKey.count({ where: { userId: id } })).toBe(1);
    await pool().query("update idempotency_keys set expires_at = now()");
    await deleteIdempotencyKeysJob();
    expect(await prisma().idempotencyKey.count()).toBe(0);
  });

  it.each([1, 2, 3])("has one effect in a burst of 30, round %i", async () => {
    const { id, token } = await owner();
    const body = newSite();
    const responses = await burst(30, () =>
      create(token, "burst", body, { "x-forwarded-for": newIpAddress() }),
    );
    const created = responses.filter(({ status }) => status === 201);
    // 409 after too long a wait: the client may retry.
    expect(countByStatus(responses)[201]! + (countByStatus(responses)[409] ?? 0)).toBe(30);
    expect(created.filter(({ headers }) => !headers["idempotent-replay"])).toHaveLength(1);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    expect(await sitesOf(id)).toBe(1);
  });

  it("waits for the first call, and gets 409 after too long a wait", async () => {
    const { id, token } = await owner();
    const body = newSite();
    await create(token, "k", body);
    const holder = await pool().connect();
    try {
      await holder.query("begin");
      await holder.query("delete from idempotency_keys where user_id = $1", [id]);
      await holder.query(
        "insert into idempotency_keys select $1, 'u' || id, 'createSite', 'held', '', null, null, now(), now() + interval '1 day' from access_tokens where user_id = $1",
        [id],
      );
      const held = await create(token, "held", newSite());
      expect(held).toMatchObject({ status: 409, json: { success: false }, headers: { "retry-after": "2" } });
      await holder.query("rollback");
      expect((await create(token, "held", newSite())).status).toBe(201);
    } finally {
      holder.release();
    }
  });
});

describe("a replay", () => {
  it("is refused for a revoked token", async () => {
    const { id, token } = await owner();
    const body = newSite();
    await create(token, "k", body);
    await prisma().accessToken.deleteMany({ where: { userId: id } });
    expect((await create(token, "k", body)).status).toBe(401);
  });

  it("is refused for an account that became an agent", async () => {
    const { id, token } = await owner();
    const body = newSite();
    const created = await create(token, "k", body);
    await prisma().user.update({
      where: { id },
      data: { isAgentOnly: true, assignedSiteId: created.json.site.id },
    });
    expect((await create(token, "k", body)).status).toBe(403);
  });

  it("is refused without the proof of identity that the first call needed", async () => {
    const { id, token } = await owner({ provenAt: new Date() });
    const make = () =>
      call("POST", "/api/user/tokens", {
        token,
        body: { name: "CI", abilities: ["read"] },
        headers: { "idempotency-key": "k" },
      });
    const first = await make();
    const second = await make();
    expect({ status: second.status, token: second.json.token }).toEqual({
      status: 201,
      token: first.json.token,
    });
    await pool().query("update access_tokens set proven_at = null where user_id = $1", [id]);
    expect((await make()).status).toBe(403);
    expect(await prisma().accessToken.count({ where: { userId: id } })).toBe(2);
  });
});

it("mails an invitation once, and counts replays only in the rate limit", async () => {
  await resetLimits();
  const user = await makeUser({ role: "reseller" });
  await makeReseller(user.id);
  const site = await makeSite(user.id);
  const token = await makeToken(user.id);
  const ip = newIpAddress();
  const invite = () =>
    call("POST", "/api/team/invitations", {
      token,
      ip,
      body: { name: "Ece", email: `ece.${user.id}@example.com`, site_id: site.id },
      headers: { "idempotency-key": "k" },
    });
  const first = await invite();
  expect(first.status, first.text).toBe(201);
  const points = async () =>
    (await pool().query("select key, points from rate_limits where key like 'invite%' order by key")).rows;
  const before = await points();
  for (let time = 0; time < 5; time++) expect((await invite()).text).toBe(first.text);
  expect(before.length).toBeGreaterThan(0);
  expect(await points()).toEqual(before);
  expect(await prisma().mailMessage.count({ where: { template: "agent_invitation" } })).toBe(1);
});

it("applies to unbatched calls of the panel, too", async () => {
  const { id, token } = await owner();
  const session = await exchangeForSession(withoutTransaction(), token);
  const ask = (path: string, body: object) =>
    send(port, "POST", `/trpc/${path}`, {
      headers: { origin: "http://panel.test", cookie: `session=${session!.secret}`, "idempotency-key": "k" },
      body,
    });
  const body = newSite();
  const [first, second] = [await ask("sites.create", { body }), await ask("sites.create", { body })];
  expect({ status: first.status, data: second.json.result.data }).toEqual({
    status: 200,
    data: first.json.result.data,
  });
  expect(await sitesOf(id)).toBe(1);
  const several = await ask("sites.create,sites.create?batch=1", {
    0: { body: newSite() },
    1: { body: newSite() },
  });
  expect(several.status).toBe(200);
  expect(await sitesOf(id)).toBe(3);
});

it("ignores the header for operations that are not idempotent", async () => {
  const { token } = await owner();
  const { status, headers } = await call("PUT", "/api/user/locale", {
    token,
    body: { locale: "en" },
    headers: { "idempotency-key": "a b" },
  });
  expect(status).toBe(200);
  expect(headers["idempotent-replay"]).toBe(undefined);
});

it("documents the header for the operations that support it", async () => {
  const addresses = ["/api/openapi.json", "/api/openapi-admin.json"];
  const documents = await Promise.all(addresses.map((path) => call("GET", path)));
  const paths = Object.assign({}, ...documents.map(({ json }) => json.paths));
  for (const { operation } of handlers()) {
    const { parameters = [], responses } = paths[operation.path][operation.method.toLowerCase()];
    const named = parameters.some(
      ({ $ref }: { $ref?: string }) => $ref === "#/components/parameters/IdempotencyKey",
    );
    expect(named, operation.id).toBe(Boolean(operation.idempotent));
    if (named) expect(Object.keys(responses)).toEqual(expect.arrayContaining(["409", "422"]));
  }
});
