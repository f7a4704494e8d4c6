import { describe, expect, it } from "vitest";
import { archiveReaders as auditArchive } from "@/server/domains/accounts/audit/export";
import { archiveReaders as consentArchive } from "@/server/domains/accounts/consents/export";
import { verifyConsentLedger } from "@/server/domains/accounts/consents/service/ledger";
import { listAccountRelations } from "@/server/domains/accounts/users/statements";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { seal, unseal } from "@/server/infrastructure/secrets/seal";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { startFakeIdentityProvider } from "@/server/testing/external-servers";
import {
  makeSignedInUser,
  makeSite,
  makeSubscription,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { countRows } from "@/server/testing/hostile-values";
import { createIpAddress } from "@/server/testing/http";
import type { TokenChanges } from "@/server/testing/identity-provider";
import { buildRegistrationBody } from "@/server/testing/requests";
import { makeMissingRows } from "@/server/testing/rows";
import { makeTotpFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";
import { deleteExpiredIdTokensJob } from "./jobs";

const ROUNDS = Number(process.env.BURST_ROUNDS ?? 3);
const identityProvider = await startFakeIdentityProvider();
const { get, post, call, runJobs } = await startTestServer({ env: identityProvider.env });

const MANDATORY_CONSENTS = ["terms", "privacy", "yurtdisi", "cagri_kayit"];
const allConsents = Object.fromEntries(MANDATORY_CONSENTS.map((key) => [key, true]));

const postGoogleToken = (id_token: string, body: object = {}) =>
  post("/api/auth/google", { id_token, ...body });
const postAppleToken = (id_token: string, body: object = {}) =>
  post("/api/auth/apple", { id_token, ...body });
const signInWithGoogle = (claims: TokenChanges["claims"] = {}, body: object = {}) =>
  postGoogleToken(identityProvider.signIdToken({ claims }), body);

let lastPersonNumber = 0;
const newClaims = () => {
  const personNumber = ++lastPersonNumber;
  return { sub: `person-${personNumber}`, email: `person.${personNumber}@example.com` };
};

describe("a new account", () => {
  it("is verified, with 1000 credits, provider and consents, as documented", async () => {
    const claims = { ...newClaims(), picture: "https://pictures.example.com/a.png" };
    const { status, json } = await signInWithGoogle(claims, {
      consents: { ...allConsents, marketing: false },
    });
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      user: {
        id: expect.any(Number),
        name: "Zeynep Ak",
        email: claims.email,
        avatar_url: claims.picture,
        role: "user",
        provider: "google",
        email_verified_at: expect.stringMatching(/Z$/),
      },
      token: expect.stringMatching(/^dsu_/),
      modules: ["appointment", "saas"],
    });
    const user = await prisma().user.findUniqueOrThrow({
      where: { id: json.user.id },
      include: { creditEntries: true, consents: { orderBy: { id: "asc" } }, identities: true },
    });
    expect(user).toMatchObject({ credits: 1000, passwordHash: null });
    expect(user.creditEntries.map(({ amount, reason }) => [amount, reason])).toEqual([[1000, "welcome"]]);
    expect(user.consents.map(({ key, granted, source }) => [key, granted, source])).toEqual([
      ...MANDATORY_CONSENTS.map((key) => [key, true, "provider"]),
      ["marketing", false, "provider"],
    ]);
    expect(user.identities).toMatchObject([
      {
        provider: "google",
        issuer: identityProvider.url,
        subject: claims.sub,
        email: claims.email,
        grantSealed: null,
      },
    ]);
    expect((await get("/api/auth/user", json.token)).json.user.email).toBe(claims.email);
  });

  it("is found again at the next sign-in, which ignores the given consents", async () => {
    const claims = newClaims();
    const firstSignIn = await signInWithGoogle(claims);
    const secondSignIn = await signInWithGoogle(claims, { consents: allConsents });
    expect({ status: secondSignIn.status, user: secondSignIn.json.user }).toEqual({
      status: 200,
      user: firstSignIn.json.user,
    });
    expect(secondSignIn.json.consents_required).toEqual(MANDATORY_CONSENTS);
    expect(await prisma().consentRecord.count({ where: { userId: firstSignIn.json.user.id } })).toBe(0);
  });

  it("always gets a name, and a picture only from an https URL", async () => {
    const claims = newClaims();
    const { json } = await signInWithGoogle({
      ...claims,
      name: undefined,
      picture: "http://plain.example.com/a.png",
    });
    expect({ name: json.user.name, avatar_url: json.user.avatar_url }).toEqual({
      name: claims.email.split("@")[0],
      avatar_url: null,
    });
    expect(
      (await signInWithGoogle({ ...newClaims(), picture: "javascript:alert(1)" })).json.user.avatar_url,
    ).toBeNull();
    const appleSignIn = await postAppleToken(
      identityProvider.signIdToken({ claims: { ...newClaims(), name: undefined } }),
      {
        name: "Işıl Çağlar",
      },
    );
    expect(appleSignIn).toMatchObject({ json: { user: { name: "Işıl Çağlar", provider: "apple" } } });
    const laterSignIn = await signInWithGoogle({ ...claims, name: "Somebody Else" });
    expect(laterSignIn.json.user.name).toBe(json.user.name);
  });

  it("is opened once in a burst of 20 tokens", async () => {
    const claims = newClaims();
    const responses = await runConcurrently(20, () => signInWithGoogle(claims));
    expect(countByStatus(responses)).toEqual({ 200: 20 });
    expect(new Set(responses.map(({ json }) => json.user.id)).size).toBe(1);
    expect(await prisma().creditEntry.count({ where: { userId: responses[0]!.json.user.id } })).toBe(1);
  });

  it("is not opened for a refused token", async () => {
    const rowCountsBefore = await countRows();
    for (const claims of [{ email_verified: false }, { email: undefined }, { aud: "another" }, { exp: 1 }])
      await signInWithGoogle({ ...newClaims(), ...claims });
    expect(await countRows()).toEqual(rowCountsBefore);
  });
});

