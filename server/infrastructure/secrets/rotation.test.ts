import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import "@/server/domains";
import { declared } from "@/server/core/domain";
import { decoys, userHandle } from "@/server/domains/access/passkeys/service/ceremony";
import { spendRecoveryCode } from "@/server/domains/access/two-factor/service/recovery";
import { authenticator, spendTotp } from "@/server/domains/access/two-factor/service/verify";
import { appendEntries, verifyLedger } from "@/server/domains/accounts/consents/service/ledger";
import { closeDatabase, pool, prisma } from "@/server/infrastructure/database/client";
import { inTransaction, outside } from "@/server/infrastructure/database/transaction";
import { testDatabase } from "@/server/testing/database";
import { makeSite, makeUser } from "@/server/testing/factories";
import { makeTotp } from "@/server/testing/second-factor";
import { overrideSettings } from "@/server/testing/settings";
import { checkSecret } from "./known";
import { rotateSecrets } from "./rotate";
import { unseal } from "./seal";

await testDatabase();
overrideSettings({ DATA_DIR: await mkdtemp(join(tmpdir(), "tellal-secrets-")) });

const [A, B, C] = ["first", "second", "third"].map(
  (name) => `the ${name} secret that is long enough to be one`,
);

/** Goes on as a new process that was started with these secrets. */
async function restartWith(current: string, former = "") {
  await closeDatabase();
  delete (globalThis as { tellalKeptKeys?: unknown }).tellalKeptKeys;
  overrideSettings({ APP_SECRET: current, APP_SECRET_OLD: former });
}

const consent = (userId: number) => ({
  userId,
  key: "terms",
  granted: true,
  textVersion: "1",
  textHash: "0".repeat(64),
  locale: "tr",
  ip: null,
  userAgent: null,
  source: "register",
});
const agree = (userId: number) => inTransaction((tx) => appendEntries(tx, [consent(userId) as never]));

it("a secret is changed without anybody losing a factor, a code, a key or the ledger", async () => {
  await restartWith(A!);
  await checkSecret();
  const { id } = await makeUser();
  const { secret, recoveryCodes } = await makeTotp(id);
  const site = await makeSite(id);
  await agree(id);
  const handle = userHandle(id);
  const made = decoys("nobody@example.com");

  // Three codes are valid at one moment, and the moment must not pass.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  let step = -1;
  const works = async () => {
    const code = authenticator(secret).generate({ timestamp: Date.now() + step++ * 30_000 });
    expect(await spendTotp(outside(), { userId: id, code }), "the app").toBe(true);
    expect(await spendRecoveryCode(outside(), id, recoveryCodes.pop()!), "a recovery code").toBe(true);
    const kept = await prisma().site.findFirst({ where: { id: site.id }, select: { apiKeySealed: true } });
    expect(unseal(kept!.apiKeySealed, "widget_key"), "a key").toMatch(/^dsk_/);
    expect((await verifyLedger(outside())).broken, "the ledger").toBeUndefined();
    expect([userHandle(id), decoys("nobody@example.com")]).toEqual([handle, made]);
  };

  await restartWith(B!);
  await expect(checkSecret()).rejects.toThrow(/^APP_SECRET: .* another secret.*APP_SECRET_OLD/);

  await restartWith(B!, A);
  await checkSecret();
  await works();
  await agree(id);
  const done = await rotateSecrets();
  expect(done).toEqual({ resealed: 2, unreadable: [] });
  expect(await rotateSecrets(), "a second time").toEqual({ resealed: 0, unreadable: [] });

  await restartWith(B!);
  await checkSecret();
  await works();
  await restartWith(A!);
  await expect(checkSecret(), "the former secret alone").rejects.toThrow(/^APP_SECRET: /);

  await restartWith(C!, B);
  await checkSecret();
  await rotateSecrets();
  await restartWith(C!);
  await checkSecret();
  await agree(id);
  await works();
});

it("names what no secret opens, and leaves alone what somebody changes meanwhile", async () => {
  await restartWith(C!);
  const { id } = await makeUser();
  const broken = await prisma().factor.create({
    data: { userId: id, kind: "totp", secretSealed: Buffer.from("x".repeat(40)) },
    select: { id: true },
  });
  expect(await rotateSecrets()).toEqual({ resealed: 0, unreadable: [`factors ${broken.id}`] });
});

it("knows every encrypted column", async () => {
  await restartWith(C!);
  const { rows } = await pool().query(`
    select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and data_type = 'bytea' and column_name ~ 'sealed$' order by 1`);
  const known = declared().flatMap(({ sealed = [] }) =>
    sealed.map(({ table, column }) => `${table}.${column}`),
  );
  // The keys of former secrets change with the secret itself; repeated responses live a day, with the former secret.
  const apart = ["app_secrets.keys_sealed", "idempotency_keys.response_sealed"];
  // One column may hold several kinds, each sealed for its own purpose.
  expect(rows.map(({ name }) => name)).toEqual([...new Set([...known, ...apart])].sort());
});
