import { NextRequest } from "next/server";
import type { Account } from "next-auth";
import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { type DbAccess, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { fakeIdentityProvider } from "@/server/testing/external-servers";
import { makeTotp } from "@/server/testing/second-factor";
import { testServer } from "@/server/testing/server";
import { type SessionRequest, signInByProvider } from "./provider-sign-in";

const idp = await fakeIdentityProvider();
await testServer({ env: { ...idp.env, APP_URL: "https://panel.test" } });

let people = 0;

function providerAccount(provider: "google" | "apple", claims: Record<string, unknown>): Account {
  const id_token = idp.sign({ claims });
  const identity = { provider, providerAccountId: String(claims.sub), type: "oauth" as const };
  return { ...identity, id_token, refresh_token: "for-later" };
}

const newClaims = () => ({ sub: `entry-${++people}`, email: `entry.${people}@example.com` });

function newEntry(): SessionRequest {
  const cookie = "__Host-sign-in-next=https%3A%2F%2Fpanel.test%2Fsites";
  return { request: new NextRequest("https://panel.test/session/callback", { headers: { cookie } }) };
}

const signIn = (account: Account, work: DbAccess = withoutTransaction(), entry = newEntry()) =>
  signInByProvider(work, entry, account);

it.each(["google", "apple"] as const)(
  "creates a session for %s and revokes the sign-in token",
  async (name) => {
    const claims = newClaims();
    const result = await signIn(providerAccount(name, claims));
    const { id } = await prisma().user.findFirstOrThrow({ where: { email: claims.email } });
    expect(result).toEqual({ userId: id, secret: expect.stringMatching(/^dss_/) });
    const tokens = await prisma().accessToken.findMany({ where: { userId: id }, select: { kind: true } });
    expect(tokens).toEqual([{ kind: "session" }]);
    const { grantSealed } = await prisma().externalIdentity.findFirstOrThrow({ where: { userId: id } });
    expect(grantSealed !== null, "Apple's token is stored for the deletion of the account").toBe(
      name === "apple",
    );
  },
);

it("redirects to the sign-in page when the token is revoked before the exchange", async () => {
  const claims = newClaims();
  const work = withoutTransaction();
  const revoking = async (...statement: Parameters<DbAccess["sql"]>) => {
    await prisma().accessToken.deleteMany({ where: { user: { email: claims.email } } });
    return work.sql(...statement);
  };
  const entry = newEntry();
  const result = await signIn(
    providerAccount("google", claims),
    { ...work, sql: revoking as DbAccess["sql"] },
    entry,
  );
  expect(result).toBe("https://panel.test/sign-in?via=google&next=%2Fsites&error=Callback");
  expect(entry.outcome).toBeUndefined();
  expect(await prisma().accessToken.count({ where: { user: { email: claims.email } } })).toBe(0);
});

it("redirects to the sign-in page with a pending second factor or a refusal", async () => {
  const claims = newClaims();
  await signIn(providerAccount("google", claims));
  const { id } = await prisma().user.findFirstOrThrow({ where: { email: claims.email } });
  await makeTotp(id);
  const second = newEntry();
  expect(await signIn(providerAccount("google", claims), withoutTransaction(), second)).toBe(
    "https://panel.test/sign-in?via=google&next=%2Fsites",
  );
  expect(second.outcome).toMatchObject({ kind: "second_factor", methods: ["totp"] });
  const refused = newEntry();
  expect(
    await signIn({ ...providerAccount("google", claims), id_token: "no" }, withoutTransaction(), refused),
  ).toBe("https://panel.test/sign-in?via=google&next=%2Fsites");
  expect(refused.outcome).toMatchObject({ kind: "refused", body: { success: false } });
});