describe("a provider sign-in", () => {
  it("returns 422 for a missing token or a name that is too long", async () => {
    for (const response of [
      await postGoogleToken(""),
      await post("/api/auth/google", {}),
      await post("/api/auth/apple"),
    ]) {
      expect(response.status).toBe(422);
      expect(Object.keys(response.json.errors)).toEqual(["id_token"]);
    }
    const longNameResponse = await postAppleToken(identityProvider.signIdToken(), { name: "a".repeat(256) });
    expect(longNameResponse.status).toBe(422);
    expect(Object.keys(longNameResponse.json.errors)).toEqual(["name"]);
    expect((await postAppleToken(identityProvider.signIdToken(), { name: "a".repeat(255) })).status).toBe(
      200,
    );
  });

  it.each([
    [true, 200],
    ["true", 200],
    [false, 403],
    ["false", 403],
    [1, 403],
    [0, 403],
    [null, 403],
    [undefined, 403],
  ])("with the claim email_verified %j returns %i", async (email_verified, expectedStatus) => {
    const { status, json } = await signInWithGoogle({ email_verified });
    expect(status).toBe(expectedStatus);
    if (expectedStatus !== 200) expect(json).toEqual({ success: false, error: expect.any(String) });
  });

  it.each([undefined, null, "", 7, "no address", ["a@example.com"]])(
    "returns 422 for the e-mail %j",
    async (email) => {
      const { status, json } = await signInWithGoogle({ email });
      expect({ status, json }).toEqual({ status: 422, json: { success: false, error: expect.any(String) } });
    },
  );

  it("is limited to 20 a minute per client", async () => {
    const ip = createIpAddress();
    const responses = await runConcurrently(25, () => post("/api/auth/apple", { id_token: "x" }, { ip }));
    expect(countByStatus(responses)).toEqual({ 401: 20, 429: 5 });
  });
});

