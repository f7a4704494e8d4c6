import { describe, expect, it } from "vitest";
import { DAY, fromNow, MINUTE } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { seal } from "@/server/infrastructure/secrets/seal";
import { makeConnection, makeSignedInUser, makeSite } from "@/server/testing/factories";
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";
import { deleteOldConnectionChecksJob } from "./jobs";
import { checkConnectionHealth } from "./service/health";
import { CONNECTION_SEAL_PURPOSE } from "./service/provider-registry";

const services = await startFakeServices();
const server = await startTestServer({ env: services.env });

const listOutcomes = async (connectionId: number) =>
  (await prisma().connectionCheck.findMany({ where: { connectionId }, orderBy: { id: "asc" } })).map(
    ({ outcome }) => outcome,
  );

describe("the record of checks", () => {
  it("has the outcome of each check, also of the first refusal", async () => {
    const { id } = await makeSignedInUser();
    const healthy = await makeConnection(id);
    services.faults.push({ match: /getMe/, response: { status: 502, body: {} } });
    await checkConnectionHealth(healthy.id);
    services.faults.length = 0;
    await checkConnectionHealth(healthy.id);
    expect(await listOutcomes(healthy.id)).toEqual(["unreachable", "ok"]);
    const refused = await makeConnection(id, { secret: `620000001:${"t".repeat(30)}REVOKED` });
    await checkConnectionHealth(refused.id);
    expect(await listOutcomes(refused.id)).toEqual(["dead"]);
  });

  it("has the check of a new and of a replaced secret", async () => {
    const { token } = await makeSignedInUser();
    const secret = (end: string) => `620000100:${"t".repeat(34)}${end}`;
    const { json } = await server.post(
      "/api/connections",
      { channel: "telegram", bot_token: secret("a") },
      { token },
    );
    const { id } = json.connection;
    const body = { secret: secret("b") };
    expect((await server.call("PUT", `/api/connections/${id}`, { token, body })).status).toBe(200);
    await server.call("PUT", `/api/connections/${id}`, { token, body: { label: "Bot" } });
    expect(await listOutcomes(id)).toEqual(["ok", "ok"]);
  });

  it("omits a check during which the secret was replaced", async () => {
    const { id } = await makeSignedInUser();
    const connection = await makeConnection(id);
    services.beforeResponse = async () => {
      await prisma().connection.update({
        where: { id: connection.id },
        data: { secretSealed: Uint8Array.from(seal("other", CONNECTION_SEAL_PURPOSE)) },
      });
    };
    await checkConnectionHealth(connection.id);
    services.beforeResponse = undefined;
    expect(await listOutcomes(connection.id)).toEqual([]);
  });

  it("is kept for 90 days", async () => {
    const { id } = await makeSignedInUser();
    const { id: connectionId } = await makeConnection(id);
    await prisma().connectionCheck.createMany({
      data: [91, 89].map((days) => ({ connectionId, at: fromNow(-days * DAY), outcome: "ok" })),
    });
    await deleteOldConnectionChecksJob();
    expect(await listOutcomes(connectionId)).toHaveLength(1);
  });
});

describe("checks over time", () => {
  it("are those of the connections that the caller sees", async () => {
    const reseller = await makeSignedInUser({ role: "reseller" });
    const owner = await makeSignedInUser({ resellerId: reseller.id });
    const member = await makeSignedInUser({ parentUserId: owner.id });
    const stranger = await makeSignedInUser();
    const site = await makeSite(owner.id);
    const agent = await makeSignedInUser({
      ...{ isAgentOnly: true, parentUserId: owner.id, assignedSiteId: site.id },
    });
    const addChecks = async (userId: number, outcomes: string[], siteIds: number[] = []) => {
      const { id: connectionId } = await makeConnection(userId, { siteIds });
      await prisma().connectionCheck.createMany({
        data: outcomes.map((outcome, index) => ({
          ...{ connectionId, outcome, at: fromNow(-index * DAY - MINUTE) },
        })),
      });
      return connectionId;
    };
    const linked = await addChecks(owner.id, ["ok", "unreachable", "ok"], [site.id]);
    const own = await addChecks(owner.id, ["dead"]);
    const ofMember = await addChecks(member.id, ["ok"]);
    const foreign = await addChecks(stranger.id, ["dead", "dead"]);
    const read = async (token: string, query = "") => {
      const { json } = await server.get(`/api/connections/series?${query}`, token);
      return json.data.lines.map(({ total }: { total: number }) => total);
    };
    expect(await read(owner.token)).toEqual([3, 1, 1]);
    expect(await read(reseller.token)).toEqual([3, 1, 1]);
    expect(await read(member.token)).toEqual([1, 0, 0]);
    expect(await read(agent.token)).toEqual([2, 1, 0]);
    expect(await read(stranger.token)).toEqual([0, 0, 2]);
    expect(await read(owner.token, `connection_id=${linked}`)).toEqual([2, 1, 0]);
    expect(await read(owner.token, `connection_id=${ofMember}`)).toEqual([1, 0, 0]);
    expect(await read(agent.token, `connection_id=${linked}`)).toEqual([2, 1, 0]);
    const admin = await makeSignedInUser({ role: "admin" });
    const allOutcomes = await prisma().connectionCheck.groupBy({
      ...{ by: ["outcome"], where: { at: { gt: fromNow(-28 * DAY) } }, _count: true },
    });
    const count = (outcome: string) => allOutcomes.find((each) => each.outcome === outcome)?._count ?? 0;
    expect(await read(admin.token)).toEqual([count("ok"), count("unreachable"), count("dead")]);
    for (const [token, id] of [
      [owner.token, foreign],
      [agent.token, own],
      [member.token, own],
    ] as const)
      expect((await server.get(`/api/connections/series?connection_id=${id}`, token)).status).toBe(403);
    expect((await server.get("/api/connections/series?connection_id=2147483647", owner.token)).status).toBe(
      404,
    );
  });
});
