import { beforeEach, describe, expect, it } from "vitest";
import { fromNow, MINUTE, SECOND } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import { Authenticator, type AuthenticatorDefects } from "@/server/testing/authenticator";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeToken, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { makeTotpFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";
import { PASSKEYS_MAX } from "./contract";
import { buildDecoyCredentialIds } from "./service/ceremony";

const ROUNDS = Number(process.env.BURST_ROUNDS ?? 3);
const server = await startTestServer();
const { post, get, call } = server;

const RELYING_PARTY = { origin: "http://panel.test", rpId: "panel.test" };
const ICLOUD_AAGUID = "fbfc3007-154e-4ecc-8c0b-6e020557d7bd";

beforeEach(() => prisma().rateLimit.deleteMany());

const startLogin = (email?: string) => post("/api/auth/passkey/login/options", email ? { email } : {});
const finishLogin = (credential: unknown, challengeRef: string) =>
  post("/api/auth/passkey/login/verify", { credential, challenge_ref: challengeRef });
const startRegistration = (token: string) =>
  post("/api/profile/passkeys/register/options", undefined, { token });
const finishRegistration = (token: string, credential: unknown, extraFields = {}) =>
  post("/api/profile/passkeys/register/verify", { credential, ...extraFields }, { token });

async function makeProvenToken(userId: number): Promise<string> {
  const token = await makeToken(userId);
  await prisma().accessToken.update({
    where: { tokenHash: Uint8Array.from(hashSecret(token)) },
    data: { provenAt: new Date() },
  });
  return token;
}

async function makeUserWithPasskey(data: Parameters<typeof makeUser>[0] = {}, aaguid?: string) {
  const user = await makeUser(data);
  const token = await makeProvenToken(user.id);
  const device = new Authenticator(RELYING_PARTY, { aaguid });
  const { json } = await finishRegistration(
    token,
    device.create((await startRegistration(token)).json.options),
  );
  return { user, token, device, passkey: json.passkey };
}

async function signIn(device: Authenticator, defects?: AuthenticatorDefects, email?: string) {
  const { json } = await startLogin(email);
  return finishLogin(device.get(json.options, defects), json.challenge_ref);
}

describe("a passkey", () => {
  it("is added with valid options and named after its provider", async () => {
    const user = await makeUser();
    const token = await makeProvenToken(user.id);
    const optionsResponse = await startRegistration(token);
    expect([optionsResponse.status, optionsResponse.json]).toMatchObject([
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
    expect(optionsResponse.json.publicKey).toEqual(optionsResponse.json.options);
    expect(optionsResponse.json.options.user.id).toMatch(/^[\w-]{43}$/);
    const reseller = await makeUser({ role: "reseller" });
    await prisma().brand.create({ data: { userId: reseller.id, productName: "Arslan Panel" } });
    const customer = await makeUser({ resellerId: reseller.id });
    expect((await startRegistration(await makeProvenToken(customer.id))).json.options.rp).toEqual({
      id: "panel.test",
      name: "Arslan Panel",
    });
    const device = new Authenticator(RELYING_PARTY, { aaguid: ICLOUD_AAGUID });
    const { status, json } = await finishRegistration(token, device.create(optionsResponse.json.options));
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
    const secondOptionsResponse = await startRegistration(token);
    expect(secondOptionsResponse.json.options.excludeCredentials).toEqual([
      { id: device.id.toString("base64url"), type: "public-key" },
    ]);
    expect(secondOptionsResponse.json.options.user.id).toBe(optionsResponse.json.options.user.id);
    expect(await deliverAndReadMails(server, user.email, "passkey_added")).toHaveLength(1);
  });

  it("has a default name when authenticator and browser are unknown", async () => {
    const { passkey } = await makeUserWithPasskey();
    expect(passkey).toMatchObject({ device_name: "Geçiş anahtarı", authenticator: null });
  });

  it("signs in with the response of a login, with or without an address", async () => {
    const { user, device } = await makeUserWithPasskey();
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
      expect((await startRegistration(json.token)).status).toBe(200);
    }
  });

  it("needs no second factor", async () => {
    const { user, device } = await makeUserWithPasskey();
    await makeTotpFactor(user.id);
    const { json } = await signIn(device);
    expect(json.token).toMatch(/^dsu_/);
  });

  it("is listed, renamed and deleted by its owner only", async () => {
    const { user, token, passkey, device } = await makeUserWithPasskey();
    const other = await makeUserWithPasskey();
    const path = `/api/profile/passkeys/${passkey.id}`;
    const renameAs = (callerToken: string, name: unknown) =>
      call("PUT", path, { token: callerToken, body: { device_name: name } });
    expect((await renameAs(other.token, "Benim")).status).toBe(403);
    expect((await renameAs(token, "x".repeat(81))).status).toBe(422);
    expect((await renameAs(token, "Ayşe'nin telefonu")).json.passkey.device_name).toBe("Ayşe'nin telefonu");
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
    expect(await deliverAndReadMails(server, user.email, "passkey_removed")).toHaveLength(1);
  });

  it("cannot be deleted when it is the last sign-in method", async () => {
    const { user, token, passkey } = await makeUserWithPasskey();
    await prisma().user.update({ where: { id: user.id }, data: { passwordHash: null } });
    const path = `/api/profile/passkeys/${passkey.id}`;
    const { status, json } = await call("DELETE", path, { token });
    expect({ status, json }).toEqual({ status: 422, json: { success: false, error: expect.any(String) } });
    const secondDevice = new Authenticator(RELYING_PARTY);
    await finishRegistration(token, secondDevice.create((await startRegistration(token)).json.options));
    const passkeyIds = (await get("/api/profile/passkeys", token)).json.passkeys.map(
      ({ id }: { id: string }) => id,
    );
    const responses = await runConcurrently(10, (index) =>
      call("DELETE", `/api/profile/passkeys/${passkeyIds[index % 2]}`, { token }),
    );
    expect(countByStatus(responses)[200]).toBe(1);
    expect((await get("/api/profile/passkeys", token)).json.count).toBe(1);
  });

  it("is added and deleted only with a recent proof by the strongest factor", async () => {
    const { user, passkey } = await makeUserWithPasskey();
    const unprovenToken = await makeToken(user.id);
    const refusedResponse = await startRegistration(unprovenToken);
    expect({ status: refusedResponse.status, methods: refusedResponse.json.methods }).toEqual({
      status: 403,
      methods: ["password", "passkey"],
    });
    expect(
      (await call("DELETE", `/api/profile/passkeys/${passkey.id}`, { token: unprovenToken })).status,
    ).toBe(403);
    await makeTotpFactor(user.id);
    await post(
      "/api/auth/confirm-identity",
      { method: "password", value: "correct-horse" },
      { token: unprovenToken },
    );
    expect((await startRegistration(unprovenToken)).json.methods).toEqual(["totp", "passkey"]);
  });

  it("proves the identity for its own account only", async () => {
    const [{ user, device }, other] = [await makeUserWithPasskey(), await makeUserWithPasskey()];
    const unprovenToken = await makeToken(user.id);
    const prove = async (usedDevice: Authenticator) => {
      const { json } = await post("/api/auth/passkey/login/options", { purpose: "identity" });
      return post(
        "/api/auth/confirm-identity/passkey",
        { credential: usedDevice.get(json.options), challenge_ref: json.challenge_ref },
        { token: unprovenToken },
      );
    };
    expect((await prove(other.device)).status).toBe(401);
    expect((await startRegistration(unprovenToken)).status).toBe(403);
    expect((await prove(device)).status).toBe(200);
    expect((await startRegistration(unprovenToken)).status).toBe(200);
  });

  it("needs a new sign-in to be added to an account without password and passkey", async () => {
    const user = await makeUser();
    await prisma().user.update({ where: { id: user.id }, data: { passwordHash: null } });
    expect((await startRegistration(await makeToken(user.id))).json.methods).toEqual(["sign_in"]);
  });
});

describe("an invalid ceremony", () => {
  const INVALID_ASSERTIONS: [string, AuthenticatorDefects][] = [
    ["another origin", { origin: "http://evil.test" }],
    ["a sub-domain", { origin: "http://sub.panel.test" }],
    ["another port", { origin: "http://panel.test:8080" }],
    ["another scheme", { origin: "https://panel.test" }],
    ["a longer name", { origin: "http://panel.test.evil.test" }],
    ["no origin", { origin: "" }],
    ["the hash of another relying party", { rpId: "evil.test" }],
    ["the type of a registration", { type: "webauthn.create" }],
    ["no presence", { up: false }],
    ["no verification", { uv: false }],
    ["neither presence nor verification", { up: false, uv: false }],
    ["the signature of another key", { usesWrongKey: true }],
    ["another challenge", { challenge: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
    ["no challenge", { challenge: "" }],
  ];
  it.each(INVALID_ASSERTIONS)("does not sign in: %s", async (_, defects) => {
    const { device } = await makeUserWithPasskey();
    const { status, json } = await signIn(device, defects);
    expect({ status, json }).toEqual({ status: 401, json: { success: false, error: expect.any(String) } });
    expect((await signIn(device)).status).toBe(200);
  });

  const INVALID_ATTESTATIONS: [string, AuthenticatorDefects][] = [
    ["another origin", { origin: "http://evil.test" }],
    ["a sub-domain", { origin: "http://sub.panel.test" }],
    ["another port", { origin: "http://panel.test:8080" }],
    ["another scheme", { origin: "https://panel.test" }],
    ["the hash of another relying party", { rpId: "evil.test" }],
    ["the type of a sign-in", { type: "webauthn.get" }],
    ["no presence", { up: false }],
    ["no verification", { uv: false }],
    ["another challenge", { challenge: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
    ["an algorithm that was not requested", { alg: -37 }],
    ["a truncated object", { truncateAt: 40 }],
    ["an object of one byte", { truncateAt: 1 }],
  ];
  it.each(INVALID_ATTESTATIONS)("adds no passkey: %s", async (_, defects) => {
    const user = await makeUser();
    const token = await makeProvenToken(user.id);
    const credential = new Authenticator(RELYING_PARTY).create(
      (await startRegistration(token)).json.options,
      defects,
    );
    const { status, json } = await finishRegistration(token, credential);
    expect({ status, json }).toEqual({ status: 422, json: { success: false, error: expect.any(String) } });
    expect(await prisma().passkey.count({ where: { userId: user.id } })).toBe(0);
  });

  it("returns 422 with the field for a malformed credential", async () => {
    const { device } = await makeUserWithPasskey();
    const { json } = await startLogin();
    const validCredential = device.get(json.options);
    const invalidCredentials: [string, unknown][] = [
      ["credential.id", { ...validCredential, id: "A".repeat(1025), rawId: "A".repeat(1025) }],
      ["credential.id", { ...validCredential, id: "" }],
      ["credential.rawId", { ...validCredential, rawId: "AAAA" }],
      ["credential.rawId", { ...validCredential, rawId: "not base64url!" }],
      ["credential.type", { ...validCredential, type: "password" }],
      ["credential.response", { ...validCredential, response: null }],
      [
        "credential.response.signature",
        { ...validCredential, response: { ...validCredential.response, signature: 1 } },
      ],
      [
        "credential.response.clientDataJSON",
        { ...validCredential, response: { ...validCredential.response, clientDataJSON: "{}" } },
      ],
      ["credential", "credential"],
      ["credential", null],
    ];
    for (const [field, credential] of invalidCredentials) {
      const { status, json: body } = await finishLogin(credential, json.challenge_ref);
      expect(status, field).toBe(422);
      expect(Object.keys(body.errors)[0], field).toEqual(field);
    }
    const longestId = "A".repeat(1023);
    expect(
      (await finishLogin({ ...validCredential, id: longestId, rawId: longestId }, json.challenge_ref)).status,
    ).toBe(401);
    expect((await finishLogin(validCredential, json.challenge_ref)).status).toBe(422);
  });

  it("is refused for a reference that is used, expired, unknown, too long or of another purpose", async () => {
    const { device, token } = await makeUserWithPasskey();
    const ceremony = (await startLogin()).json;
    const assertion = device.get(ceremony.options);
    expect((await finishLogin(assertion, ceremony.challenge_ref)).status).toBe(200);
    const registration = (await startRegistration(token)).json;
    const expiredCeremony = (await startLogin()).json;
    await prisma().passkeyChallenge.update({
      where: { refHash: Uint8Array.from(hashSecret(expiredCeremony.challenge_ref)) },
      data: { expiresAt: fromNow(-SECOND) },
    });
    const refusedResponses = [
      await finishLogin(assertion, ceremony.challenge_ref),
      await finishLogin(device.get(expiredCeremony.options), expiredCeremony.challenge_ref),
      await finishLogin(assertion, "unknown"),
      await finishLogin(assertion, "x".repeat(256)),
      await finishLogin(device.get(registration.options), registration.challenge_ref),
    ];
    for (const { status, json } of refusedResponses)
      expect([status, Object.keys(json.errors)]).toEqual([422, ["challenge_ref"]]);
    const loginCeremony = (await startLogin()).json;
    const credential = new Authenticator(RELYING_PARTY).create({
      challenge: loginCeremony.options.challenge,
      user: { id: "AAAA" },
    });
    expect(
      (await finishRegistration(token, credential, { challenge_ref: loginCeremony.challenge_ref })).status,
    ).toBe(422);
  });

  it("is refused for another account, or an address without passkeys", async () => {
    const [owner, stranger] = [await makeUserWithPasskey(), await makeUserWithPasskey()];
    for (const email of [(await makeUser()).email, "nobody@example.com"]) {
      const { json } = await startLogin(email);
      expect((await finishLogin(stranger.device.get(json.options), json.challenge_ref)).status, email).toBe(
        401,
      );
    }
    const ownersCeremony = (await startLogin(owner.user.email)).json;
    expect(
      (await finishLogin(stranger.device.get(ownersCeremony.options), ownersCeremony.challenge_ref)).status,
    ).toBe(401);
    stranger.device.userHandle = owner.device.userHandle;
    expect((await signIn(stranger.device)).status).toBe(401);
    const ownersRegistration = (await startRegistration(owner.token)).json;
    const credential = new Authenticator(RELYING_PARTY).create(ownersRegistration.options);
    expect(
      (
        await finishRegistration(stranger.token, credential, {
          challenge_ref: ownersRegistration.challenge_ref,
        })
      ).status,
    ).toBe(422);
    const secondRegistration = await finishRegistration(
      stranger.token,
      owner.device.create((await startRegistration(stranger.token)).json.options),
    );
    expect({ status: secondRegistration.status, json: secondRegistration.json }).toEqual({
      status: 422,
      json: { success: false, error: expect.any(String) },
    });
    expect((await get("/api/profile/passkeys", stranger.token)).json.count).toBe(1);
  });
});

describe("the signature counter", () => {
  it("must grow, unless it is always 0 or the passkey is synced; a regression is audited", async () => {
    const { user, device } = await makeUserWithPasskey();
    expect((await signIn(device, { counter: 50 })).status).toBe(200);
    for (const counter of [50, 49, 1, 0]) expect((await signIn(device, { counter })).status).toBe(401);
    expect((await signIn(device, { counter: 51 })).status).toBe(200);
    expect(
      await prisma().auditEvent.count({ where: { actorId: user.id, action: "passkey.counter_regressed" } }),
    ).toBe(4);

    const userWithoutCounter = await makeUser();
    const token = await makeProvenToken(userWithoutCounter.id);
    const zeroCounterDevice = new Authenticator(RELYING_PARTY);
    await finishRegistration(
      token,
      zeroCounterDevice.create((await startRegistration(token)).json.options, { counter: 0 }),
    );
    for (let use = 0; use < 2; use++)
      expect((await signIn(zeroCounterDevice, { counter: 0 })).status).toBe(200);

    const syncedDevice = new Authenticator(RELYING_PARTY);
    await finishRegistration(
      token,
      syncedDevice.create((await startRegistration(token)).json.options, { counter: 9, backedUp: true }),
    );
    expect((await signIn(syncedDevice, { counter: 3, backedUp: true })).status).toBe(200);
  });
});

describe("concurrent requests", () => {
  it("sign in once with the same assertion", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { user, device } = await makeUserWithPasskey();
      await prisma().accessToken.deleteMany({ where: { userId: user.id } });
      const { json } = await startLogin();
      const assertion = device.get(json.options);
      const responses = await runConcurrently(50, () => finishLogin(assertion, json.challenge_ref));
      expect(countByStatus(responses)).toEqual({ 200: 1, 422: 49 });
      expect(await prisma().accessToken.count({ where: { userId: user.id } })).toBe(1);
    }
  });

  it("add the same passkey once", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const user = await makeUser();
      const token = await makeProvenToken(user.id);
      const credential = new Authenticator(RELYING_PARTY).create(
        (await startRegistration(token)).json.options,
      );
      expect(countByStatus(await runConcurrently(50, () => finishRegistration(token, credential)))).toEqual({
        201: 1,
        422: 49,
      });
      expect(await prisma().passkey.count({ where: { userId: user.id } })).toBe(1);
    }
  });

  it("never exceed twenty passkeys", async () => {
    const user = await makeUser();
    const token = await makeProvenToken(user.id);
    const addPasskey = async () => {
      const { json } = await startRegistration(token);
      return finishRegistration(token, new Authenticator(RELYING_PARTY).create(json.options), {
        challenge_ref: json.challenge_ref,
      });
    };
    await runConcurrently(19, addPasskey);
    expect(countByStatus(await runConcurrently(20, addPasskey))).toEqual({ 201: 1, 422: 19 });
    expect((await get("/api/profile/passkeys", token)).json.count).toBe(20);
  });
});

describe("the gates", () => {
  it.each([
    ["unverified address", { emailVerifiedAt: null }, "requires_verification"],
    ["deactivated account", { isActive: false }, "account_disabled"],
    ["both, in the contract's order", { emailVerifiedAt: null, isActive: false }, "requires_verification"],
  ])("refuse a passkey: %s", async (_, data, field) => {
    const { user, device } = await makeUserWithPasskey();
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
    const decoyIdLists = Array.from({ length: 20_000 }, (_, index) =>
      buildDecoyCredentialIds(`a${index}@example.com`),
    );
    const getShare = (count: number) =>
      decoyIdLists.filter((list) => list.length === count).length / decoyIdLists.length;
    for (const [count, expected] of [
      [1, 1 / 2],
      [2, 1 / 4],
      [3, 1 / 8],
      [4, 1 / 16],
    ] as const)
      expect(Math.abs(getShare(count) - expected)).toBeLessThan(0.02);
    for (let count = 1; count <= 9; count++) expect(getShare(count)).toBeGreaterThan(0);
    expect(Math.max(...decoyIdLists.map(({ length }) => length))).toBeLessThanOrEqual(PASSKEYS_MAX);
    const ids = decoyIdLists.flat();
    expect(new Set(ids).size).toBe(ids.length);
    const lengths = new Set(ids.map((id) => Buffer.from(id, "base64url").length));
    expect([...lengths].sort((a, b) => a - b)).toEqual([16, 20, 32, 48, 64]);
    expect(buildDecoyCredentialIds("a1@example.com")).toEqual(decoyIdLists[1]);
  });

  it("look the same with and without passkey or account, and are stable", async () => {
    const { user } = await makeUserWithPasskey();
    const userWithoutPasskey = await makeUser();
    const shapes = new Set<string>();
    for (const email of [user.email, userWithoutPasskey.email, "nobody@example.com"]) {
      const responses = await Promise.all([
        startLogin(email),
        startLogin(email),
        startLogin(` ${email.toUpperCase()} `),
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
    const responses = await runConcurrently(35, () => post("/api/auth/passkey/login/options", {}, { ip }));
    expect(countByStatus(responses)).toEqual({ 200: 30, 429: 5 });
    const storedChallenge = await prisma().passkeyChallenge.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(Math.abs(storedChallenge.expiresAt.getTime() - Date.now() - 5 * MINUTE)).toBeLessThan(20_000);
  });
});
