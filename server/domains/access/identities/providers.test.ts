import { generateKeyPairSync } from "node:crypto";
import { decodeJwt } from "jose";
import { afterEach, describe, expect, it, vi } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { unseal } from "@/server/infrastructure/secrets/seal";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { startFakeIdentityProvider } from "@/server/testing/external-servers";
import { makeUser } from "@/server/testing/factories";
import type { KeysBehaviour } from "@/server/testing/identity-provider";
import { makeTotpFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";

const identityProvider = await startFakeIdentityProvider();
const applePrivateKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const { get, post, runJobs } = await startTestServer({
  env: {
    ...identityProvider.env,
    APPLE_TEAM_ID: "TEAM",
    APPLE_KEY_ID: "KEY",
    APPLE_PRIVATE_KEY: applePrivateKey
      .export({ type: "pkcs8", format: "pem" })
      .toString()
      .replaceAll("\n", "\\n"),
  },
});

const signIn = () => post("/api/auth/google", { id_token: identityProvider.signIdToken() });
const countKeyCalls = () => identityProvider.requestedPaths.filter((path) => path === "/keys").length;

/** Moves this process's clock. Ten minutes exceed the back-off and the pause between fetches. */
function advanceClock(minutes: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes * 60_000 });
}

afterEach(() => {
  identityProvider.keysBehaviour = "well";
});

/** The order matters: the failing cases come first, while no keys are cached. */
describe("a provider without keys", () => {
  it.each<KeysBehaviour>(["down", "html", "redirect", "huge", "slow", "silent"])(
    "causes 503 when it is %s, and is called once in a burst",
    async (behaviour) => {
      advanceClock(10);
      identityProvider.keysBehaviour = behaviour;
      const keyCallsBefore = countKeyCalls();
      let areResponsesSettled = false;
      const pendingResponses = runConcurrently(30, signIn).finally(() => {
        areResponsesSettled = true;
      });
      await runConcurrently(40, async () => expect((await get("/api/i18n/meta")).status).toBe(200));
      if (behaviour === "slow" || behaviour === "silent") expect(areResponsesSettled).toBe(false);
      const responses = await pendingResponses;
      expect(countByStatus(responses)).toEqual({ 503: 30 });
      expect(responses[0]!.json).toEqual({ success: false, error: expect.any(String) });
      expect(countKeyCalls() - keyCallsBefore).toBe(1);
      expect(identityProvider.requestedPaths).not.toContain("/elsewhere");
      expect((await signIn()).status).toBe(503);
      expect(countKeyCalls() - keyCallsBefore).toBe(1);
    },
  );

  it("is called again after the back-off, and its keys stay valid for a day", async () => {
    advanceClock(10);
    expect((await signIn()).status).toBe(200);
    identityProvider.keysBehaviour = "down";
    advanceClock(120);
    expect((await signIn()).status).toBe(200);
    expect(
      (await post("/api/auth/google", { id_token: identityProvider.signIdToken({ header: { kid: "new" } }) }))
        .status,
    ).toBe(401);
    advanceClock(24 * 60);
    expect((await signIn()).status).toBe(503);
  });

  it("is used again once it returns keys", async () => {
    advanceClock(10);
    expect((await signIn()).status).toBe(200);
    vi.useRealTimers();
  });
});

describe("Apple's authorization code", () => {
  const signUpAndReadGrant = async () => {
    const { json } = await post("/api/auth/apple", {
      id_token: identityProvider.signIdToken(),
      authorization_code: "the-code",
    });
    await runJobs();
    const [identity] = await prisma().externalIdentity.findMany({ where: { userId: json.user.id } });
    return identity!.grantSealed;
  };

  it("is exchanged by a job for a refresh token", async () => {
    const sealed = await signUpAndReadGrant();
    expect(JSON.parse(unseal(sealed!, "apple_grant"))).toEqual({ refresh_token: "apple-refresh-token" });
    const exchangeForm = Object.fromEntries(identityProvider.exchanges.at(-1)!);
    expect(exchangeForm).toMatchObject({
      grant_type: "authorization_code",
      code: "the-code",
      client_id: "tellal.apps.test",
    });
    expect(decodeJwt(exchangeForm.client_secret!)).toMatchObject({
      iss: "TEAM",
      sub: "tellal.apps.test",
      aud: identityProvider.url,
    });
    const jobs = await prisma()
      .$queryRaw`select 1 from graphile_worker.jobs where task_identifier = 'exchange_apple_code'`;
    expect(jobs).toEqual([]);
  });

  it("is exchanged during a pending sign-in, and stored after the second factor", async () => {
    const user = await makeUser();
    const app = await makeTotpFactor(user.id);
    const id_token = identityProvider.signIdToken({ claims: { sub: `apple-${user.id}`, email: user.email } });
    const { json } = await post("/api/auth/apple", { id_token, authorization_code: "the-code" });
    await runJobs();
    const challengeBody = { interim_token: json.interim_token, method: "totp", code: app.getCode() };
    expect((await post("/api/auth/2fa/challenge", challengeBody)).status).toBe(200);
    const [identity] = await prisma().externalIdentity.findMany({ where: { userId: user.id } });
    const grant = JSON.parse(unseal(identity!.grantSealed!, "apple_grant"));
    expect(grant).toEqual({ refresh_token: "apple-refresh-token" });
  });

  it("is dropped when invalid, and retried when Apple fails", async () => {
    identityProvider.exchangeResponse = { status: 400, body: { error: "invalid_grant" } };
    expect(await signUpAndReadGrant()).toBeNull();
    identityProvider.exchangeResponse = { status: 500, body: { error: "server_error" } };
    expect(await signUpAndReadGrant()).toBeNull();
    const jobs = await prisma().$queryRaw`
      select attempts from graphile_worker.jobs where task_identifier = 'exchange_apple_code'`;
    expect(jobs).toEqual([{ attempts: 1 }]);
  });
});
