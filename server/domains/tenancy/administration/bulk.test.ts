import { beforeEach, describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeProvenUser, makeToken, makeUser } from "@/server/testing/factories";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { makeTotpFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";

const { get, post } = await startTestServer();
beforeEach(() => resetRateLimits());

const { token, ...caller } = await makeProvenUser({ role: "admin" });
const reason = "Ticket 4711";
const changeUsers = (body: object) => post("/api/admin/users/bulk", body, { token });
const MISSING_ID = 2_147_483_647;

describe("changing many accounts", () => {
  it("can be previewed, skips refused accounts, and reports in the order of the IDs", async () => {
    const [firstUser, secondUser, inactiveUser] = await Promise.all([
      makeUser(),
      makeUser(),
      makeUser({ isActive: false, deactivatedBy: "admin" }),
    ]);
    const sessionToken = await makeToken(firstUser.id);
    await makeToken(secondUser.id, { kind: "api_key" });
    const ids = [secondUser.id, MISSING_ID, caller.id, firstUser.id, inactiveUser.id];
    const preview = await changeUsers({ ids, action: "deactivate", dry_run: true });
    const summariseResults = (json: { results: Array<Record<string, unknown>> }) =>
      json.results.map(({ id, ok, changed }) => [id, ok, changed]);
    const expectedResults = [
      [secondUser.id, true, true],
      [MISSING_ID, false, false],
      [caller.id, false, false],
      [firstUser.id, true, true],
      [inactiveUser.id, true, false],
    ];
    expect(preview.status).toBe(200);
    expect(summariseResults(preview.json)).toEqual(expectedResults);
    expect(preview.json).toMatchObject({
      dry_run: true,
      changed_count: 2,
      reach: { sign_ins: 1, api_keys: 1, sites: 0, administrators: 0 },
    });
    expect((await get("/api/user", sessionToken)).status, "a dry run changes nothing").toBe(200);
    expect(await prisma().user.count({ where: { id: { in: ids }, isActive: true } })).toBe(3);

    const response = await changeUsers({ ids, action: "deactivate", reason });
    expect(response.status).toBe(200);
    expect(summariseResults(response.json)).toEqual(expectedResults);
    expect(response.json.results[1].error).not.toBeNull();
    expect((await get("/api/user", sessionToken)).status).toBe(401);
    expect(
      await prisma().accessToken.count({ where: { userId: { in: [firstUser.id, secondUser.id] } } }),
    ).toBe(0);
    const auditEvents = await prisma().auditEvent.findMany({
      where: { action: "account.deactivated", actorId: caller.id },
      orderBy: { id: "asc" },
    });
    expect(auditEvents.map(({ objectId, details }) => [objectId, details])).toEqual([
      [String(secondUser.id), { reason }],
      [String(firstUser.id), { reason }],
    ]);
    expect((await changeUsers({ ids, action: "deactivate", reason })).json.changed_count).toBe(0);
    expect((await changeUsers({ ids: [firstUser.id], action: "activate", reason })).json.changed_count).toBe(
      1,
    );
  });

  it("signs out but keeps API keys", async () => {
    const person = await makeUser();
    const [sessionToken, apiKey] = [
      await makeToken(person.id),
      await makeToken(person.id, { kind: "api_key" }),
    ];
    const { json } = await changeUsers({ ids: [person.id], action: "sign_out", reason });
    expect(json).toMatchObject({ changed_count: 1, reach: { sign_ins: 1, api_keys: 0 } });
    expect([(await get("/api/user", sessionToken)).status, (await get("/api/user", apiKey)).status]).toEqual([
      401, 200,
    ]);
  });

  it("needs a reason, a known action, and at most 500 distinct IDs", async () => {
    const bodies = [
      { ids: [1], action: "deactivate" },
      { ids: [1], action: "delete", reason },
      { ids: [], action: "activate", reason },
      { ids: [1, 1], action: "activate", reason },
      { ids: Array.from({ length: 501 }, (_, index) => index + 1), action: "activate", reason },
    ];
    for (const body of bodies)
      expect((await changeUsers(body)).status, JSON.stringify(body).slice(0, 60)).toBe(422);
  });
});

describe("the filters of the list and of its CSV file", () => {
  it("return the matching accounts", async () => {
    const reseller = await makeUser({ role: "reseller" });
    const protectedUser = await makeUser({ resellerId: reseller.id, name: "=cmd", phone: "+905321112233" });
    const unprotectedUser = await makeUser({ resellerId: reseller.id, emailVerifiedAt: null });
    await makeTotpFactor(protectedUser.id);
    await prisma().user.update({
      where: { id: unprotectedUser.id },
      data: { createdAt: new Date("2025-03-31T21:00:00Z") },
    });
    const findIds = async (query: string) => {
      const { json } = await get(`/api/admin/users?reseller_id=${reseller.id}&${query}`, token);
      return json.data.map(({ id }: { id: number }) => id);
    };
    expect(await findIds("")).toEqual([unprotectedUser.id, protectedUser.id]);
    expect(await findIds("two_factor=true")).toEqual([protectedUser.id]);
    expect(await findIds("two_factor=false")).toEqual([unprotectedUser.id]);
    expect(await findIds("verified=false")).toEqual([unprotectedUser.id]);
    expect(await findIds("created_from=2025-04-01&created_to=2025-04-01")).toEqual([unprotectedUser.id]);
    expect(await findIds("created_to=2025-03-31")).toEqual([]);
    expect((await get("/api/admin/users?created_from=yesterday", token)).status).toBe(422);

    const { status, headers, text } = await get(`/api/admin/users.csv?reseller_id=${reseller.id}`, token);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
    const lines = text.split("\r\n");
    expect(lines[0]).toContain('"id"');
    expect(lines[0]!.startsWith("\uFEFF")).toBe(true);
    expect(lines).toHaveLength(4);
    expect(text).toContain(`"'=cmd"`);
    expect(text).toContain(`"'+905321112233"`);
  });
});
