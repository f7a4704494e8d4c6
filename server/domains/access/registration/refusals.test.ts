import { beforeEach, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeToken, makeUser } from "@/server/testing/factories";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { buildRegistrationBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";
import { deleteOldRefusalsJob } from "./jobs";

const { call, get, post } = await startTestServer();
beforeEach(() => resetRateLimits());

const adminToken = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
const register = (email: string, ip: string, extraFields: object = {}) =>
  post("/api/auth/register", buildRegistrationBody({ email, ...extraFields }), { ip });
const listRefusals = async () => (await get("/api/admin/sign-up-refusals", adminToken)).json.data;

it("stores the domain of a refused sign-up, not the address, and accepts it once allowed", async () => {
  expect((await register("someone@mailinator.com", "198.51.100.1")).status).toBe(422);
  expect((await register("other@mailinator.com", "198.51.100.2")).status).toBe(422);
  expect((await register("bot@example.com", "198.51.100.3", { company_fax: "1" })).status).toBe(422);
  expect(await listRefusals()).toMatchObject([
    { domain: "example.com", reason: "honeypot", attempts: 1, networks: 1, allowed: false },
    { domain: "mailinator.com", reason: "disposable", attempts: 2, networks: 2, allowed: false },
  ]);
  const storedRowsJson = JSON.stringify(await prisma().signUpRefusal.findMany());
  expect(storedRowsJson).not.toMatch(/someone|198\.51/);

  const body = { allowed_domains: ["@Mailinator.com", "mailinator.com"] };
  expect((await call("PUT", "/api/admin/settings", { token: adminToken, body })).status).toBe(200);
  expect((await register("someone@mailinator.com", "198.51.100.1")).status).toBe(201);
  expect((await register("third@mailinator.com", "198.51.100.2", { company_fax: "1" })).status).toBe(422);
  expect(
    (await listRefusals()).find(({ reason }: { reason: string }) => reason === "disposable").allowed,
  ).toBe(true);
});

it("deletes a refused domain after 30 days", async () => {
  await prisma().signUpRefusal.updateMany({
    where: { domain: "mailinator.com" },
    data: { at: new Date(Date.now() - 31 * 86_400_000) },
  });
  await deleteOldRefusalsJob();
  expect((await listRefusals()).map(({ domain }: { domain: string }) => domain)).toEqual(["example.com"]);
});
