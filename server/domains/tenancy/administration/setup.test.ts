import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";
import { appointFirstAdministrator } from "./service/appoint";
import { issueSetupUrl } from "./service/setup-token";

const { get, post } = await startTestServer();

const PASSWORD = "the-first-hour-of-production";
function completeSetup(token: string, email: string, extraFields: object = {}) {
  const body = { token, email, name: "Deniz Yılmaz", password: PASSWORD, password_confirmation: PASSWORD };
  return post("/api/setup", { ...body, ...extraFields });
}

const issueSetupToken = async () => new URL((await issueSetupUrl())!).searchParams.get("token")!;
const countAdministrators = () => prisma().user.count({ where: { role: "admin" } });

describe("set-up", () => {
  it("is not needed until the server starts without an administrator", async () => {
    expect((await get("/api/setup")).json).toEqual({ success: true, needed: false, checks: null });
    expect((await completeSetup("dsf_unknown", "first@example.com")).status).toBe(400);
  });

  it("shows the self-check only with the newest token", async () => {
    const [oldToken, token] = [await issueSetupToken(), await issueSetupToken()];
    expect((await get("/api/setup")).json).toMatchObject({ needed: true, checks: null });
    expect((await get(`/api/setup?token=${oldToken}`)).json).toMatchObject({ needed: true, checks: null });
    const browserTime = new Date().toISOString();
    const { json } = await get(`/api/setup?token=${token}&browser_time=${browserTime}`);
    const lightByCheck = Object.fromEntries(
      json.checks.map((row: { name: string; light: string }) => [row.name, row.light]),
    );
    expect(lightByCheck).toEqual({
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
    expect((await completeSetup(oldToken, "first@example.com")).status).toBe(400);
    expect(await countAdministrators()).toBe(0);
  });

  it("keeps its token when a field is invalid or the address is taken", async () => {
    const token = await issueSetupToken();
    const existingUser = await makeUser();
    const responses = [
      await completeSetup(token, existingUser.email),
      await completeSetup(token, "first@example.com", { password: "short", password_confirmation: "short" }),
      await completeSetup(token, "first@example.com", { password_confirmation: "another-password" }),
      await completeSetup(token, "first@example.com", {
        password: "password1",
        password_confirmation: "password1",
      }),
    ];
    expect(responses.map(({ status, json }) => [status, Object.keys(json.errors)])).toEqual([
      [422, ["email"]],
      [422, ["password"]],
      [422, ["password_confirmation"]],
      [422, ["password"]],
    ]);
    expect((await get(`/api/setup?token=${token}`)).json.checks).not.toBeNull();
  });

  it("expires after a day", async () => {
    const token = await issueSetupToken();
    const tokenAt = new Date(Date.now() - 24 * 3_600_000 - 1);
    await prisma().setup.update({ where: { id: 1 }, data: { tokenAt } });
    expect((await completeSetup(token, "first@example.com")).status).toBe(400);
  });

  it("creates and signs in one administrator out of fifty concurrent calls", async () => {
    const token = await issueSetupToken();
    const responses = await runConcurrently(50, (index) => completeSetup(token, `first${index}@example.com`));
    expect(countByStatus(responses)).toEqual({ 201: 1, 400: 49 });
    expect(await countAdministrators()).toBe(1);
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
    expect(await issueSetupUrl(), "there is an administrator").toBeUndefined();
  });

  it("ends when an administrator is appointed another way", async () => {
    await prisma().user.updateMany({ where: { role: "admin" }, data: { role: "user" } });
    const token = await issueSetupToken();
    await appointFirstAdministrator({ email: "appointed@example.com" });
    expect((await completeSetup(token, "late@example.com")).status).toBe(400);
    expect(await countAdministrators()).toBe(1);
  });
});
