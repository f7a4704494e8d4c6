import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { MINUTE } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { fakeIdentityProvider } from "@/server/testing/external-servers";
import { makeConnection, makeProvenUser, makeSignedInUser, makeSite } from "@/server/testing/factories";
import { resetLimits } from "@/server/testing/limits";
import { registrationBody } from "@/server/testing/requests";
import { fakeServices } from "@/server/testing/sandboxes";
import { testServer } from "@/server/testing/server";
import { makeWhatsappNumbers } from "@/server/testing/whatsapp";

const peer = await fakeServices();
const idp = await fakeIdentityProvider();
const server = await testServer({ env: { ...peer.env, ...idp.env, RATE_LIMITS: "relaxed" } });
beforeEach(async () => {
  await resetLimits();
  peer.faults.length = 0;
  peer.calls.length = 0;
});

const OURS = "http://panel.test/hooks";

async function makeEightConnections(userId: number, waba: string) {
  for (let index = 0; index < 6; index++) {
    const { remoteKey } = await makeConnection(userId);
    await peer.stores.telegram.set(`hook:${remoteKey}`, `${OURS}/telegram/x`);
  }
  await makeWhatsappNumbers(peer, userId, { waba, count: 2 });
}

const countHooks = () =>
  [...peer.stores.telegram.all.values(), ...peer.stores.meta.all.values()].filter((value) =>
    JSON.stringify(value).includes(OURS),
  ).length;

it("deletes an account immediately while providers are down, and cleans up when they return", async () => {
  const { id, token } = await makeSignedInUser();
  await makeEightConnections(id, "9001");
  const forecast = await server.get("/api/user/deletion", token);
  expect(forecast.json.summary.connections).toBe(8);
  const secrets = await prisma().connection.findMany({ select: { secretSealed: true } });
  expect(secrets.every(({ secretSealed }) => secretSealed)).toBe(true);
  peer.faults.push({ match: /./, times: 1000, response: { status: 503, body: {} } });
  const { status, json } = await server.post(
    "/api/auth/account/confirm-delete",
    { confirmation: "SİL" },
    { token },
  );
  expect({ status, channels: json.channels }).toEqual({ status: 200, channels: { cleaned: 0, pending: 8 } });
  expect((await server.get("/api/user", token)).status).toBe(401);
  expect(await prisma().user.count({ where: { id } })).toBe(0);
  expect(await prisma().connection.count()).toBe(0);
  const certificate = async () => {
    const path = `/api/deletion-certificates/${json.certificate_id}?code=${json.certificate_code}`;
    return (await server.get(path)).json.certificate;
  };
  expect((await certificate()).topics).toContainEqual({ topic: "connections", rule: "delete", count: 8 });
  expect((await certificate()).outside).toEqual({ done: 0, pending: 8, failed: 0 });
  await server.work();
  expect(countHooks()).toBe(8);
  expect(await prisma().teardownTask.count({ where: { state: "pending", sealed: { not: null } } })).toBe(8);

  peer.faults.length = 0;
  await retryNow();
  await server.work();
  expect(countHooks()).toBe(0);
  expect(await peer.stores.meta.get("apps:9001")).toEqual(["9"]);
  const tasks = await prisma().teardownTask.findMany({ select: { state: true, sealed: true } });
  expect(tasks).toEqual(Array.from({ length: 8 }, () => ({ state: "done", sealed: null })));
  expect((await certificate()).outside).toEqual({ done: 8, pending: 0, failed: 0 });
});

/** Makes waiting jobs due and skips the half minute pause after a failed host. */
async function retryNow(): Promise<void> {
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + MINUTE);
  onTestFinished(() => clock.mockRestore());
  await prisma().$executeRaw`update graphile_worker._private_jobs set run_at = now() where run_at > now()`;
}

it("cleans up connections whose last site is deleted, keeps those of other sites", async () => {
  const { id, token } = await makeProvenUser();
  const [site, other] = [await makeSite(id), await makeSite(id)];
  const alone = await makeConnection(id, { siteIds: [site.id] });
  const both = await makeConnection(id, { siteIds: [site.id, other.id] });
  await peer.stores.telegram.set(`hook:${alone.remoteKey}`, `${OURS}/telegram/x`);
  const removal = await server.get(`/api/sites/${site.id}/removal`, token);
  expect(removal.json.connections).toEqual([{ id: alone.id, label: alone.label }]);
  const { status } = await server.call("DELETE", `/api/sites/${site.id}`, {
    token,
    body: { confirmation: site.domain },
  });
  expect(status).toBe(200);
  await server.work();
  expect((await prisma().connection.findMany({ where: { userId: id } })).map((row) => row.id)).toEqual([
    both.id,
  ]);
  expect(peer.stores.telegram.all.has(`hook:${alone.remoteKey}`)).toBe(false);
  const { json } = await server.get("/api/connection-cleanups", token);
  expect(json.receipts).toMatchObject([{ cause: "site_deleted", counts: { ok: 1, open: 0 } }]);
});

it("removes a squatter's connections when the owner proves the address", async () => {
  const body = registrationBody();
  const { json: squatter } = await server.post("/api/auth/register", body);
  const { id } = squatter.user;
  const [active, idle] = [await makeConnection(id), await makeConnection(id)];
  for (const { remoteKey } of [active, idle])
    await peer.stores.telegram.set(`hook:${remoteKey}`, `${OURS}/telegram/x`);
  const items = [{ channel: "telegram", id: idle.id }];
  const cleaned = await server.post("/api/idle-connections/cleanup", { items }, { token: squatter.token });
  expect(cleaned.json.cleaned_count).toBe(1);

  const id_token = idp.sign({ claims: { sub: "owner", email: body.email } });
  const { json: owner } = await server.post("/api/auth/google", { id_token });
  expect(owner.user.id).toBe(id);
  expect(await prisma().connection.count({ where: { userId: id } })).toBe(0);
  expect((await server.get("/api/connection-cleanups", owner.token)).json.receipts).toEqual([]);
  await server.work();
  expect(peer.stores.telegram.all.has(`hook:${active.remoteKey}`)).toBe(false);
  expect(
    await prisma().teardownTask.findFirst({ orderBy: { id: "desc" }, select: { state: true, sealed: true } }),
  ).toEqual({ state: "done", sealed: null });
});
