import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import "@/server/domains";
import { getRegisteredDomains } from "@/server/core/domain";
import { buildDecoyCredentialIds, deriveUserHandle } from "@/server/domains/access/passkeys/service/ceremony";
import { consumeTotp, createTotp } from "@/server/domains/access/two-factor/service/consume-code";
import { consumeRecoveryCode } from "@/server/domains/access/two-factor/service/recovery";
import { appendConsentEntries, verifyConsentLedger } from "@/server/domains/accounts/consents/service/ledger";
import { closeDatabase, pool, prisma } from "@/server/infrastructure/database/client";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { createTestDatabase } from "@/server/testing/database";
import { makeSite, makeUser } from "@/server/testing/factories";
import { makeTotpFactor } from "@/server/testing/second-factor";
import { overrideSettings } from "@/server/testing/settings";
import { checkAppSecret } from "./fingerprint";
import { rotateSecrets } from "./rotate";
import { unseal } from "./seal";

await createTestDatabase();
overrideSettings({ DATA_DIR: await mkdtemp(join(tmpdir(), "tellal-secrets-")) });

const [FIRST_SECRET, SECOND_SECRET, THIRD_SECRET] = ["first", "second", "third"].map(
  (name) => `the ${name} secret that is long enough to be one`,
);

async function restartWithSecret(current: string, former = "") {
  await closeDatabase();
  delete (globalThis as { tellalKeptKeys?: unknown }).tellalKeptKeys;
  overrideSettings({ APP_SECRET: current, APP_SECRET_OLD: former });
}

const buildConsent = (userId: number) => ({
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
const appendConsent = (userId: number) =>
  inTransaction((tx) => appendConsentEntries(tx, [buildConsent(userId) as never]));

it("changes the secret without losing factors, codes, keys or the ledger", async () => {
  await restartWithSecret(FIRST_SECRET!);
  await checkAppSecret();
  const { id } = await makeUser();
  const { secret, recoveryCodes } = await makeTotpFactor(id);
  const site = await makeSite(id);
  await appendConsent(id);
  const userHandle = deriveUserHandle(id);
  const decoyCredentialIds = buildDecoyCredentialIds("nobody@example.com");

  // Time is frozen: only three TOTP codes are valid at a time.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  let codeStep = -1;
  const expectSecretsWork = async () => {
    const code = createTotp(secret).generate({ timestamp: Date.now() + codeStep++ * 30_000 });
    expect(await consumeTotp(withoutTransaction(), { userId: id, code }), "the app").toBe(true);
    expect(await consumeRecoveryCode(withoutTransaction(), id, recoveryCodes.pop()!), "a recovery code").toBe(
      true,
    );
    const siteRow = await prisma().site.findFirst({ where: { id: site.id }, select: { apiKeySealed: true } });
    expect(unseal(siteRow!.apiKeySealed, "widget_key"), "a key").toMatch(/^dsk_/);
    expect((await verifyConsentLedger(withoutTransaction())).broken, "the ledger").toBeUndefined();
    expect([deriveUserHandle(id), buildDecoyCredentialIds("nobody@example.com")]).toEqual([
      userHandle,
      decoyCredentialIds,
    ]);
  };

  await restartWithSecret(SECOND_SECRET!);
  await expect(checkAppSecret()).rejects.toThrow(/^APP_SECRET: .* another secret.*APP_SECRET_OLD/);

  await restartWithSecret(SECOND_SECRET!, FIRST_SECRET);
  await checkAppSecret();
  await expectSecretsWork();
  await appendConsent(id);
  const rotation = await rotateSecrets();
  // The secret of the authenticator app and the key of the site.
  expect(rotation).toEqual({ resealed: 2, unreadable: [] });
  expect(await rotateSecrets(), "a second time").toEqual({ resealed: 0, unreadable: [] });

  await restartWithSecret(SECOND_SECRET!);
  await checkAppSecret();
  await expectSecretsWork();
  await restartWithSecret(FIRST_SECRET!);
  await expect(checkAppSecret(), "the former secret alone").rejects.toThrow(/^APP_SECRET: /);

  await restartWithSecret(THIRD_SECRET!, SECOND_SECRET);
  await checkAppSecret();
  await rotateSecrets();
  await restartWithSecret(THIRD_SECRET!);
  await checkAppSecret();
  await appendConsent(id);
  await expectSecretsWork();
});

it("reports values that no secret can decrypt", async () => {
  await restartWithSecret(THIRD_SECRET!);
  const { id } = await makeUser();
  const unreadableFactor = await prisma().factor.create({
    data: { userId: id, kind: "totp", secretSealed: Buffer.from("x".repeat(40)) },
    select: { id: true },
  });
  expect(await rotateSecrets()).toEqual({ resealed: 0, unreadable: [`factors ${unreadableFactor.id}`] });
});

it("covers every encrypted column", async () => {
  await restartWithSecret(THIRD_SECRET!);
  const { rows } = await pool().query(`
    select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and data_type = 'bytea' and column_name ~ 'sealed$' order by 1`);
  const columns = getRegisteredDomains().flatMap(({ sealedColumns = [] }) =>
    sealedColumns.map(({ table, column }) => `${table}.${column}`),
  );
  // Excluded: keys of former secrets change with the secret, and stored responses expire after a day.
  const excluded = ["app_secrets.keys_sealed", "idempotency_keys.response_sealed"];
  // A column may contain several kinds of values with different purposes.
  expect(rows.map(({ name }) => name)).toEqual([...new Set([...columns, ...excluded])].sort());
});
