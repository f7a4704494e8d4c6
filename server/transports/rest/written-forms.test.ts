import { afterAll, describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSubscription, makeToken, makeUser } from "@/server/testing/factories";
import { registration } from "@/server/testing/requests";
import { testServer } from "@/server/testing/server";

/* Spellings that clients send, and what is stored of them, in demo mode: the contract's rules and no others. */

const { call, post } = await testServer({ env: { RATE_LIMITS: "", COMMON_PASSWORDS: "" } });

const table: string[] = [];
afterAll(() => process.stdout.write(`sent and stored:\n${table.join("\n")}\n`));
const note = (what: string, sent: string, kept: string) =>
  table.push(`  ${what.padEnd(10)} ${sent.padEnd(26)} ${kept}`);

describe("registered from one address, without a pause", () => {
  const ip = "10.9.9.9";
  const register = (changes: Record<string, unknown>) =>
    post("/api/auth/register", registration(changes), { ip });

  it.each([
    ["+905321234567", "+905321234567"],
    ["0532 123 45 67", "+905321234567"],
    ["5321234567", "+905321234567"],
    ["(0532) 123-45-67", "+905321234567"],
    ["0090 532 123 45 67", "+905321234567"],
    ["+44 20 7946 0958", "+442079460958"],
    ["+1234567890", "+1234567890"],
    ["555-1234", "555-1234"],
    ["12345", "12345"],
    ["+999.123.456.789", "+999.123.456.789"],
  ])("telephone %s", async (phone, kept) => {
    const { status, json } = await register({ phone });
    expect(status).toBe(201);
    const user = await prisma().user.findUniqueOrThrow({ where: { id: json.user.id } });
    expect(user.phone).toBe(kept);
    note("telephone", phone, user.phone!);
  });

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
  ])("password %j", async (password, expected) => {
    const { status } = await register({ password, password_confirmation: password });
    expect(status).toBe(expected);
    note("password", JSON.stringify(password), expected === 201 ? "accepted" : "422");
  });

  it("forty more times", async () => {
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
  ])("colour %s", async (widget_color, kept) => {
    const { status, json } = await create({ widget_color });
    expect(status).toBe(201);
    const { json: detail } = await call("GET", `/api/sites/${json.site.id}`, { token: await seller });
    expect(detail.data.widget_color).toBe(kept);
    note("colour", widget_color, kept);
  });

  it.each(["Bearer", "bearer", "BEARER", "bEaReR"])("scheme %s", async (scheme) => {
    const headers = { authorization: `${scheme} ${await seller}` };
    expect((await call("GET", "/api/user", { headers })).status).toBe(200);
    note("scheme", scheme, "200");
  });

  it("names a site with 255 characters, and not with 256", async () => {
    expect((await create({ name: "a".repeat(255) })).json.site.name).toHaveLength(255);
    expect(Object.keys((await create({ name: "a".repeat(256) })).json.errors)).toEqual(["name"]);
  });

  it("creates more than thirty sites in an hour, and asks five times to be deleted", async () => {
    for (let count = 0; count < 31; count++) expect((await create({})).status).toBe(201);
    for (let count = 0; count < 5; count++) {
      const { status } = await post("/api/auth/account/delete-request", {}, { token: await seller });
      expect(status).toBe(200);
    }
  });

  it("may mistype the current password more than five times", async () => {
    for (let count = 0; count < 8; count++) {
      const body = { current_password: "wrong", password: "another-horse" };
      expect((await call("PUT", "/api/user", { token: await seller, body })).json.error).toEqual(
        expect.any(String),
      );
    }
  });

  it("sends JSON without saying so, and an empty list for an empty map", async () => {
    const body = JSON.stringify({ name: "Adı Yok" });
    const headers = { "content-type": [] as string[] };
    const { status, json } = await call("PUT", "/api/user", { token: await seller, raw: body, headers });
    expect([status, json.user.name]).toEqual([200, "Adı Yok"]);
    const { json: missing } = await post("/api/auth/register", registration({ consents: [] }));
    expect(missing.missing_consents).toHaveLength(4);
    const plain = await call("PUT", "/api/user", {
      token: await seller,
      raw: body,
      headers: { "content-type": "text/plain" },
    });
    expect([plain.status, plain.json]).toEqual([
      415,
      { message: expect.stringContaining("application/json") },
    ]);
  });
});

describe("limits that the contract names", () => {
  it("stay as they are: ten keys a minute, eight resets in a quarter of an hour, five failed sign-ins", async () => {
    const user = await makeUser();
    const token = await makeToken(user.id, { provenAt: new Date() });
    for (let count = 0; count < 10; count++)
      expect((await post("/api/user/tokens", { name: "CI" }, { token })).status).toBe(201);
    expect((await post("/api/user/tokens", { name: "CI" }, { token })).status).toBe(429);

    const ip = "10.9.9.8";
    for (let count = 0; count < 8; count++)
      expect((await post("/api/auth/reset-password", {}, { ip })).status).toBe(422);
    const ninth = await post("/api/auth/reset-password", {}, { ip });
    expect([ninth.status, ninth.json]).toEqual([429, { message: "Too Many Attempts." }]);

    const wrong = { email: user.email, password: "wrong-password" };
    for (let count = 0; count < 5; count++)
      expect((await post("/api/auth/login", wrong, { ip })).status).toBe(401);
    expect((await post("/api/auth/login", wrong, { ip })).status).toBe(429);
  });
});