describe("an id_token", () => {
  const nowInSeconds = () => Math.floor(Date.now() / 1000);
  const { rsa, ec, stranger: unknownKey } = identityProvider.keys;
  const pem = identityProvider.rsaPublicKey.export({ type: "spki", format: "pem" }).toString();
  const jwk = identityProvider.rsaPublicKey.export({ format: "jwk" });
  const attackerUrl = `${identityProvider.url}/evil`;
  const signValidToken = () => identityProvider.signIdToken();
  const getPart = (token: string, index: number) => token.split(".")[index]!;
  const buildUnsignedToken = (alg: string) => {
    const header = Buffer.from(JSON.stringify({ alg, typ: "JWT" })).toString("base64url");
    return `${header}.${getPart(signValidToken(), 1)}.`;
  };

  const FORGED_TOKENS: Array<[string, () => string]> = [
    ["alg none", () => buildUnsignedToken("none")],
    ["alg nOnE", () => buildUnsignedToken("nOnE")],
    [
      "HS256 with the public key as PEM",
      () => identityProvider.signIdToken({ header: { alg: "HS256" }, key: pem }),
    ],
    [
      "HS256 with the public key as JWK",
      () => identityProvider.signIdToken({ header: { alg: "HS256" }, key: JSON.stringify(jwk) }),
    ],
    ["HS256 with an empty key", () => identityProvider.signIdToken({ header: { alg: "HS256" }, key: "" })],
    ["another key under a known name", () => identityProvider.signIdToken({ key: unknownKey })],
    ["an unknown key name", () => identityProvider.signIdToken({ header: { kid: "nobody" } })],
    ["no key name", () => identityProvider.signIdToken({ header: { kid: undefined } })],
    ["a key name of another type", () => identityProvider.signIdToken({ header: { kid: ["rsa"] } })],
    ["the EC key under RS256", () => identityProvider.signIdToken({ header: { kid: "ec" } })],
    ["the RSA key under ES256", () => identityProvider.signIdToken({ header: { alg: "ES256" } })],
    [
      "ES256 by the RSA key's name",
      () => identityProvider.signIdToken({ header: { alg: "ES256" }, key: ec }),
    ],
    ["RS384", () => identityProvider.signIdToken({ header: { alg: "RS384" } })],
    ["PS256", () => identityProvider.signIdToken({ header: { alg: "PS256" } })],
    [
      "a key of its own in the header",
      () => identityProvider.signIdToken({ header: { jwk: { ...jwk, kid: "rsa" } } }),
    ],
    ["a URL of keys (jku)", () => identityProvider.signIdToken({ header: { jku: `${attackerUrl}/jku` } })],
    [
      "a URL of certificates (x5u)",
      () => identityProvider.signIdToken({ header: { x5u: `${attackerUrl}/x5u` } }),
    ],
    ["certificates (x5c)", () => identityProvider.signIdToken({ header: { x5c: ["AAAA"] } })],
    ["a critical extension", () => identityProvider.signIdToken({ header: { crit: ["exp"] } })],
    ["an unencoded payload", () => identityProvider.signIdToken({ header: { b64: false, crit: ["b64"] } })],
    ["another type", () => identityProvider.signIdToken({ header: { typ: "at+jwt" } })],
    ["a nested JWT", () => identityProvider.signIdToken({ header: { cty: "JWT" } })],
    [
      "an issuer that is not configured",
      () => identityProvider.signIdToken({ claims: { iss: "https://accounts.google.com" } }),
    ],
    [
      "an issuer with a slash",
      () => identityProvider.signIdToken({ claims: { iss: `${identityProvider.url}/` } }),
    ],
    ["no issuer", () => identityProvider.signIdToken({ claims: { iss: undefined } })],
    ["issuers as a list", () => identityProvider.signIdToken({ claims: { iss: [identityProvider.url] } })],
    ["a URL as issuer", () => identityProvider.signIdToken({ claims: { iss: `${attackerUrl}/iss` } })],
    ["another audience", () => identityProvider.signIdToken({ claims: { aud: "another.apps.test" } })],
    ["no audience", () => identityProvider.signIdToken({ claims: { aud: undefined } })],
    ["an empty audience", () => identityProvider.signIdToken({ claims: { aud: [] } })],
    [
      "another party in the audience",
      () => identityProvider.signIdToken({ claims: { aud: [identityProvider.clientId, "another"] } }),
    ],
    [
      "an audience of ours for another party",
      () => identityProvider.signIdToken({ claims: { aud: [identityProvider.clientId], azp: "another" } }),
    ],
    [
      "an authorized party of another type",
      () => identityProvider.signIdToken({ claims: { azp: [identityProvider.clientId] } }),
    ],
    ["no expiry", () => identityProvider.signIdToken({ claims: { exp: undefined } })],
    ["an expiry that is no number", () => identityProvider.signIdToken({ claims: { exp: "tomorrow" } })],
    [
      "an expiry an hour ago",
      () =>
        identityProvider.signIdToken({ claims: { exp: nowInSeconds() - 3600, iat: nowInSeconds() - 300 } }),
    ],
    [
      "an expiry 61 seconds ago",
      () => identityProvider.signIdToken({ claims: { exp: nowInSeconds() - 61, iat: nowInSeconds() - 300 } }),
    ],
    [
      "valid only in two minutes",
      () => identityProvider.signIdToken({ claims: { nbf: nowInSeconds() + 120 } }),
    ],
    ["no time of issue", () => identityProvider.signIdToken({ claims: { iat: undefined } })],
    ["issued in two minutes", () => identityProvider.signIdToken({ claims: { iat: nowInSeconds() + 120 } })],
    [
      "issued twelve minutes ago",
      () => identityProvider.signIdToken({ claims: { iat: nowInSeconds() - 720 } }),
    ],
    ["no subject", () => identityProvider.signIdToken({ claims: { sub: undefined } })],
    ["an empty subject", () => identityProvider.signIdToken({ claims: { sub: "" } })],
    ["a subject that is a number", () => identityProvider.signIdToken({ claims: { sub: 7 } })],
    ["no signature", () => `${signValidToken().split(".").slice(0, 2).join(".")}.`],
    ["no third part", () => signValidToken().split(".").slice(0, 2).join(".")],
    ["a truncated signature", () => signValidToken().slice(0, -8)],
    [
      "a signature of another token",
      () => [...signValidToken().split(".").slice(0, 2), getPart(signValidToken(), 2)].join("."),
    ],
    [
      "a payload of another token",
      () =>
        [getPart(signValidToken(), 0), getPart(signValidToken(), 1), getPart(signValidToken(), 2)].join("."),
    ],
    ["five parts", () => `${signValidToken()}.AAAA.AAAA`],
    [
      "a payload that is no JSON",
      () => `${getPart(signValidToken(), 0)}.AAAA.${getPart(signValidToken(), 2)}`,
    ],
    ["plain text", () => "not a token"],
  ];

  it.each(FORGED_TOKENS)("is refused: %s", async (_, forge) => {
    const attackerRequestsBefore = identityProvider.requestedPaths.filter((path) =>
      path.startsWith("/evil"),
    ).length;
    const { status, json } = await postGoogleToken(forge());
    expect({ status, json }).toEqual({ status: 401, json: { success: false, error: expect.any(String) } });
    expect(identityProvider.requestedPaths.filter((path) => path.startsWith("/evil")).length).toBe(
      attackerRequestsBefore,
    );
  });

  it("is accepted in every valid form", async () => {
    const validChanges: TokenChanges[] = [
      { header: { kid: "ec", alg: "ES256" }, key: ec },
      { header: { typ: undefined } },
      { claims: { aud: [identityProvider.clientId] } },
      { claims: { aud: [identityProvider.clientId], azp: "tellal.android.test" } },
      { claims: { aud: "tellal.android.test" } },
      { claims: { iat: nowInSeconds() + 30 } },
      { claims: { iat: nowInSeconds() - 560 } },
      { claims: { nbf: nowInSeconds() - 5 }, key: rsa },
    ];
    for (const changes of validChanges)
      expect(
        (await postGoogleToken(identityProvider.signIdToken(changes))).status,
        JSON.stringify(changes),
      ).toBe(200);
  });

  it("triggers at most one fetch of keys a minute for unknown key names", async () => {
    const requestCountBefore = identityProvider.requestedPaths.length;
    const responses = await runConcurrently(200, (index) =>
      postGoogleToken(identityProvider.signIdToken({ header: { kid: `kid-${index}` }, key: unknownKey })),
    );
    expect(countByStatus(responses)).toEqual({ 401: 200 });
    expect(identityProvider.requestedPaths.length - requestCountBefore).toBeLessThanOrEqual(2);
  });

  it("works once, even in a burst, at another provider and with another encoding of its signature", async () => {
    const token = identityProvider.signIdToken();
    expect((await postGoogleToken(token)).status).toBe(200);
    expect((await postGoogleToken(token)).status).toBe(401);
    expect((await postAppleToken(token)).status).toBe(401);
    for (let round = 0; round < ROUNDS; round++) {
      const burstToken = identityProvider.signIdToken();
      expect(countByStatus(await runConcurrently(50, () => postGoogleToken(burstToken)))).toEqual({
        200: 1,
        401: 49,
      });
    }
    const ecToken = identityProvider.signIdToken({ header: { kid: "ec", alg: "ES256" }, key: ec });
    expect((await postGoogleToken(ecToken)).status).toBe(200);
    expect((await postGoogleToken(reencodeSignature(ecToken))).status).toBe(401);
  });

  it("must contain the nonce of the app, plain or hashed", async () => {
    const hashedNonce = hashSecret("a-nonce").toString("hex");
    const getStatus = async (claim: unknown, nonce?: string) =>
      (await postAppleToken(identityProvider.signIdToken({ claims: { nonce: claim } }), { nonce })).status;
    expect([await getStatus(hashedNonce, "a-nonce"), await getStatus("a-nonce", "a-nonce")]).toEqual([
      200, 200,
    ]);
    expect([await getStatus(hashedNonce, "other"), await getStatus(undefined, "a-nonce")]).toEqual([
      401, 401,
    ]);
    expect(await getStatus(hashedNonce)).toBe(200);
  });
});

