import { NextRequest } from "next/server";
import type { Account } from "next-auth";
import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { type DbAccess, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { startFakeIdentityProvider } from "@/server/testing/external-servers";
import { makeTotpFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";
import { type SessionRequestState, signInByProvider } from "./provider-sign-in";

const identityProvider = await startFakeIdentityProvider();
await startTestServer({ env: { ...identityProvider.env, APP_URL: "https://panel.test" } });

let userCount = 0;

function makeProviderAccount(provider: "google" | "apple", claims: Record<string, unknown>): Account {
  const id_token = identityProvider.signIdToken({ claims });
  const identity = { provider, providerAccountId: String(claims.sub), type: "oauth" as const };
  return { ...identity, id_token, refresh_token: "for-later" };
}

const makeClaims = () => ({ sub: `entry-${++userCount}`, email: `entry.${userCount}@example.com` });

function makeRequestState(): SessionRequestState {
  const cookie = "__Host-sign-in-next=https%3A%2F%2Fpanel.test%2Fsites";
  return { request: new NextRequest("https://panel.test/session/callback", { headers: { cookie } }) };
}

const signIn = (account: Account, access: DbAccess = withoutTransaction(), state = makeRequestState()) =>
  signInByProvider(access, state, account);

it.each(["google", "apple"] as const)("creates a session for %s and keeps no sign-in token", async (name) => {
  const claims = makeClaims();
  const result = await signIn(makeProviderAccount(name, claims));
  const { id } = await prisma().user.findFirstOrThrow({ where: { email: claims.email } });
  expect(result).toEqual({ userId: id, secret: expect.stringMatching(/^dss_/) });
  const tokens = await prisma().accessToken.findMany({ where: { userId: id }, select: { kind: true } });
  expect(tokens).toEqual([{ kind: "session" }]);
  const { grantSealed } = await prisma().externalIdentity.findFirstOrThrow({ where: { userId: id } });
  expect(grantSealed !== null, "Apple's token is stored for the deletion of the account").toBe(
    name === "apple",
  );
});

it("redirects to the sign-in page when the token is revoked before the exchange", async () => {
  const claims = makeClaims();
  const access = withoutTransaction();
  const revokingSql = async (...statement: Parameters<DbAccess["sql"]>) => {
    await prisma().accessToken.deleteMany({ where: { user: { email: claims.email } } });
    return access.sql(...statement);
  };
  const state = makeRequestState();
  const result = await signIn(
    makeProviderAccount("google", claims),
    { ...access, sql: revokingSql as DbAccess["sql"] },
    state,
  );
  expect(result).toBe("https://panel.test/sign-in?via=google&next=%2Fsites&error=Callback");
  expect(state.outcome).toBeUndefined();
  expect(await prisma().accessToken.count({ where: { user: { email: claims.email } } })).toBe(0);
});

it("redirects to the sign-in page with a pending second factor or a refusal", async () => {
  const claims = makeClaims();
  await signIn(makeProviderAccount("google", claims));
  const { id } = await prisma().user.findFirstOrThrow({ where: { email: claims.email } });
  await makeTotpFactor(id);
  const pendingState = makeRequestState();
  expect(await signIn(makeProviderAccount("google", claims), withoutTransaction(), pendingState)).toBe(
    "https://panel.test/sign-in?via=google&next=%2Fsites",
  );
  expect(pendingState.outcome).toMatchObject({ kind: "second_factor", methods: ["totp"] });
  const refusedState = makeRequestState();
  expect(
    await signIn(
      { ...makeProviderAccount("google", claims), id_token: "no" },
      withoutTransaction(),
      refusedState,
    ),
  ).toBe("https://panel.test/sign-in?via=google&next=%2Fsites");
  expect(refusedState.outcome).toMatchObject({ kind: "refused", body: { success: false } });
});
