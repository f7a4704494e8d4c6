import { beforeEach, describe, expect, it } from "vitest";
import { fromNow, MINUTE, SECOND } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { digest } from "@/server/infrastructure/secrets/tokens";
import { Authenticator, type AuthenticatorDefects } from "@/server/testing/authenticator";
import { burst, countByStatus } from "@/server/testing/burst";
import { makeToken, makeUser } from "@/server/testing/factories";
import { mailsTo } from "@/server/testing/mailbox";
import { makeTotp } from "@/server/testing/second-factor";
import { testServer } from "@/server/testing/server";
import { PASSKEYS_MAX } from "./contract";
import { decoyCredentialIds } from "./service/ceremony";

const ROUNDS = Number(process.env.BURST_ROUNDS ?? 3);
const server = await testServer();
const { post, get, call } = server;

const SITE = { origin: "http://panel.test", rpId: "panel.test" };
const ICLOUD = "fbfc3007-154e-4ecc-8c0b-6e020557d7bd";

beforeEach(() => prisma().rateLimit.deleteMany());

const options = (email?: string) => post("/api/auth/passkey/login/options", email ? { email } : {});
const verify = (credential: unknown, ref: string) =>
  post("/api/auth/passkey/login/verify", { credential, challenge_ref: ref });
const creation = (token: string) => post("/api/profile/passkeys/register/options", undefined, { token });
const register = (token: string, credential: unknown, more = {}) =>
  post("/api/profile/passkeys/register/verify", { credential, ...more }, { token });

/** A token with a recent proof of identity. */
async function freshToken(userId: number): Promise<string> {
  const token = await makeToken(userId);
  await prisma().accessToken.update({
    where: { tokenHash: Uint8Array.from(digest(token)) },
    data: { provenAt: new Date() },
  });
  return token;
}

async function withPasskey(data: Parameters<typeof makeUser>[0] = {}, aaguid?: string) {
  const user = await makeUser(data);
  const token = await freshToken(user.id);
  const device = new Authenticator(SITE, { aaguid });
  const { json } = await register(token, device.create((await creation(token)).json.options));
  return { user, token, device, passkey: json.passkey };
}

async function signIn(device: Authenticator, spoil?: AuthenticatorDefects, email?: string) {
  const { json } = await options(email);
  return verify(device.get(json.options, spoil), json.challenge_ref);
}

