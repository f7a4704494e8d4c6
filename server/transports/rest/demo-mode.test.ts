import { describe, expect, it } from "vitest";
import { makeProvenUser, makeSubscription, makeToken, makeUser } from "@/server/testing/factories";
import { buildRegistrationBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";

const { call, post } = await startTestServer({ env: { RATE_LIMITS: "", COMMON_PASSWORDS: "" } });

describe("a registration in demo mode", () => {
  const ip = "10.9.9.9";
  const register = (changes: Record<string, unknown>) =>
    post("/api/auth/register", buildRegistrationBody(changes), { ip });

  it.each([
    ["password123", 201],
    ["Test12345", 201],
    ["secret123", 201],
    ["12345678", 201],
    ["qwertyui", 201],
    ["aaaaaaaa", 201],
    ["  spaces  ", 201],
    ["şifre-ğüş", 201],
    ["1234567", 422],
    ["short", 422],
  ])("with the password %j gets %i", async (password, expectedStatus) => {
    const { status } = await register({ password, password_confirmation: password });
    expect(status).toBe(expectedStatus);
  });

  it("is accepted forty times in a row from one address", async () => {
    for (let count = 0; count < 40; count++) expect((await register({})).status).toBe(201);
  });
});

describe("a signed-in caller", () => {
  const tokenPromise = makeUser().then(async ({ id }) => {
    await makeSubscription(id, { slots: 100 });
    return makeToken(id);
  });
  let siteCount = 0;
  const createSite = async (changes: Record<string, unknown>) =>
    post(
      "/api/sites",
      { name: "Kaya", domain: `form-${++siteCount}.example.com`, ...changes },
      { token: await tokenPromise },
    );

  it.each([
    ["#fff", "#ffffff"],
    ["#1aF", "#11aaFF"],
    ["#4f46e5", "#4f46e5"],
    ["#ABCDEF", "#ABCDEF"],
    ["#000", "#000000"],
  ])("stores the colour %s as %s", async (widget_color, stored) => {
    const { status, json } = await createSite({ widget_color });
    expect(status).toBe(201);
    const { json: detail } = await call("GET", `/api/sites/${json.site.id}`, { token: await tokenPromise });
    expect(detail.data.widget_color).toBe(stored);
  });

  it.each(["Bearer", "bearer", "BEARER", "bEaReR"])("signs in with the scheme %s", async (scheme) => {
    const headers = { authorization: `${scheme} ${await tokenPromise}` };
    expect((await call("GET", "/api/user", { headers })).status).toBe(200);
  });

  it("creates more than thirty sites an hour and requests deletion five times", async () => {
    for (let count = 0; count < 31; count++) expect((await createSite({})).status).toBe(201);
    for (let count = 0; count < 5; count++) {
      const { status } = await post("/api/auth/account/delete-request", {}, { token: await tokenPromise });
      expect(status).toBe(200);
    }
  });

  it("may send a wrong current password more than five times", async () => {
    for (let count = 0; count < 8; count++) {
      const body = { current_password: "wrong", password: "another-horse" };
      expect((await call("PUT", "/api/user", { token: await tokenPromise, body })).status).toBe(422);
    }
  });

  it("may omit the content type and send an empty list as an empty object", async () => {
    const body = JSON.stringify({ name: "Adı Yok" });
    const headers = { "content-type": [] as string[] };
    const { status, json } = await call("PUT", "/api/user", {
      token: await tokenPromise,
      raw: body,
      headers,
    });
    expect(status).toBe(200);
    expect(json.user.name).toBe("Adı Yok");
    const { json: registrationJson } = await post(
      "/api/auth/register",
      buildRegistrationBody({ consents: [] }),
    );
    expect(registrationJson.missing_consents).toHaveLength(4);
    const plainTextResponse = await call("PUT", "/api/user", {
      token: await tokenPromise,
      raw: body,
      headers: { "content-type": "text/plain" },
    });
    expect(plainTextResponse.status).toBe(415);
    expect(plainTextResponse.json).toEqual({ message: expect.stringContaining("application/json") });
  });
});

describe("documented limits", () => {
  it("hold in demo mode: ten keys a minute, eight resets per 15 minutes, five failed sign-ins", async () => {
    const { token, ...user } = await makeProvenUser();
    for (let count = 0; count < 10; count++)
      expect((await post("/api/user/tokens", { name: "CI" }, { token })).status).toBe(201);
    expect((await post("/api/user/tokens", { name: "CI" }, { token })).status).toBe(429);

    const ip = "10.9.9.8";
    for (let count = 0; count < 8; count++)
      expect((await post("/api/auth/reset-password", {}, { ip })).status).toBe(422);
    const ninthResponse = await post("/api/auth/reset-password", {}, { ip });
    expect(ninthResponse.status).toBe(429);
    expect(ninthResponse.json).toEqual({ message: "Too Many Attempts." });

    const wrongLogin = { email: user.email, password: "wrong-password" };
    for (let count = 0; count < 5; count++)
      expect((await post("/api/auth/login", wrongLogin, { ip })).status).toBe(401);
    expect((await post("/api/auth/login", wrongLogin, { ip })).status).toBe(429);
  });
});
