import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { burst, countByStatus } from "@/server/testing/burst";
import { makeUser } from "@/server/testing/factories";
import { testServer } from "@/server/testing/server";
import { appointFirst } from "./service/appoint";
import { openSetup } from "./service/token";

const { get, post } = await testServer();

const PASSWORD = "the-first-hour-of-production";
function complete(token: string, email: string, more: object = {}) {
  const body = { token, email, name: "Deniz Yılmaz", password: PASSWORD, password_confirmation: PASSWORD };
  return post("/api/setup", { ...body, ...more });
}

const tokenOfStart = async () => new URL((await openSetup())!).searchParams.get("token")!;
const administrators = () => prisma().user.count({ where: { role: "admin" } });

describe("set-up", () => {
  it("is not needed before a start without an administrator", async () => {
    expect((await get("/api/setup")).json).toEqual({ success: true, needed: false, checks: null });
    expect((await complete("dsf_unknown", "first@example.com")).status).toBe(400);
  });

  it("shows the self-check for the newest token only", async () => {
    const [old, token] = [await tokenOfStart(), await tokenOfStart()];
    expect((await get("/api/setup")).json).toMatchObject({ needed: true, checks: null });
    expect((await get(`/api/setup?token=${old}`)).json).toMatchObject({ needed: true, checks: null });
    const at = new Date().toISOString();
    const { json } = await get(`/api/setup?token=${token}&browser_time=${at}`);
    const lights = Object.fromEntries(
      json.checks.map((row: { name: string; light: string }) => [row.name, row.light]),
    );
    expect(lights).toEqual({
      address: "red",
      https: "red",
      browser_clock: "green",
      database: "green",
      outgoing_mail: "green",
      storage: "green",
      passkeys: "green",
      proxies: "grey",
    });
    expect(json.checks[0].fix).toContain("http://panel.test");
    expect((await complete(old, "first@example.com")).status).toBe(400);
    expect(await administrators()).toBe(0);
  });

  it("keeps its token when a field is invalid or the address is taken", async () => {
    const token = await tokenOfStart();
    const existing = await makeUser();
    const refused = [
      await complete(token, existing.email),
      await complete(token, "first@example.com", { password: "short", password_confirmation: "short" }),
      await complete(token, "first@example.com", { password_confirmation: "another-password" }),
      await complete(token, "first@example.com", {
        password: "password1",
        password_confirmation: "password1",
      }),
    ];
    expect(refused.map(({ status, json }) => [status, Object.keys(json.errors)])).toEqual([
      [422, ["email"]],
      [422, ["password"]],
      [422, ["password_confirmation"]],
      [422, ["password"]],
    ]);
    expect((await get(`/api/setup?token=${token}`)).json.checks).not.toBeNull();
  });

  it("expires after a day", async () => {
    const token = await tokenOfStart();
    const tokenAt = new Date(Date.now() - 24 * 3_600_000 - 1);
    await prisma().setup.update({ where: { id: 1 }, data: { tokenAt } });
    expect((await complete(token, "first@example.com")).status).toBe(400);
  });

  it("creates and signs in one administrator out of fifty concurrent calls", async () => {
    const token = await tokenOfStart();
    const responses = await burst(50, (index) => complete(token, `first${index}@example.com`));
    expect(countByStatus(responses)).toEqual({ 201: 1, 400: 49 });
    expect(await administrators()).toBe(1);
    expect(await prisma().user.count({ where: { email: { startsWith: "first" } } })).toBe(1);
    const { json } = responses.find(({ status }) => status === 201)!;
    expect(json).toMatchObject({ success: true, user: { name: "Deniz Yılmaz", role: "admin" } });
    expect((await get("/api/admin/users", json.token)).status).toBe(200);
    const consents = await get("/api/profile/consents", json.token);
    expect(consents.json).toMatchObject({ missing_consents: [], changed_consents: [], history: [] });
    expect(await prisma().auditEvent.count({ where: { action: "admin.granted_by_setup" } })).toBe(1);
    expect((await get(`/api/setup?token=${token}`)).json).toEqual({
      success: true,
      needed: false,
      checks: null,
    });
    expect((await post("/api/auth/login", { email: json.user.email, password: PASSWORD })).status).toBe(200);
    expect(await openSetup(), "there is an administrator").toBeUndefined();
  });

  it("ends when an administrator is appointed another way", async () => {
    await prisma().user.updateMany({ where: { role: "admin" }, data: { role: "user" } });
    const token = await tokenOfStart();
    await appointFirst({ email: "appointed@example.com" });
    expect((await complete(token, "late@example.com")).status).toBe(400);
    expect(await administrators()).toBe(1);
  });
});
