import { NextRequest } from "next/server";
import type { Account } from "next-auth";
import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { outside, type Work } from "@/server/infrastructure/database/transaction";
import { identityProvider } from "@/server/testing/peers";
import { makeTotp } from "@/server/testing/second-factor";
import { testServer } from "@/server/testing/server";
import { type Entry, signInByProvider } from "./entry";

const idp = await identityProvider();
await testServer({ env: { ...idp.env, APP_URL: "https://panel.test" } });

let people = 0;

/** What comes back from a provider: an id_token, and with Apple a token for later. */
function returned(provider: "google" | "apple", claims: Record<string, unknown>): Account {
  const id_token = idp.sign({ claims });
  const known = { provider, providerAccountId: String(claims.sub), type: "oauth" as const };
  return { ...known, id_token, refresh_token: "for-later" };
}

const person = () => ({ sub: `entry-${++people}`, email: `entry.${people}@example.com` });

function begin(): Entry {
  const cookie = "__Host-sign-in-next=https%3A%2F%2Fpanel.test%2Fsites";
  return { request: new NextRequest("https://panel.test/session/callback", { headers: { cookie } }) };
}

const enter = (account: Account, work: Work = outside(), entry = begin()) =>
  signInByProvider(work, entry, account);

it.each(["google", "apple"] as const)(
  "%s's person gets a session, and the sign-in token ends",
  async (name) => {
    const who = person();
    const entered = await enter(returned(name, who));
    const { id } = await prisma().user.findFirstOrThrow({ where: { email: who.email } });
    expect(entered).toEqual({ userId: id, secret: expect.stringMatching(/^dss_/) });
    const tokens = await prisma().accessToken.findMany({ where: { userId: id }, select: { kind: true } });
    expect(tokens).toEqual([{ kind: "session" }]);
    const { grantSealed } = await prisma().externalIdentity.findFirstOrThrow({ where: { userId: id } });
    expect(grantSealed !== null, "Apple's token is for the day the account is deleted").toBe(
      name === "apple",
    );
  },
);

it("leads back to the sign-in page when the token is revoked before it becomes a session", async () => {
  const who = person();
  const work = outside();
  const revoking = async (...statement: Parameters<Work["sql"]>) => {
    await prisma().accessToken.deleteMany({ where: { user: { email: who.email } } });
    return work.sql(...statement);
  };
  const entry = begin();
  const entered = await enter(returned("google", who), { ...work, sql: revoking as Work["sql"] }, entry);
  expect(entered).toBe("https://panel.test/sign-in?via=google&next=%2Fsites&error=Callback");
  expect(entry.outcome).toBeUndefined();
  expect(await prisma().accessToken.count({ where: { user: { email: who.email } } })).toBe(0);
});

it("leads to the second step of an account that has one, and to the words of a refusal", async () => {
  const who = person();
  await enter(returned("google", who));
  const { id } = await prisma().user.findFirstOrThrow({ where: { email: who.email } });
  await makeTotp(id);
  const second = begin();
  expect(await enter(returned("google", who), outside(), second)).toBe(
    "https://panel.test/sign-in?via=google&next=%2Fsites",
  );
  expect(second.outcome).toMatchObject({ kind: "second_factor", methods: ["totp"] });
  const refused = begin();
  expect(await enter({ ...returned("google", who), id_token: "no" }, outside(), refused)).toBe(
    "https://panel.test/sign-in?via=google&next=%2Fsites",
  );
  expect(refused.outcome).toMatchObject({ kind: "refused", body: { success: false } });
});