describe("a passkey", () => {
  it("is added with valid options and named after its provider", async () => {
    const user = await makeUser();
    const token = await freshToken(user.id);
    const ceremony = await creation(token);
    expect([ceremony.status, ceremony.json]).toMatchObject([
      200,
      {
        success: true,
        expires_in: 300,
        options: {
          rp: { id: "panel.test", name: "Tellal" },
          user: { name: user.email, displayName: user.name },
          authenticatorSelection: { residentKey: "required", userVerification: "required" },
          excludeCredentials: [],
        },
      },
    ]);
    expect(ceremony.json.publicKey).toEqual(ceremony.json.options);
    expect(ceremony.json.options.user.id).toMatch(/^[\w-]{43}$/);
    const reseller = await makeUser({ role: "reseller" });
    await prisma().brand.create({ data: { userId: reseller.id, productName: "Arslan Panel" } });
    const customer = await makeUser({ resellerId: reseller.id });
    expect((await creation(await freshToken(customer.id))).json.options.rp).toEqual({
      id: "panel.test",
      name: "Arslan Panel",
    });
    const device = new Authenticator(SITE, { aaguid: ICLOUD });
    const { status, json } = await register(token, device.create(ceremony.json.options));
    expect([status, json]).toMatchObject([
      201,
      {
        success: true,
        passkey: {
          id: expect.stringMatching(/^[0-9A-Z]{26}$/),
          device_name: "iCloud Keychain",
          authenticator: "iCloud Keychain",
          backed_up: false,
          transports: ["internal"],
          last_used_at: null,
        },
      },
    ]);
    const second = await creation(token);
    expect(second.json.options.excludeCredentials).toEqual([
      { id: device.id.toString("base64url"), type: "public-key" },
    ]);
    expect(second.json.options.user.id).toBe(ceremony.json.options.user.id);
    expect(await mailsTo(server, user.email, "passkey_added")).toHaveLength(1);
  });

  it("has a default name when provider and browser are unknown", async () => {
    const { passkey } = await withPasskey();
    expect(passkey).toMatchObject({ device_name: "Geçiş anahtarı", authenticator: null });
  });

  it("signs in with the response of a login, with or without an address", async () => {
    const { user, device } = await withPasskey();
    for (const email of [undefined, user.email.toUpperCase()]) {
      const { status, json } = await signIn(device, undefined, email);
      expect([status, json]).toMatchObject([
        200,
        {
          success: true,
          user: { id: user.id, email: user.email },
          token: expect.stringMatching(/^dsu_/),
          modules: ["appointment", "saas"],
        },
      ]);
      expect((await get("/api/user", json.token)).status).toBe(200);
      // A sign-in with a passkey is a proof of identity.
      expect((await creation(json.token)).status).toBe(200);
    }
  });

  it("needs no second factor", async () => {
    const { user, device } = await withPasskey();
    await makeTotp(user.id);
    const { json } = await signIn(device);
    expect(json.token).toMatch(/^dsu_/);
  });

  it("is listed, renamed and deleted by its owner only", async () => {
    const { user, token, passkey, device } = await withPasskey();
    const other = await withPasskey();
    const path = `/api/profile/passkeys/${passkey.id}`;
    const put = (by: string, name: unknown) => call("PUT", path, { token: by, body: { device_name: name } });
    expect((await put(other.token, "Benim")).status).toBe(403);
    expect((await put(token, "x".repeat(81))).status).toBe(422);
    expect((await put(token, "Ayşe'nin telefonu")).json.passkey.device_name).toBe("Ayşe'nin telefonu");
    const { json } = await get("/api/profile/passkeys", token);
    expect(json).toMatchObject({
      count: 1,
      passkeys: [{ id: passkey.id, device_name: "Ayşe'nin telefonu" }],
    });
    expect(json.data).toEqual(json.passkeys);
    expect((await call("DELETE", path, { token: other.token })).status).toBe(403);
    expect((await signIn(device)).status).toBe(200);
    expect((await call("DELETE", path, { token })).status).toBe(200);
    expect((await call("DELETE", path, { token })).status).toBe(404);
    expect((await signIn(device)).status).toBe(401);
    expect(await mailsTo(server, user.email, "passkey_removed")).toHaveLength(1);
  });

  it("cannot be deleted when it is the last sign-in method", async () => {
    const { user, token, passkey } = await withPasskey();
    await prisma().user.update({ where: { id: user.id }, data: { passwordHash: null } });
    const path = `/api/profile/passkeys/${passkey.id}`;
    const { status, json } = await call("DELETE", path, { token });
    expect({ status, json }).toEqual({ status: 422, json: { success: false, error: expect.any(String) } });
    const second = new Authenticator(SITE);
    await register(token, second.create((await creation(token)).json.options));
    const both = (await get("/api/profile/passkeys", token)).json.passkeys.map(
      ({ id }: { id: string }) => id,
    );
    const responses = await burst(10, (index) =>
      call("DELETE", `/api/profile/passkeys/${both[index % 2]}`, { token }),
    );
    expect(countByStatus(responses)[200]).toBe(1);
    expect((await get("/api/profile/passkeys", token)).json.count).toBe(1);
  });

  it("is added and deleted only with a recent proof by the strongest factor", async () => {
    const { user, passkey } = await withPasskey();
    const stale = await makeToken(user.id);
    const refused = await creation(stale);
    expect({ status: refused.status, methods: refused.json.methods }).toEqual({
      status: 403,
      methods: ["password", "passkey"],
    });
    expect((await call("DELETE", `/api/profile/passkeys/${passkey.id}`, { token: stale })).status).toBe(403);
    await makeTotp(user.id);
    await post(
      "/api/auth/confirm-identity",
      { method: "password", value: "correct-horse" },
      { token: stale },
    );
    expect((await creation(stale)).json.methods).toEqual(["totp", "passkey"]);
  });

  it("proves the identity for its own account only", async () => {
    const [{ user, device }, other] = [await withPasskey(), await withPasskey()];
    const stale = await makeToken(user.id);
    const prove = async (by: Authenticator) => {
      const { json } = await post("/api/auth/passkey/login/options", { purpose: "identity" });
      return post(
        "/api/auth/confirm-identity/passkey",
        { credential: by.get(json.options), challenge_ref: json.challenge_ref },
        { token: stale },
      );
    };
    expect((await prove(other.device)).status).toBe(401);
    expect((await creation(stale)).status).toBe(403);
    expect((await prove(device)).status).toBe(200);
    expect((await creation(stale)).status).toBe(200);
  });

  it("needs a new sign-in to be added to an account without password and passkey", async () => {
    const user = await makeUser();
    await prisma().user.update({ where: { id: user.id }, data: { passwordHash: null } });
    expect((await creation(await makeToken(user.id))).json.methods).toEqual(["sign_in"]);
  });
});

