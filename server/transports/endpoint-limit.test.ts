import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { digest } from "@/server/infrastructure/secrets/tokens";
import { makeConnection, makeReseller, makeUser } from "@/server/testing/factories";
import { newIpAddress, send } from "@/server/testing/http";
import { testServer } from "@/server/testing/server";
import { mediaRoute } from "./media";

const { port } = await testServer();
const from = (ip: string, more: Record<string, string> = {}) => ({
  headers: { "x-forwarded-for": ip, ...more },
});
const owner = await makeUser({ role: "reseller" });
await makeReseller(owner.id);

async function tally(count: number, one: (at: number) => Promise<{ status: number }>) {
  const all = await Promise.all(Array.from({ length: count }, (_, at) => one(at)));
  const counts: Record<number, number> = {};
  for (const { status } of all) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

it("limits an address that guesses hooks, but not a provider", async () => {
  const secret = "a".repeat(40);
  const hookHash = Uint8Array.from(digest(secret));
  await makeConnection(owner.id, { channel: "whatsapp_qr", connectionType: "evolution", hookHash });
  const [guesser, provider] = [newIpAddress(), newIpAddress()];
  const call = (ip: string, path: string) =>
    send(port, "POST", `/hooks/whatsapp_qr/${path}`, { ...from(ip), raw: "{}" });
  expect((await call(provider, secret)).status).toBe(200);
  expect(await tally(400, (at) => call(guesser, `guess-${at}`))).toEqual({ 200: 300, 429: 100 });
  const refused = await call(guesser, "guess");
  expect([refused.status, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true]);

  expect(await tally(400, (at) => call(provider, `removed-${at}`))).toEqual({ 200: 300, 429: 100 });
  expect(await tally(50, () => call(provider, secret))).toEqual({ 200: 50 });
  expect((await call(newIpAddress(), secret)).status).toBe(200);
  await prisma().connection.deleteMany({ where: { hookHash } });
  expect((await call(provider, secret)).status).toBe(200);
  expect((await call(provider, secret)).status).toBe(429);
});

it("counts a wrong signature as a miss, so that it locks out no other caller", async () => {
  const ip = newIpAddress();
  const call = () => send(port, "POST", "/hooks/messenger/app", { ...from(ip), raw: "{}" });
  expect(await tally(310, call)).toEqual({ 401: 300, 429: 10 });
});

it("limits an address that requests the proofs of many hosts", async () => {
  const domain = "panel.reseller.example";
  await prisma().resellerPortal.create({ data: { resellerId: owner.id, domain } });
  const ip = newIpAddress();
  const request = (host: string) => send(port, "GET", "/.well-known/tellal-portal", from(ip, { host }));
  expect((await request(domain)).status).toBe(200);
  expect(await tally(310, (at) => request(`h${at}.example`))).toEqual({ 404: 300, 429: 10 });
  expect((await request(domain)).status).toBe(200);
});

it("limits an address that guesses files, on the HTTP server and the route handler", async () => {
  const ip = newIpAddress();
  const path = (at: number) => `/media/f/00${String(at).padStart(24, "A")}/x.png`;
  expect(await tally(1210, (at) => send(port, "GET", path(at), from(ip)))).toEqual({ 404: 1200, 429: 10 });
  const request = new Request(`http://panel.test${path(0)}`, from(ip));
  const response = await mediaRoute(request);
  expect([response.status, response.headers.has("retry-after")]).toEqual([429, true]);
});
