import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import { makeConnection, makeReseller, makeUser } from "@/server/testing/factories";
import { createIpAddress, sendHttp } from "@/server/testing/http";
import { startTestServer } from "@/server/testing/server";
import { serveMediaRoute } from "./media";

/* The limits of 300 and 1200 are `missesPerMinute` in hooks.ts, portal-proof.ts and media.ts. */

const { port } = await startTestServer();
const buildOptions = (ip: string, extraHeaders: Record<string, string> = {}) => ({
  headers: { "x-forwarded-for": ip, ...extraHeaders },
});
const owner = await makeUser({ role: "reseller" });
await makeReseller(owner.id);

async function countStatuses(count: number, sendRequest: (index: number) => Promise<{ status: number }>) {
  const responses = await Promise.all(Array.from({ length: count }, (_, index) => sendRequest(index)));
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

it("limits an address that guesses hooks, but not a provider", async () => {
  const secret = "a".repeat(40);
  const hookHash = Uint8Array.from(hashSecret(secret));
  await makeConnection(owner.id, { channel: "whatsapp_qr", connectionType: "evolution", hookHash });
  const [guesser, provider] = [createIpAddress(), createIpAddress()];
  const callHook = (ip: string, path: string) =>
    sendHttp(port, "POST", `/hooks/whatsapp_qr/${path}`, { ...buildOptions(ip), raw: "{}" });
  expect((await callHook(provider, secret)).status).toBe(200);
  expect(await countStatuses(400, (index) => callHook(guesser, `guess-${index}`))).toEqual({
    200: 300,
    429: 100,
  });
  const refusal = await callHook(guesser, "guess");
  expect([refusal.status, Number(refusal.headers["retry-after"]) > 0]).toEqual([429, true]);

  expect(await countStatuses(400, (index) => callHook(provider, `removed-${index}`))).toEqual({
    200: 300,
    429: 100,
  });
  expect(await countStatuses(50, () => callHook(provider, secret))).toEqual({ 200: 50 });
  expect((await callHook(createIpAddress(), secret)).status).toBe(200);
  await prisma().connection.deleteMany({ where: { hookHash } });
  expect((await callHook(provider, secret)).status).toBe(200);
  expect((await callHook(provider, secret)).status).toBe(429);
});

it("counts a wrong signature as a miss, so that it locks out no other caller", async () => {
  const ip = createIpAddress();
  const callHook = () => sendHttp(port, "POST", "/hooks/messenger/app", { ...buildOptions(ip), raw: "{}" });
  expect(await countStatuses(310, callHook)).toEqual({ 401: 300, 429: 10 });
});

it("limits an address that requests the proofs of many hosts", async () => {
  const domain = "panel.reseller.example";
  await prisma().resellerPortal.create({ data: { resellerId: owner.id, domain } });
  const ip = createIpAddress();
  const requestProof = (host: string) =>
    sendHttp(port, "GET", "/.well-known/tellal-portal", buildOptions(ip, { host }));
  expect((await requestProof(domain)).status).toBe(200);
  expect(await countStatuses(310, (index) => requestProof(`h${index}.example`))).toEqual({
    404: 300,
    429: 10,
  });
  expect((await requestProof(domain)).status).toBe(200);
});

it("limits an address that guesses files, on the HTTP server and the route handler", async () => {
  const ip = createIpAddress();
  const buildMediaPath = (index: number) => `/media/f/00${String(index).padStart(24, "A")}/x.png`;
  expect(
    await countStatuses(1210, (index) => sendHttp(port, "GET", buildMediaPath(index), buildOptions(ip))),
  ).toEqual({
    404: 1200,
    429: 10,
  });
  const request = new Request(`http://panel.test${buildMediaPath(0)}`, buildOptions(ip));
  const response = await serveMediaRoute(request);
  expect([response.status, response.headers.has("retry-after")]).toEqual([429, true]);
});