describe("an invalid ceremony", () => {
  const assertions: [string, AuthenticatorDefects][] = [
    ["another origin", { origin: "http://evil.test" }],
    ["a sub-domain", { origin: "http://sub.panel.test" }],
    ["another port", { origin: "http://panel.test:8080" }],
    ["another scheme", { origin: "https://panel.test" }],
    ["a longer name", { origin: "http://panel.test.evil.test" }],
    ["no origin", { origin: "" }],
    ["the hash of another party", { rpId: "evil.test" }],
    ["the type of a registration", { type: "webauthn.create" }],
    ["no presence", { up: false }],
    ["no verification", { uv: false }],
    ["neither", { up: false, uv: false }],
    ["the signature of another key", { usesWrongKey: true }],
    ["another challenge", { challenge: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
    ["no challenge", { challenge: "" }],
  ];
  it.each(assertions)("does not sign in: %s", async (_, spoil) => {
    const { device } = await withPasskey();
    const { status, json } = await signIn(device, spoil);
    expect({ status, json }).toEqual({ status: 401, json: { success: false, error: expect.any(String) } });
    expect((await signIn(device)).status).toBe(200);
  });

  const attestations: [string, AuthenticatorDefects][] = [
    ["another origin", { origin: "http://evil.test" }],
    ["a sub-domain", { origin: "http://sub.panel.test" }],
    ["another port", { origin: "http://panel.test:8080" }],
    ["another scheme", { origin: "https://panel.test" }],
    ["the hash of another party", { rpId: "evil.test" }],
    ["the type of a sign-in", { type: "webauthn.get" }],
    ["no presence", { up: false }],
    ["no verification", { uv: false }],
    ["another challenge", { challenge: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
    ["an algorithm nobody asked for", { alg: -37 }],
    ["an object that is cut", { truncateAt: 40 }],
    ["an object of one byte", { truncateAt: 1 }],
  ];
  it.each(attestations)("adds no passkey: %s", async (_, spoil) => {
    const user = await makeUser();
    const token = await freshToken(user.id);
    const credential = new Authenticator(SITE).create((await creation(token)).json.options, spoil);
    const { status, json } = await register(token, credential);
    expect({ status, json }).toEqual({ status: 422, json: { success: false, error: expect.any(String) } });
    expect(await prisma().passkey.count({ where: { userId: user.id } })).toBe(0);
  });

  it("returns 422 with the field for a malformed credential", async () => {
    const { device } = await withPasskey();
    const { json } = await options();
    const right = device.get(json.options);
    const wrong: [string, unknown][] = [
      ["credential.id", { ...right, id: "A".repeat(1025), rawId: "A".repeat(1025) }],
      ["credential.id", { ...right, id: "" }],
      ["credential.rawId", { ...right, rawId: "AAAA" }],
      ["credential.rawId", { ...right, rawId: "not base64url!" }],
      ["credential.type", { ...right, type: "password" }],
      ["credential.response", { ...right, response: null }],
      ["credential.response.signature", { ...right, response: { ...right.response, signature: 1 } }],
      [
        "credential.response.clientDataJSON",
        { ...right, response: { ...right.response, clientDataJSON: "{}" } },
      ],
      ["credential", "credential"],
      ["credential", null],
    ];
    for (const [field, credential] of wrong) {
      const { status, json: body } = await verify(credential, json.challenge_ref);
      expect(status, field).toBe(422);
      expect(Object.keys(body.errors)[0], field).toEqual(field);
    }
    const long = "A".repeat(1023);
    expect((await verify({ ...right, id: long, rawId: long }, json.challenge_ref)).status).toBe(401);
    expect((await verify(right, json.challenge_ref)).status).toBe(422);
  });

  it("is refused for a reference that is used, expired, unknown, too long or of another purpose", async () => {
    const { device, token } = await withPasskey();
    const ceremony = (await options()).json;
    const assertion = device.get(ceremony.options);
    expect((await verify(assertion, ceremony.challenge_ref)).status).toBe(200);
    const added = (await creation(token)).json;
    const late = (await options()).json;
    await prisma().passkeyChallenge.update({
      where: { refHash: Uint8Array.from(digest(late.challenge_ref)) },
      data: { expiresAt: fromNow(-SECOND) },
    });
    const refused = [
      await verify(assertion, ceremony.challenge_ref),
      await verify(device.get(late.options), late.challenge_ref),
      await verify(assertion, "unknown"),
      await verify(assertion, "x".repeat(256)),
      await verify(device.get(added.options), added.challenge_ref),
    ];
    for (const { status, json } of refused)
      expect([status, Object.keys(json.errors)]).toEqual([422, ["challenge_ref"]]);
    const login = (await options()).json;
    const credential = new Authenticator(SITE).create({
      challenge: login.options.challenge,
      user: { id: "AAAA" },
    });
    expect((await register(token, credential, { challenge_ref: login.challenge_ref })).status).toBe(422);
  });

  it("is refused for another account, or an address without passkeys", async () => {
    const [a, b] = [await withPasskey(), await withPasskey()];
    for (const email of [(await makeUser()).email, "nobody@example.com"]) {
      const { json } = await options(email);
      expect((await verify(b.device.get(json.options), json.challenge_ref)).status, email).toBe(401);
    }
    const forA = (await options(a.user.email)).json;
    expect((await verify(b.device.get(forA.options), forA.challenge_ref)).status).toBe(401);
    b.device.userHandle = a.device.userHandle;
    expect((await signIn(b.device)).status).toBe(401);
    const ceremonyOfA = (await creation(a.token)).json;
    const credential = new Authenticator(SITE).create(ceremonyOfA.options);
    expect((await register(b.token, credential, { challenge_ref: ceremonyOfA.challenge_ref })).status).toBe(
      422,
    );
    const again = await register(b.token, a.device.create((await creation(b.token)).json.options));
    expect({ status: again.status, json: again.json }).toEqual({
      status: 422,
      json: { success: false, error: expect.any(String) },
    });
    expect((await get("/api/profile/passkeys", b.token)).json.count).toBe(1);
  });
});

describe("the counter", () => {
  it("must grow, unless it is always 0 or the passkey is synced; a regression is audited", async () => {
    const { user, device } = await withPasskey();
    expect((await signIn(device, { counter: 50 })).status).toBe(200);
    for (const counter of [50, 49, 1, 0]) expect((await signIn(device, { counter })).status).toBe(401);
    expect((await signIn(device, { counter: 51 })).status).toBe(200);
    expect(
      await prisma().auditEvent.count({ where: { actorId: user.id, action: "passkey.counter_regressed" } }),
    ).toBe(4);

    const zero = await makeUser();
    const token = await freshToken(zero.id);
    const still = new Authenticator(SITE);
    await register(token, still.create((await creation(token)).json.options, { counter: 0 }));
    for (let use = 0; use < 2; use++) expect((await signIn(still, { counter: 0 })).status).toBe(200);

    const synced = new Authenticator(SITE);
    await register(
      token,
      synced.create((await creation(token)).json.options, { counter: 9, backedUp: true }),
    );
    expect((await signIn(synced, { counter: 3, backedUp: true })).status).toBe(200);
  });
});

describe("concurrent requests", () => {
  it("sign in once with the same assertion", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { user, device } = await withPasskey();
      await prisma().accessToken.deleteMany({ where: { userId: user.id } });
      const { json } = await options();
      const assertion = device.get(json.options);
      const responses = await burst(50, () => verify(assertion, json.challenge_ref));
      expect(countByStatus(responses)).toEqual({ 200: 1, 422: 49 });
      expect(await prisma().accessToken.count({ where: { userId: user.id } })).toBe(1);
    }
  });

  it("add the same passkey once", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const user = await makeUser();
      const token = await freshToken(user.id);
      const credential = new Authenticator(SITE).create((await creation(token)).json.options);
      expect(countByStatus(await burst(50, () => register(token, credential)))).toEqual({ 201: 1, 422: 49 });
      expect(await prisma().passkey.count({ where: { userId: user.id } })).toBe(1);
    }
  });

  it("never exceed twenty passkeys", async () => {
    const user = await makeUser();
    const token = await freshToken(user.id);
    const add = async () => {
      const { json } = await creation(token);
      return register(token, new Authenticator(SITE).create(json.options), {
        challenge_ref: json.challenge_ref,
      });
    };
    await burst(19, add);
    expect(countByStatus(await burst(20, add))).toEqual({ 201: 1, 422: 19 });
    expect((await get("/api/profile/passkeys", token)).json.count).toBe(20);
  });
});

