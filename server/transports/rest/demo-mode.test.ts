import { describe, expect, it } from "vitest";
import { makeProvenUser, makeSubscription, makeToken, makeUser } from "@/server/testing/factories";
import { registrationBody } from "@/server/testing/requests";
import { testServer } from "@/server/testing/server";

const { call, post } = await testServer({ env: { RATE_LIMITS: "", COMMON_PASSWORDS: "" } });

describe("demo mode accepts registrations from one address", () => {
  const ip = "10.9.9.9";
  const register = (changes: Record<string, unknown>) =>
    post("/api/auth/register", registrationBody(changes), { ip });

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
  ])("with the password %j: %i", async (password, expected) => {
    const { status } = await register({ password, password_confirmation: password });
    expect(status).toBe(expected);
  });

  it("forty times in a row", async () => {
    for (let count = 0; count < 40; count++) expect((await register({})).status).toBe(201);
  });
});

describe("a signed-in caller", () => {
  const seller = makeUser().then(async ({ id }) => {
    await makeSubscription(id, { slots: 100 });
    return makeToken(id);
  });
  let sites = 0;
  const create = async (changes: Record<string, unknown>) =>
    post(
      "/api/sites",
      { name: "Kaya", domain: `form-${++sites}.example.com`, ...changes },
      { token: await seller },
    );

  it.each([
    ["#fff", "#ffffff"],
    ["#1aF", "#11aaFF"],
    ["#4f46e5", "#4f46e5"],
    ["#ABCDEF", "#ABCDEF"],
    ["#000", "#000000"],
  ])("stores the colour %s as %s", async (widget_color, stored) => {
    const { status, json } = await create({ widget_color });
    expect(status).toBe(201);
    const { json: detail } = await call("GET", `/api/sites/${json.site.id}`, { token: await seller });
    expect(detail.data.widget_color).toBe(stored);
  });

  it.each(["Bearer", "bearer", "BEARER", "bEaReR"])("signs in with the scheme %s", async (scheme) => {
    const headers = { authorization: `${scheme} ${await seller}` };
    expect((await call("GET", "/api/user", { headers })).status).toBe(200);
  });

  it("creates more than thirty sites an hour and requests deletion five times", async () => {
    for (let count = 0; count < 31; count++) expect((await create({})).status).toBe(201);
    for (let count = 0; count < 5; count++) {
      const { status } = await post("/api/auth/account/delete-request", {}, { token: await seller });
      expect(status).toBe(200);
    }
  });

  it("may send a wrong current password more than five times", async () => {
    for (let count = 0; count < 8; count++) {
      const body = { current_password: "wrong", password: "another-horse" };
      expect((await call("PUT", "/api/user", { token: await seller, body })).status).toBe(422);
    }
  });

  it("may omit the content type and send an empty list as an empty object", async () => {
    const body = JSON.stringify({ name: "Adı Yok" });
    const headers = { "content-type": [] as string[] };
    const { status, json } = await call("PUT", "/api/user", { token: await seller, raw: body, headers });
    expect(status).toBe(200);
    expect(json.user.name).toBe("Adı Yok");
    const { json: missing } = await post("/api/auth/register", registrationBody({ consents: [] }));
    expect(missing.missing_consents).toHaveLength(4);
    const plain = await call("PUT", "/api/user", {
      token: await seller,
      raw: body,
      headers: { "content-type": "text/plain" },
    });
    expect(plain.status).toBe(415);
    expect(plain.json).toEqual({ message: expect.stringContaining("application/json") });
  });
});

describe("limits that the contract names", () => {
  it("hold in demo mode: ten keys a minute, eight resets per 15 minutes, five failed sign-ins", async () => {
    const { token, ...user } = await makeProvenUser();
    for (let count = 0; count < 10; count++)
      expect((await post("/api/user/tokens", { name: "CI" }, { token })).status).toBe(201);
    expect((await post("/api/user/tokens", { name: "CI" }, { token })).status).toBe(429);

    const ip = "10.9.9.8";
    for (let count = 0; count < 8; count++)
      expect((await post("/api/auth/reset-password", {}, { ip })).status).toBe(422);
    const ninth = await post("/api/auth/reset-password", {}, { ip });
    expect(ninth.status).toBe(429);
    expect(ninth.json).toEqual({ message: "Too Many Attempts." });

    const wrong = { email: user.email, password: "wrong-password" };
    for (let count = 0; count < 5; count++)
      expect((await post("/api/auth/login", wrong, { ip })).status).toBe(401);
    expect((await post("/api/auth/login", wrong, { ip })).status).toBe(429);
  });
});
