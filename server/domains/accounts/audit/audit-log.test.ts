import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeProvenUser, makeSignedInUser, makeToken, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";
import { checkAuditJob } from "./jobs";
import { sealEntries } from "./service/seal";

const server = await startTestServer();
const { call, get } = server;
const { token, ...admin } = await makeProvenUser({ role: "admin" });
const searchLog = async (q: string, extraQuery = "") => {
  const { status, json } = await get(`/api/admin/audit?q=${encodeURIComponent(q)}${extraQuery}`, token);
  expect(status).toBe(200);
  return json as {
    data: Array<{
      action: string;
      actor: { id: number } | null;
      object: { id: number; name: string | null } | null;
    }>;
    meta: { total: number };
  };
};

it("finds entries by action, ID and e-mail address, and shows actor and affected account", async () => {
  const affected = await makeUser();
  const body = { is_active: false, reason: "Ticket 4711" };
  await call("PUT", `/api/admin/users/${affected.id}/status`, { token, body });
  for (const q of ["account.deact", String(affected.id), affected.email.toUpperCase()]) {
    const { data } = await searchLog(`${q} account.`);
    expect(data[0], q).toMatchObject({
      action: "account.deactivated",
      actor: { id: admin.id, email: admin.email },
      object: { id: affected.id, name: affected.name, email: affected.email },
      details: { reason: "Ticket 4711" },
    });
  }
  for (const q of ["nobody@example.com", "%", "account_deactivated", "2147483647", "99999999999999"])
    expect((await searchLog(q)).meta.total, q).toBe(0);
});

it("shows only the ID of a deleted account", async () => {
  const affected = await makeUser();
  const body = { is_active: false, reason: "Ticket 4712" };
  await call("PUT", `/api/admin/users/${affected.id}/status`, { token, body });
  await prisma().user.update({ where: { id: affected.id }, data: { anonymisedAt: new Date() } });
  expect((await searchLog(String(affected.id))).data[0]!.object).toEqual({
    id: affected.id,
    name: null,
    email: null,
  });
});

it("counts and shows at most 10,000 entries, in either order", async () => {
  await prisma().auditEvent.createMany({
    data: Array.from({ length: 10_050 }, () => ({ actorKind: "system", action: "role.changed" })),
  });
  const { meta } = await searchLog("role.changed", "&per_page=500&page=20");
  expect(meta.total).toBe(10_000);
  expect((await searchLog("role.changed", "&per_page=500&page=20")).data).toHaveLength(500);
  expect((await searchLog("role.changed", "&per_page=500&page=21")).data).toHaveLength(0);
  const listIds = async (sort: string) =>
    (await get(`/api/admin/audit?sort=${sort}&per_page=2`, token)).json.data.map(
      ({ id }: { id: number }) => id,
    );
  const [ascending, descending] = [await listIds("at"), await listIds("-at")];
  expect(ascending[0]).toBeLessThan(ascending[1]);
  expect(descending[0]).toBeGreaterThan(descending[1]);
});

it("shows the summary in the caller's language, and old and new values", async () => {
  const { token: ownToken, ...affected } = await makeSignedInUser({ name: "Before" });
  await call("PUT", "/api/user", { token: ownToken, body: { name: "After" } });
  const germanAdminToken = await makeToken((await makeUser({ role: "admin", locale: "de" })).id);
  const { json } = await get(`/api/admin/audit?q=profile.changed%20${affected.id}`, germanAdminToken);
  expect(json.data[0]).toMatchObject({
    summary: "Profil geändert",
    before: { name: "Before" },
    after: { name: "After" },
  });
});

it("downloads all entries with masked addresses", async () => {
  const affected = await makeUser();
  const at = new Date();
  // More than two batches of the download (BATCH_SIZE).
  await prisma().auditEvent.createMany({
    data: Array.from({ length: 2100 }, (_, index) => ({
      actorKind: "user",
      actorId: affected.id,
      action: "team.invited",
      details: { email: "someone@example.com", index },
      ip: "203.0.113.77",
      at,
    })),
  });
  const { status, text } = await get(`/api/admin/audit.csv?q=team.invited%20${affected.id}`, token);
  const lines = text.trim().split("\r\n");
  expect({ status, length: lines.length }).toEqual({ status: 200, length: 2101 });
  expect(new Set(lines.map((line) => line.split(/[;,]/)[0])).size).toBe(2101);
  expect(text).toContain("203.0.113.…");
  for (const secret of ["someone@", "113.77", affected.email]) expect(text).not.toContain(secret);
});

