import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { MINUTE } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { startFakeIdentityProvider } from "@/server/testing/external-servers";
import { makeConnection, makeProvenUser, makeSignedInUser, makeSite } from "@/server/testing/factories";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { buildRegistrationBody } from "@/server/testing/requests";
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";
import { makeWhatsappConnections } from "@/server/testing/whatsapp";

const services = await startFakeServices();
const identityProvider = await startFakeIdentityProvider();
const server = await startTestServer({
  env: { ...services.env, ...identityProvider.env, RATE_LIMITS: "relaxed" },
});
beforeEach(async () => {
  await resetRateLimits();
  services.faults.length = 0;
  services.calls.length = 0;
});

const OUR_HOOKS_URL = "http://panel.test/hooks";

async function makeEightConnections(userId: number, waba: string) {
  for (let index = 0; index < 6; index++) {
    const { remoteKey } = await makeConnection(userId);
    await services.stores.telegram.set(`hook:${remoteKey}`, `${OUR_HOOKS_URL}/telegram/x`);
  }
  await makeWhatsappConnections(services, userId, { businessAccountId: waba, count: 2 });
}

const countHooks = () =>
  [...services.stores.telegram.entries.values(), ...services.stores.meta.entries.values()].filter((value) =>
    JSON.stringify(value).includes(OUR_HOOKS_URL),
  ).length;

it("deletes an account immediately while providers are down, and cleans up when they return", async () => {
  const { id, token } = await makeSignedInUser();
  await makeEightConnections(id, "9001");
  const forecast = await server.get("/api/user/deletion", token);
  expect(forecast.json.summary.connections).toBe(8);
  const sealedSecrets = await prisma().connection.findMany({ select: { secretSealed: true } });
  expect(sealedSecrets.every(({ secretSealed }) => secretSealed)).toBe(true);
  services.faults.push({ match: /./, times: 1000, response: { status: 503, body: {} } });
  const { status, json } = await server.post(
    "/api/auth/account/confirm-delete",
    { confirmation: "SİL" },
    { token },
  );
  expect({ status, channels: json.channels }).toEqual({ status: 200, channels: { cleaned: 0, pending: 8 } });
  expect((await server.get("/api/user", token)).status).toBe(401);
  expect(await prisma().user.count({ where: { id } })).toBe(0);
  expect(await prisma().connection.count()).toBe(0);
  const getCertificate = async () => {
    const path = `/api/deletion-certificates/${json.certificate_id}?code=${json.certificate_code}`;
    return (await server.get(path)).json.certificate;
  };
  expect((await getCertificate()).topics).toContainEqual({ topic: "channels", rule: "delete", count: 8 });
  expect((await getCertificate()).outside).toEqual({ done: 0, pending: 8, failed: 0 });
  await server.runJobs();
  expect(countHooks()).toBe(8);
  expect(await prisma().teardownTask.count({ where: { state: "pending", sealed: { not: null } } })).toBe(8);

  services.faults.length = 0;
  await makeRetriesDue();
  await server.runJobs();
  expect(countHooks()).toBe(0);
  expect(await services.stores.meta.get("apps:9001")).toEqual(["9"]);
  const tasks = await prisma().teardownTask.findMany({ select: { state: true, sealed: true } });
  expect(tasks).toEqual(Array.from({ length: 8 }, () => ({ state: "done", sealed: null })));
  expect((await getCertificate()).outside).toEqual({ done: 8, pending: 0, failed: 0 });
});

/** Makes waiting jobs due and skips the 30 s pause for a failed host. */
async function makeRetriesDue(): Promise<void> {
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + MINUTE);
  onTestFinished(() => clock.mockRestore());
  await prisma().$executeRaw`update graphile_worker._private_jobs set run_at = now() where run_at > now()`;
}

it("deleting a site cleans up the connections that serve no other site", async () => {
  const { id, token } = await makeProvenUser();
  const [removedSite, otherSite] = [await makeSite(id), await makeSite(id)];
  const onlyConnection = await makeConnection(id, { siteIds: [removedSite.id] });
  const sharedConnection = await makeConnection(id, { siteIds: [removedSite.id, otherSite.id] });
  await services.stores.telegram.set(`hook:${onlyConnection.remoteKey}`, `${OUR_HOOKS_URL}/telegram/x`);
  const removal = await server.get(`/api/sites/${removedSite.id}/removal`, token);
  expect(removal.json.connections).toEqual([{ id: onlyConnection.id, label: onlyConnection.label }]);
  const { status } = await server.call("DELETE", `/api/sites/${removedSite.id}`, {
    token,
    body: { confirmation: removedSite.domain },
  });
  expect(status).toBe(200);
  await server.runJobs();
  expect((await prisma().connection.findMany({ where: { userId: id } })).map((row) => row.id)).toEqual([
    sharedConnection.id,
  ]);
  expect(services.stores.telegram.entries.has(`hook:${onlyConnection.remoteKey}`)).toBe(false);
  const { json } = await server.get("/api/connection-cleanups", token);
  expect(json.receipts).toMatchObject([{ cause: "site_deleted", counts: { ok: 1, open: 0 } }]);
});

it("removes connections of an unverified account when the owner of its address signs in", async () => {
  const body = buildRegistrationBody();
  const { json: squatter } = await server.post("/api/auth/register", body);
  const { id } = squatter.user;
  const [activeConnection, idleConnection] = [await makeConnection(id), await makeConnection(id)];
  for (const { remoteKey } of [activeConnection, idleConnection])
    await services.stores.telegram.set(`hook:${remoteKey}`, `${OUR_HOOKS_URL}/telegram/x`);
  const items = [{ channel: "telegram", id: idleConnection.id }];
  const cleanupResponse = await server.post(
    "/api/idle-connections/cleanup",
    { items },
    { token: squatter.token },
  );
  expect(cleanupResponse.json.cleaned_count).toBe(1);

  const id_token = identityProvider.signIdToken({ claims: { sub: "owner", email: body.email } });
  const { json: owner } = await server.post("/api/auth/google", { id_token });
  expect(owner.user.id).toBe(id);
  expect(await prisma().connection.count({ where: { userId: id } })).toBe(0);
  expect((await server.get("/api/connection-cleanups", owner.token)).json.receipts).toEqual([]);
  await server.runJobs();
  expect(services.stores.telegram.entries.has(`hook:${activeConnection.remoteKey}`)).toBe(false);
  expect(
    await prisma().teardownTask.findFirst({ orderBy: { id: "desc" }, select: { state: true, sealed: true } }),
  ).toEqual({ state: "done", sealed: null });
});