describe("the gates", () => {
  it.each([
    ["unverified address", { emailVerifiedAt: null }, "requires_verification"],
    ["passive account", { isActive: false }, "account_disabled"],
    ["both, in the contract's order", { emailVerifiedAt: null, isActive: false }, "requires_verification"],
  ])("refuse a passkey: %s", async (_, data, field) => {
    const { user, device } = await withPasskey();
    await prisma().user.update({ where: { id: user.id }, data });
    await prisma().accessToken.deleteMany({ where: { userId: user.id } });
    const { status, json } = await signIn(device);
    expect(status).toBe(403);
    expect(json[field]).toBe(true);
    expect(await prisma().accessToken.count({ where: { userId: user.id } })).toBe(0);
  });
});

describe("options of a sign-in", () => {
  it("have made-up credentials in plausible numbers and lengths", () => {
    const lists = Array.from({ length: 20_000 }, (_, index) => decoyCredentialIds(`a${index}@example.com`));
    const share = (count: number) => lists.filter((list) => list.length === count).length / lists.length;
    for (const [count, expected] of [
      [1, 1 / 2],
      [2, 1 / 4],
      [3, 1 / 8],
      [4, 1 / 16],
    ] as const)
      expect(Math.abs(share(count) - expected)).toBeLessThan(0.02);
    for (let count = 1; count <= 9; count++) expect(share(count)).toBeGreaterThan(0);
    expect(Math.max(...lists.map(({ length }) => length))).toBeLessThanOrEqual(PASSKEYS_MAX);
    const ids = lists.flat();
    expect(new Set(ids).size).toBe(ids.length);
    const lengths = new Set(ids.map((id) => Buffer.from(id, "base64url").length));
    expect([...lengths].sort((a, b) => a - b)).toEqual([16, 20, 32, 48, 64]);
    expect(decoyCredentialIds("a1@example.com")).toEqual(lists[1]);
  });

  it("look the same with and without passkey or account, and are stable", async () => {
    const { user } = await withPasskey();
    const without = await makeUser();
    const shapes = new Set<string>();
    for (const email of [user.email, without.email, "nobody@example.com"]) {
      const responses = await Promise.all([
        options(email),
        options(email),
        options(` ${email.toUpperCase()} `),
      ]);
      const lists = responses.map(({ json }) => JSON.stringify(json.options.allowCredentials));
      expect(new Set(lists).size).toBe(1);
      const { json } = responses[0]!;
      expect(json.options.allowCredentials.length).toBeGreaterThan(0);
      for (const { id } of json.options.allowCredentials) expect([22, 27, 43, 64, 86]).toContain(id.length);
      shapes.add(
        JSON.stringify([
          responses[0]!.status,
          Object.keys(json),
          Object.keys(json.options),
          Object.keys(json.options.allowCredentials[0]),
        ]),
      );
    }
    expect(shapes.size).toBe(1);
  });

  it("are empty without an address and refuse an invalid one", async () => {
    for (const body of [undefined, {}, { email: null }, { email: "" }]) {
      const { status, json } = await post("/api/auth/passkey/login/options", body);
      expect({ status, allowCredentials: json.options.allowCredentials }).toEqual({
        status: 200,
        allowCredentials: [],
      });
      expect(json.options).toMatchObject({
        rpId: "panel.test",
        userVerification: "required",
        timeout: 300_000,
      });
    }
    for (const email of ["nobody", `${"a".repeat(250)}@x.com`, 1])
      expect((await post("/api/auth/passkey/login/options", { email })).status).toBe(422);
  });

  it("are limited to 30 a minute and expire after five minutes", async () => {
    const ip = "198.51.100.7";
    const responses = await burst(35, () => post("/api/auth/passkey/login/options", {}, { ip }));
    expect(countByStatus(responses)).toEqual({ 200: 30, 429: 5 });
    const row = await prisma().passkeyChallenge.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(Math.abs(row.expiresAt.getTime() - Date.now() - 5 * MINUTE)).toBeLessThan(20_000);
  });
});