it("shows the caller's own activity in pages, without IP addresses of other actors", async () => {
  const [affected, other] = [await makeUser(), await makeUser()];
  const ownToken = await makeToken(affected.id);
  for (let index = 0; index < 7; index++)
    await call("PUT", "/api/user", { token: ownToken, body: { name: `Name ${index}` } });
  const body = { is_active: true, reason: "Ticket" };
  await call("PUT", `/api/admin/users/${affected.id}/status`, { token, body: { ...body, is_active: false } });
  await call("PUT", `/api/admin/users/${affected.id}/status`, { token, body });
  await prisma().auditEvent.create({
    data: { actorKind: "user", actorId: other.id, action: "role.changed" },
  });
  const newToken = await makeToken(affected.id);
  const activity: Array<{ id: number; by: string; action: string; ip: string | null }> = [];
  for (let next: number | null = 0; next !== null; ) {
    const { json } = await get(`/api/user/activity?limit=2${next ? `&before=${next}` : ""}`, newToken);
    expect(json.data.length).toBeLessThanOrEqual(2);
    activity.push(...json.data);
    next = json.next;
  }
  expect(activity.map(({ action }) => action)).toEqual([
    "account.activated",
    "account.deactivated",
    ...Array.from({ length: 7 }, () => "profile.changed"),
  ]);
  await prisma().auditEvent.createMany({
    data: ["sign_in.succeeded", "sign_in.failed"].map((action) => ({
      actorKind: "anonymous",
      actorId: affected.id,
      action,
    })),
  });
  const { data } = (await get("/api/user/activity?limit=2", newToken)).json;
  expect(data.map(({ by }: { by: string }) => by)).toEqual(["nobody", "you"]);
  expect(activity[0]).toMatchObject({ by: "somebody_else", ip: null, user_agent: null });
  expect(activity.at(-1)).toMatchObject({ by: "you", after: { name: "Name 0" } });
});

it("returns the result of the latest verification", async () => {
  const initialChain = (await get("/api/admin/audit/chain", token)).json.chain;
  expect(initialChain.checked).toBeNull();
  await sealEntries({ maxEntries: 100_000, minAgeSeconds: -1 });
  expect((await call("POST", "/api/admin/audit/chain", { token })).status).toBe(200);
  await checkAuditJob();
  const { checked, head } = (await get("/api/admin/audit/chain", token)).json.chain;
  expect({ broken: checked.broken, head }).toEqual({
    broken: null,
    head: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

it("filters by IP address, request ID, impersonated account and days", async () => {
  const [ip, requestId] = ["198.51.100.77", "7f1c1a3e-0000-4000-8000-000000000001"];
  const viewedAccount = await makeUser();
  const atNoon = (day: string) => new Date(`${day}T12:00:00Z`);
  const entryFields = { actorKind: "system", action: "role.changed" };
  await prisma().auditEvent.createMany({
    data: [
      { ...entryFields, ip, at: atNoon("2020-01-01") },
      { ...entryFields, ip, requestId, at: atNoon("2020-01-02") },
      // Midnight in Turkey is 21:00 in UTC.
      { ...entryFields, ip, at: new Date("2020-01-02T21:30:00Z") },
      { ...entryFields, ip, onBehalfOf: viewedAccount.id, at: atNoon("2020-01-04") },
    ],
  });
  const listDays = async (filters: string) => {
    const { status, json } = await get(`/api/admin/audit?sort=at&${filters}`, token);
    expect(status, filters).toBe(200);
    expect(json.meta?.total, filters).toEqual(json.data.length);
    return json.data.map((each: { at: string }) => each.at.slice(8, 13));
  };
  expect(await listDays(`ip=${ip}`)).toEqual(["01T12", "02T12", "02T21", "04T12"]);
  expect(await listDays("ip=198.51.100.7")).toEqual([]);
  expect(await listDays(`request_id=${requestId}`)).toEqual(["02T12"]);
  expect(await listDays(`on_behalf_of=${viewedAccount.id}`)).toEqual(["04T12"]);
  expect(await listDays(`ip=${ip}&from=2020-01-02`)).toEqual(["02T12", "02T21", "04T12"]);
  expect(await listDays(`ip=${ip}&from=2020-01-03&to=2020-01-03`)).toEqual(["02T21"]);
  expect(await listDays(`ip=${ip}&to=2020-01-02`)).toEqual(["01T12", "02T12"]);
  expect(await listDays("from=2020-01-02&to=2020-01-02&q=role.")).toEqual(["02T12"]);
  for (const filter of ["from=2020-02-30", "to=yesterday", "on_behalf_of=0", "on_behalf_of=x"])
    expect((await get(`/api/admin/audit?${filter}`, token)).status, filter).toBe(422);
  const csv = await get(`/api/admin/audit.csv?ip=${ip}&to=2020-01-02`, token);
  expect(csv.text.trim().split("\n")).toHaveLength(3);
});

it("records refused calls of administrators' and resellers' operations, once a minute for each", async () => {
  const { token: ownToken, ...caller } = await makeSignedInUser();
  const paths = ["/api/admin/users", "/api/admin/audit", "/api/reseller/customers", "/api/user"];
  for (let round = 0; round < 3; round++) await Promise.all(paths.map((path) => get(path, ownToken)));
  const refusals = await prisma().auditEvent.findMany({
    where: { actorId: caller.id, action: "access.refused" },
  });
  const operations = refusals.map(({ details }) => (details as { operation: string }).operation);
  expect(operations.toSorted()).toEqual(["listAudit", "listCustomers", "listUsers"]);
  const { data } = await searchLog(`access.refused ${caller.id}`);
  expect(data).toHaveLength(3);
  await get("/api/admin/users");
  const readOnlyToken = await makeToken(admin.id, { abilities: ["read"] });
  expect((await get("/api/admin/users", readOnlyToken)).status).toBe(403);
  expect((await searchLog(`access.refused ${admin.id}`)).data, "a token without the ability").toHaveLength(1);
});