/** Returns the other valid signature of an EC key: s becomes n - s. */
function reencodeSignature(token: string): string {
  const [header, body, signature] = token.split(".");
  const bytes = Buffer.from(signature!, "base64url");
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const invertedS = order - BigInt(`0x${bytes.subarray(32).toString("hex")}`);
  const signatureBytes = Buffer.concat([
    bytes.subarray(0, 32),
    Buffer.from(invertedS.toString(16).padStart(64, "0"), "hex"),
  ]);
  return [header, body, signatureBytes.toString("base64url")].join(".");
}

describe("an existing account", () => {
  it("is linked by its verified address and stays unchanged, and its owner is mailed", async () => {
    const user = await makeUser();
    const claims = { sub: `linked-${user.id}`, email: user.email.toUpperCase() };
    const { status, json } = await signInWithGoogle(claims, { consents: { marketing: true } });
    expect({ status, id: json.user.id, provider: json.user.provider }).toEqual({
      status: 200,
      id: user.id,
      provider: "email",
    });
    expect(json).not.toHaveProperty("consents_required");
    expect((await post("/api/auth/login", { email: user.email, password: "correct-horse" })).status).toBe(
      200,
    );
    const mails = await prisma().mailMessage.findMany({ where: { userId: user.id } });
    expect(mails.map(({ template }) => template)).toEqual(["identity_connected"]);
    expect(await prisma().consentRecord.count({ where: { userId: user.id } })).toBe(0);
  });

  it("is identified by provider, issuer and subject; addresses never merge accounts", async () => {
    const claims = newClaims();
    const accountId = (await signInWithGoogle(claims)).json.user.id;
    const otherProviderSignIn = await postAppleToken(identityProvider.signIdToken({ claims }));
    expect({ status: otherProviderSignIn.status, json: otherProviderSignIn.json }).toEqual({
      status: 403,
      json: { success: false, error: expect.any(String) },
    });
    const otherAddressSignIn = await postAppleToken(
      identityProvider.signIdToken({ claims: { ...claims, email: newClaims().email } }),
    );
    expect(otherAddressSignIn.json.user.id).not.toBe(accountId);
    expect((await signInWithGoogle({ ...claims, sub: "recycled" })).status).toBe(403);
    const signInAfterMove = await signInWithGoogle({ ...claims, email: newClaims().email });
    expect({ id: signInAfterMove.json.user.id, email: signInAfterMove.json.user.email }).toEqual({
      id: accountId,
      email: claims.email,
    });
    const otherUser = await makeUser();
    const conflictingSignIn = await signInWithGoogle({ ...claims, email: otherUser.email });
    expect(conflictingSignIn.json.user.id).toBe(accountId);
    expect(
      await prisma().externalIdentity.count({ where: { userId: { in: [accountId, otherUser.id] } } }),
    ).toBe(1);
  });

  it.each([
    (email: string) => email.replace("@", "＠"),
    (email: string) => email.replace("a", "ａ"),
    (email: string) => email.replace("example.com", "exam\u00adple.com"),
    (email: string) => email.replace("example.com", "example.com."),
    (email: string) => email.replace("example.com", "ｅxample.com"),
    (email: string) => ` ${email}`,
    (email: string) => email.replace("k", "\u212a"),
  ])("is not linked by an unusual spelling of its address: %s", async (respell) => {
    const owner = await makeUser({ email: `a.k.${newClaims().email}` });
    const email = respell(owner.email);
    const { status, json } = await signInWithGoogle({ ...newClaims(), email });
    expect({ status, json }).toEqual({ status: 422, json: { success: false, error: expect.any(String) } });
    expect(await prisma().externalIdentity.count({ where: { userId: owner.id } })).toBe(0);
  });

  it.each([
    ["a.B@Example.COM", "a.b@example.com"],
    ["a.c@örnek.com", "a.c@xn--rnek-4qa.com"],
    ["a.d@xn--rnek-4qa.com", "a.d@örnek.com"],
  ])("is linked by %s to the account of %s", async (email, accountEmail) => {
    const owner = await makeUser({ email: accountEmail });
    const { status, json } = await signInWithGoogle({ ...newClaims(), email });
    expect(status).toBe(200);
    expect(json.user?.id).toEqual(owner.id);
  });

  it("keeps its former address reserved while the change can be undone", async () => {
    const user = await makeUser({ emailVerifiedAt: null });
    const oldEmail = newClaims().email;
    await prisma().emailChange.create({
      data: {
        userId: user.id,
        oldEmail,
        oldEmailKey: oldEmail,
        oldVerified: new Date(),
        newEmail: user.email,
        newEmailKey: user.email,
        tokenHash: Uint8Array.from(hashSecret(createToken("dsc"))),
        appliedAt: new Date(),
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    expect((await signInWithGoogle({ email: oldEmail })).status).toBe(403);
    expect(await prisma().user.count({ where: { email: oldEmail } })).toBe(0);
    expect((await signInWithGoogle({ email: user.email })).status).toBe(403);
  });

  it("is stopped by the gates: deactivation, second factor, unverified new address", async () => {
    const deactivatedUser = await makeUser({ isActive: false });
    const refusedResponse = await signInWithGoogle({ email: deactivatedUser.email });
    expect(refusedResponse).toMatchObject({ status: 403, json: { account_disabled: true } });
    const userWithFactor = await makeUser();
    await prisma().factor.create({
      data: { userId: userWithFactor.id, kind: "email", confirmedAt: new Date() },
    });
    const pendingSignIn = await signInWithGoogle({ email: userWithFactor.email });
    expect({ status: pendingSignIn.status, json: pendingSignIn.json }).toEqual({
      status: 200,
      json: {
        success: true,
        requires_2fa: true,
        interim_token: expect.stringMatching(/^dsi_/),
        available_methods: ["email"],
      },
    });
    const linkedIdentityCount = await prisma().externalIdentity.count({
      where: { userId: { in: [deactivatedUser.id, userWithFactor.id] } },
    });
    expect(linkedIdentityCount, "a refused sign-in links nothing").toBe(0);
    expect(
      await prisma().mailMessage.count({
        where: { userId: { in: [deactivatedUser.id, userWithFactor.id] } },
      }),
    ).toBe(0);
    const claims = newClaims();
    const { id } = (await signInWithGoogle(claims)).json.user;
    const email = `moved.${id}@example.com`;
    await prisma().user.update({ where: { id }, data: { email, emailKey: email, emailVerifiedAt: null } });
    const unverifiedResponse = await signInWithGoogle(claims);
    expect(unverifiedResponse).toMatchObject({ status: 403, json: { requires_verification: true } });
    expect(
      await prisma().accessToken.count({
        where: { userId: { in: [deactivatedUser.id, userWithFactor.id] } },
      }),
    ).toBe(0);
  });
});

describe("an account with a second factor", () => {
  const listIdentities = (userId: number) =>
    prisma().externalIdentity.findMany({ where: { userId }, select: { subject: true, grantSealed: true } });
  async function startSecondStep(changes: TokenChanges["claims"] = {}) {
    const user = await makeUser();
    const app = await makeTotpFactor(user.id);
    const claims = { ...newClaims(), email: user.email, ...changes };
    const firstStep = await postAppleToken(identityProvider.signIdToken({ claims }), {
      authorization_code: "c-o-d-e",
    });
    expect(firstStep.json.requires_2fa).toBe(true);
    const finishSignIn = (code: string) =>
      post("/api/auth/2fa/challenge", { interim_token: firstStep.json.interim_token, method: "totp", code });
    return { user, app, claims, finish: finishSignIn };
  }

  it("is linked after the second factor, with Apple's code, and its owner is mailed", async () => {
    const { user, app, claims, finish: finishSignIn } = await startSecondStep();
    expect((await finishSignIn("000000")).status).toBe(422);
    expect(await listIdentities(user.id)).toEqual([]);
    expect((await finishSignIn(app.getCode())).status).toBe(200);
    const [identity] = await listIdentities(user.id);
    expect(identity!.subject).toBe(claims.sub);
    expect(JSON.parse(unseal(identity!.grantSealed!, "apple_grant"))).toEqual({
      authorization_code: "c-o-d-e",
    });
    const mails = await prisma().mailMessage.findMany({ where: { userId: user.id } });
    expect(mails.map(({ template }) => template)).toContain("identity_connected");
    expect(
      await prisma().auditEvent.count({ where: { action: "identity.connected", actorId: user.id } }),
    ).toBe(1);
    const signInFromNewAddress = await postAppleToken(
      identityProvider.signIdToken({ claims: { ...claims, email: newClaims().email } }),
    );
    expect(signInFromNewAddress.json.requires_2fa).toBe(true);
  });

  it("is not linked when its address or identity changed in between", async () => {
    const movedSignIn = await startSecondStep();
    const email = `later.${movedSignIn.user.id}@example.com`;
    await prisma().user.update({ where: { id: movedSignIn.user.id }, data: { email, emailKey: email } });
    expect((await movedSignIn.finish(movedSignIn.app.getCode())).status).toBe(200);
    expect(await listIdentities(movedSignIn.user.id)).toEqual([]);
    const relinkedSignIn = await startSecondStep();
    const otherIdentity = {
      provider: "google" as const,
      issuer: identityProvider.url,
      subject: `first-${relinkedSignIn.user.id}`,
    };
    await prisma().externalIdentity.create({
      data: { ...otherIdentity, userId: relinkedSignIn.user.id, email: relinkedSignIn.user.email },
    });
    expect((await relinkedSignIn.finish(relinkedSignIn.app.getCode())).status).toBe(200);
    expect((await listIdentities(relinkedSignIn.user.id)).map(({ subject }) => subject)).toEqual([
      otherIdentity.subject,
    ]);
  });
});

describe("an account that someone else registered without verification", () => {
  it("is taken over without any row of the former registrant", async () => {
    const claims = newClaims();
    const { id } = await makeUser({
      email: claims.email,
      emailVerifiedAt: null,
      phone: "+905321112233",
      phoneVerifiedAt: new Date(),
    });
    await makeMissingRows(id, {
      textPrefix: "other",
      rules: ["delete"],
      excludedTables: ["external_identities"],
    });
    const tables = listAccountRelations().filter(({ onDeletion }) => onDeletion === "delete");
    const readRows = async () => {
      const serialisedRows: string[] = [];
      for (const { table, column } of tables) {
        const { rows } = await pool().query(
          `select to_jsonb(t)::text as row from ${table} t where ${column} = $1`,
          [id],
        );
        serialisedRows.push(...rows.map(({ row }) => `${table} ${row}`));
      }
      return serialisedRows;
    };
    const rowsBefore = await readRows();
    for (const table of ["data_exports", "phone_codes", "access_tokens", "passkeys"])
      expect(
        rowsBefore.some((row) => row.startsWith(`${table} `)),
        table,
      ).toBe(true);
    const { status, json } = await signInWithGoogle(claims);
    expect(status).toBe(200);
    expect(json.user?.id).toEqual(id);
    const rowsAfter = await readRows();
    expect(rowsBefore.filter((row) => rowsAfter.includes(row))).toEqual([]);
    const user = await prisma().user.findUniqueOrThrow({ where: { id } });
    expect(user).toMatchObject({ phone: null, phoneVerifiedAt: null });
  });

  it("is taken over, and no credential of the former registrant works", async () => {
    const body = buildRegistrationBody({ name: "Attacker", phone: "+905320000000" });
    const registration = await post("/api/auth/register", body);
    const { id } = registration.json.user;
    const formerToken = registration.json.token as string;
    await prisma().factor.create({
      data: {
        userId: id,
        kind: "totp",
        secretSealed: seal("JBSWY3DPEHPK3PXP", "totp"),
        confirmedAt: new Date(),
      },
    });
    await prisma().recoveryCode.create({
      data: { userId: id, codeHash: Uint8Array.from(hashSecret("code")) },
    });
    await prisma().passkey.create({
      data: {
        id: "01JATTACKER",
        userId: id,
        credentialId: "attacker",
        publicKey: new Uint8Array(1),
        transports: [],
        deviceName: "Key",
        aaguid: "",
        backupEligible: false,
        backedUp: false,
      },
    });
    const key = await makeToken(id, { abilities: ["read"] });
    await prisma().accessToken.updateMany({ where: { lastFour: key.slice(-4) }, data: { kind: "api_key" } });
    const expiresAt = new Date(Date.now() + 3_600_000);
    const makeTokenHash = () => Uint8Array.from(hashSecret(createToken("dsr")));
    await prisma().passwordReset.create({
      data: { userId: id, emailKey: body.email, tokenHash: makeTokenHash(), expiresAt },
    });
    await prisma().interimToken.create({ data: { userId: id, tokenHash: makeTokenHash(), expiresAt } });
    await prisma().trustedDevice.create({ data: { userId: id, tokenHash: makeTokenHash(), expiresAt } });
    await prisma().phoneCode.create({ data: { userId: id, codeHash: makeTokenHash(), expiresAt } });
    await prisma().dataExport.create({
      data: { id: "01JEXPORT", userId: id, file: "exports/01JEXPORT.zip" },
    });
    const smsFields = { userId: id, toNumber: "+905321112233", locale: "tr", sealed: new Uint8Array(1) };
    await prisma().smsMessage.create({ data: smsFields });
    expect((await get("/api/user", formerToken)).status).toBe(200);

    const ownerSignIn = await signInWithGoogle({ email: body.email, name: "The Owner" });
    expect([ownerSignIn.status, ownerSignIn.json.user]).toMatchObject([
      200,
      { id, name: "The Owner", email: body.email, provider: "google" },
    ]);
    expect(ownerSignIn.json.consents_required).toEqual(MANDATORY_CONSENTS);
    expect([(await get("/api/user", formerToken)).status, (await get("/api/user", key)).status]).toEqual([
      401, 401,
    ]);
    const { email, password } = body as unknown as { email: string; password: string };
    expect((await post("/api/auth/login", { email, password })).status).toBe(401);
    const userAfterTakeover = await prisma().user.findUniqueOrThrow({
      where: { id },
      include: {
        factors: true,
        recoveryCodes: true,
        passkeys: true,
        verifications: true,
        passwordReset: true,
        interims: true,
        devices: true,
        identities: true,
        tokens: true,
        phoneCode: true,
        exports: true,
        texts: true,
      },
    });
    expect({
      factors: userAfterTakeover.factors,
      recoveryCodes: userAfterTakeover.recoveryCodes,
      passkeys: userAfterTakeover.passkeys,
      verifications: userAfterTakeover.verifications,
      interims: userAfterTakeover.interims,
      devices: userAfterTakeover.devices,
      exports: userAfterTakeover.exports,
      texts: userAfterTakeover.texts,
    }).toEqual({
      factors: [],
      recoveryCodes: [],
      passkeys: [],
      verifications: [],
      interims: [],
      devices: [],
      exports: [],
      texts: [],
    });
    expect(userAfterTakeover).toMatchObject({
      passwordReset: null,
      passwordHash: null,
      phone: null,
      phoneCode: null,
    });
    expect([userAfterTakeover.identities.length, userAfterTakeover.tokens.length]).toEqual([1, 1]);
    expect(userAfterTakeover.emailVerifiedAt).not.toBeNull();
    const mails = await prisma().mailMessage.findMany({ where: { userId: id }, orderBy: { id: "asc" } });
    expect(mails.map(({ template }) => template)).toEqual(["account_claimed"]);
    expect((await get("/api/user", ownerSignIn.json.token)).status).toBe(200);
  });

  it("hides the former registrant's history from its owner, but not from administrators", async () => {
    const [formerIp, ownerIp] = ["203.0.113.66", "198.51.100.7"];
    const requestFrom = (ip: string, browser: string, more = {}) => ({
      ip,
      headers: { "user-agent": browser },
      ...more,
    });
    const body = buildRegistrationBody() as { email: string; password: string };
    const { json } = await post("/api/auth/register", body, requestFrom(formerIp, "Squatter/1.0"));
    const { id } = json.user;
    const squatter = requestFrom(formerIp, "Squatter/1.0", { token: json.token });
    const consentBody = { consents: { marketing: false } };
    expect((await call("PUT", "/api/profile/consents", { ...squatter, body: consentBody })).status).toBe(200);
    const passwordBody = { current_password: body.password, password: "another-long-passphrase" };
    expect((await call("PUT", "/api/user", { ...squatter, body: passwordBody })).status).toBe(200);
    expect((await post("/api/auth/login", body, requestFrom(formerIp, "Squatter/1.0"))).status).toBe(401);
    const listConsentRecords = () =>
      prisma().consentRecord.findMany({ where: { userId: id }, orderBy: { id: "asc" } });
    const recordsBefore = await listConsentRecords();

    const id_token = identityProvider.signIdToken({ claims: { email: body.email } });
    const claimResponse = await post("/api/auth/google", { id_token }, requestFrom(ownerIp, "Owner/1.0"));
    expect({ status: claimResponse.status, id: claimResponse.json.user.id }).toEqual({ status: 200, id });
    const readJson = async (path: string) => (await get(path, claimResponse.json.token)).json;
    const activity = await readJson("/api/user/activity");
    expect(activity.data.map(({ action }: { action: string }) => action)).toEqual([
      "sign_in.succeeded",
      "identity.connected",
      "account.claimed",
    ]);
    expect(activity.next).toBeNull();
    const signIns = await readJson("/api/profile/sign-ins");
    expect(signIns.data).toMatchObject([{ outcome: "succeeded", ip: ownerIp }]);
    const consents = await readJson("/api/profile/consents");
    const recordsAfter = await listConsentRecords();
    expect(consents.history).toHaveLength(recordsAfter.length);
    expect(consents.history.map(({ ip }: { ip: string | null }) => ip)).toEqual(
      recordsAfter.map((_, index) => (index < recordsAfter.length - recordsBefore.length ? ownerIp : null)),
    );
    expect((await readJson("/api/profile/password")).changed_at).toBeNull();
    const archive = [
      await auditArchive.sign_ins(prisma(), id),
      await auditArchive.activity(prisma(), id),
      await consentArchive.consents(prisma(), id),
    ];
    expect(archive.map(({ length }) => length)).toEqual([1, 3, recordsAfter.length]);
    const visibleData = JSON.stringify([activity, signIns, consents, archive], (_, fieldValue) =>
      typeof fieldValue === "bigint" ? String(fieldValue) : fieldValue,
    );
    expect(
      [formerIp, "Squatter", ownerIp, "Owner/1.0"].map((clientDetail) => visibleData.includes(clientDetail)),
    ).toEqual([false, false, true, true]);

    expect(recordsAfter.slice(0, recordsBefore.length)).toEqual(recordsBefore);
    expect((await verifyConsentLedger(withoutTransaction())).broken).toBeUndefined();
    const adminToken = await makeToken((await makeUser({ role: "admin" })).id);
    const { data } = (await get(`/api/admin/audit?ip=${formerIp}&q=${id}`, adminToken)).json;
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      "sign_in.failed",
      "password.changed",
      "consents.changed",
      "account.registered",
    ]);
  });

  it("loses reseller, unpaid orders and competing changes of address", async () => {
    const reseller = await makeUser({ role: "reseller" });
    const user = await makeUser({ emailVerifiedAt: null, resellerId: reseller.id });
    const order = await post("/api/billing/orders", { plan_id: 1 }, { token: await makeToken(user.id) });
    expect(order.status).toBe(201);
    const otherUser = await makeUser();
    await prisma().user.update({
      where: { id: otherUser.id },
      data: { pendingEmail: user.email, pendingEmailKey: user.emailKey },
    });
    const { status } = await signInWithGoogle({ email: user.email });
    expect(status).toBe(200);
    const [owner, competitor] = await Promise.all(
      [user, otherUser].map(({ id }) =>
        prisma().user.findUniqueOrThrow({ where: { id }, include: { subscriptions: true } }),
      ),
    );
    expect({
      resellerId: owner!.resellerId,
      subscriptions: owner!.subscriptions,
      pendingEmail: competitor!.pendingEmail,
    }).toEqual({ resellerId: null, subscriptions: [], pendingEmail: null });
  });

  it.each([
    ["sites", async (id: number) => void (await makeSite(id))],
    ["a subscription", async (id: number) => void (await makeSubscription(id))],
    ["a team", async (id: number) => void (await makeUser({ parentUserId: id }))],
    [
      "another identity",
      async (userId: number) =>
        void (await prisma().externalIdentity.create({
          data: {
            userId,
            provider: "google",
            issuer: identityProvider.url,
            subject: `first-${userId}`,
            email: "x@example.com",
          },
        })),
    ],
  ])("is not taken over when it has %s", async (_, addHistory) => {
    const user = await makeUser({ emailVerifiedAt: null });
    await addHistory(user.id);
    const token = await makeToken(user.id);
    expect((await signInWithGoogle({ email: user.email })).status).toBe(403);
    expect((await get("/api/user", token)).status).toBe(200);
    const unchanged = await prisma().user.findUniqueOrThrow({ where: { id: user.id } });
    expect({ passwordHash: unchanged.passwordHash, emailVerifiedAt: unchanged.emailVerifiedAt }).toEqual({
      passwordHash: user.passwordHash,
      emailVerifiedAt: null,
    });
  });
});

describe("missing consents", () => {
  it("prevent the creation of sites until they are given", async () => {
    const { json } = await signInWithGoogle(newClaims(), { consents: { terms: true, privacy: false } });
    expect(json.consents_required).toEqual(["privacy", "yurtdisi", "cagri_kayit"]);
    const { token } = json;
    await makeSubscription(json.user.id);
    const createSite = () =>
      post("/api/sites", { name: "Kahve", domain: `c${json.user.id}.example.com` }, { token });
    const refusedResponse = await createSite();
    expect({ status: refusedResponse.status, json: refusedResponse.json }).toEqual({
      status: 403,
      json: {
        success: false,
        error: expect.any(String),
        missing_consents: ["privacy", "yurtdisi", "cagri_kayit"],
      },
    });
    const giveConsents = (consents: object) =>
      call("PUT", "/api/profile/consents", { token, body: { consents } });
    expect((await get("/api/profile/consents", token)).json.missing_consents).toHaveLength(3);
    const refusedConsent = await giveConsents({ privacy: false });
    expect({ status: refusedConsent.status, missing_consents: refusedConsent.json.missing_consents }).toEqual(
      {
        status: 422,
        missing_consents: ["privacy"],
      },
    );
    expect((await giveConsents({ privacy: true, marketing: true })).json.missing_consents).toEqual([
      "yurtdisi",
      "cagri_kayit",
    ]);
    expect((await createSite()).status).toBe(403);
    expect((await giveConsents({ yurtdisi: true, cagri_kayit: true })).json.missing_consents).toEqual([]);
    expect((await createSite()).status).toBe(201);
    expect((await get("/api/profile/consents", token)).json).toMatchObject({
      success: true,
      missing_consents: [],
    });
  });

  it("do not exist after a registration", async () => {
    const { token } = await makeSignedInUser();
    expect((await get("/api/profile/consents", token)).json.missing_consents).toEqual([]);
  });
});

describe("Apple's authorization code", () => {
  it("is stored sealed when Apple credentials are not configured", async () => {
    const { json } = await postAppleToken(identityProvider.signIdToken(), { authorization_code: "c-o-d-e" });
    const [identity] = await prisma().externalIdentity.findMany({ where: { userId: json.user.id } });
    const sealed = identity!.grantSealed!;
    expect(Buffer.from(sealed).toString("latin1")).not.toContain("c-o-d-e");
    expect(JSON.parse(unseal(sealed, "apple_grant"))).toEqual({ authorization_code: "c-o-d-e" });
  });
});

describe("connected identities", () => {
  const makeProvenToken = async (userId: number) => {
    const token = await makeToken(userId);
    await prisma().accessToken.updateMany({ where: { userId }, data: { provenAt: new Date() } });
    return token;
  };
  const removeIdentity = (id: number, token: string) =>
    call("DELETE", `/api/profile/identities/${id}`, { token });

  it("are not the only sign-in method of an account with a password", async () => {
    const user = await makeUser();
    const id_token = identityProvider.signIdToken();
    const token = await makeProvenToken(user.id);
    expect((await post("/api/profile/identities", { provider: "apple", id_token }, { token })).status).toBe(
      201,
    );
    expect((await get("/api/profile/identities", token)).json.other_way_in).toBe(true);
  });

  it("are listed, connected and removed, except for the last sign-in method", async () => {
    const { json } = await signInWithGoogle(newClaims());
    const { token } = json;
    const fetchIdentities = async () => (await get("/api/profile/identities", token)).json;
    const [firstIdentity] = (await fetchIdentities()).data;
    expect(await fetchIdentities()).toMatchObject({ available: ["google", "apple"], other_way_in: false });
    const lastRemoval = await removeIdentity(firstIdentity.id, token);
    expect({ status: lastRemoval.status, json: lastRemoval.json }).toEqual({
      status: 422,
      json: { success: false, error: expect.any(String) },
    });
    const id_token = identityProvider.signIdToken();
    const connectResponse = await post("/api/profile/identities", { provider: "apple", id_token }, { token });
    expect(connectResponse).toMatchObject({ status: 201, json: { identity: { provider: "apple" } } });
    expect((await postAppleToken(id_token)).status).toBe(401);
    expect((await removeIdentity(firstIdentity.id, token)).status).toBe(200);
    expect((await fetchIdentities()).data.map(({ provider }: { provider: string }) => provider)).toEqual([
      "apple",
    ]);
    const mails = await prisma().mailMessage.findMany({
      where: { userId: json.user.id },
      orderBy: { id: "asc" },
    });
    expect(mails.map(({ template }) => template)).toEqual(["identity_connected", "identity_removed"]);
  });

  it("keep one of two in concurrent removals, as the last sign-in method", async () => {
    const user = await makeUser();
    await prisma().user.update({ where: { id: user.id }, data: { passwordHash: null } });
    const token = await makeProvenToken(user.id);
    const makeIdentity = (subject: string) =>
      prisma().externalIdentity.create({
        data: {
          userId: user.id,
          provider: "google",
          issuer: identityProvider.url,
          subject: `${subject}-${user.id}`,
          email: user.email,
        },
      });
    const identityRows = [await makeIdentity("a"), await makeIdentity("b")];
    expect(
      countByStatus(await runConcurrently(2, (index) => removeIdentity(identityRows[index]!.id, token))),
    ).toEqual({
      200: 1,
      422: 1,
    });
  });

  it("need a recent proof, and belong to one account", async () => {
    const claims = newClaims();
    const { json } = await signInWithGoogle(claims);
    const [identity] = (await get("/api/profile/identities", json.token)).json.data;
    const { token: unprovenToken, ...stranger } = await makeSignedInUser();
    const id_token = identityProvider.signIdToken();
    expect(
      (await post("/api/profile/identities", { provider: "google", id_token }, { token: unprovenToken }))
        .status,
    ).toBe(403);
    expect((await removeIdentity(identity.id, unprovenToken)).status).toBe(403);
    const strangersToken = await makeProvenToken(stranger.id);
    expect((await removeIdentity(identity.id, strangersToken)).status).toBe(403);
    const sameIdentityToken = identityProvider.signIdToken({ claims });
    const takenResponse = await post(
      "/api/profile/identities",
      { provider: "google", id_token: sameIdentityToken },
      { token: strangersToken },
    );
    expect({ status: takenResponse.status, json: takenResponse.json }).toEqual({
      status: 422,
      json: { success: false, error: expect.any(String) },
    });
    expect((await signInWithGoogle(claims)).json.user.id).toBe(json.user.id);
  });
});

it("deletes used id_tokens after their expiry", async () => {
  await signInWithGoogle();
  await deleteExpiredIdTokensJob();
  expect(await prisma().usedIdToken.count()).toBeGreaterThan(0);
  await prisma().usedIdToken.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
  await deleteExpiredIdTokensJob();
  expect(await prisma().usedIdToken.count()).toBe(0);
  await runJobs();
});
