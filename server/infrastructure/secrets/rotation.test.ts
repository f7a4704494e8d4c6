import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import { testDatabase } from "@/server/testing/database";

await testDatabase();
vi.stubEnv("DATA_DIR", await mkdtemp(join(tmpdir(), "tellal-secrets-")));

const [A, B, C] = ["first", "second", "third"].map(
  (name) => `the ${name} secret that is long enough to be one`,
);

/** The modules as a new process with these secrets would load them. */
async function processWith(current: string, former = "") {
  await (await import("@/server/infrastructure/database/client")).closeDatabase();
  delete (globalThis as { tellalKeptKeys?: unknown }).tellalKeptKeys;
  vi.resetModules();
  vi.stubEnv("APP_SECRET", current);
  vi.stubEnv("APP_SECRET_OLD", former);
  await import("@/server/domains");
  return {
    ...(await import("./known")),
    ...(await import("./rotate")),
    ...(await import("./seal")),
    ...(await import("@/server/infrastructure/database/client")),
    ...(await import("@/server/infrastructure/database/transaction")),
    ...(await import("@/server/domains/accounts/consents/service/ledger")),
    ...(await import("@/server/domains/access/two-factor/service/recovery")),
    ...(await import("@/server/domains/access/two-factor/service/verify")),
    ...(await import("@/server/domains/access/passkeys/service/ceremony")),
    ...(await import("@/server/testing/second-factor")),
    ...(await import("@/server/testing/factories")),
  };
}
type Process = Awaited<ReturnType<typeof processWith>>;
afterAll(async () => (await import("@/server/infrastructure/database/client")).closeDatabase());

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
const agree = (at: Process, userId: number) =>
  at.inTransaction((tx) => at.appendEntries(tx, [consent(userId) as never]));

it("a secret is changed without anybody losing a factor, a code, a key or the ledger", async () => {
  const first = await processWith(A!);
  await first.checkSecret();
  const { id } = await first.makeUser();
  const { secret, recoveryCodes } = await first.makeTotp(id);
  const site = await first.makeSite(id);
  await agree(first, id);
  const handle = first.userHandle(id);
  const made = first.decoys("nobody@example.com");

  // Three codes are valid at one moment, and the moment must not pass.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  let step = -1;
  const works = async (at: Process) => {
    const code = at.authenticator(secret).generate({ timestamp: Date.now() + step++ * 30_000 });
    expect(await at.spendTotp(at.outside(), { userId: id, code }), "the app").toBe(true);
    expect(await at.spendRecoveryCode(at.outside(), id, recoveryCodes.pop()!), "a recovery code").toBe(true);
    const kept = await at.prisma().site.findFirst({ where: { id: site.id }, select: { apiKeySealed: true } });
    expect(at.unseal(kept!.apiKeySealed, "widget_key"), "a key").toMatch(/^dsk_/);
    expect((await at.verifyLedger(at.outside())).broken, "the ledger").toBeUndefined();
    expect([at.userHandle(id), at.decoys("nobody@example.com")]).toEqual([handle, made]);
  };

  const stranger = await processWith(B!);
  await expect(stranger.checkSecret()).rejects.toThrow(/^APP_SECRET: .* another secret.*APP_SECRET_OLD/);

  const during = await processWith(B!, A);
  await during.checkSecret();
  await works(during);
  await agree(during, id);
  const done = await during.rotateSecrets();
  expect(done).toEqual({ resealed: 2, unreadable: [] });
  expect(await during.rotateSecrets(), "a second time").toEqual({ resealed: 0, unreadable: [] });

  const after = await processWith(B!);
  await after.checkSecret();
  await works(after);
  const late = await processWith(A!);
  await expect(late.checkSecret(), "the former secret alone").rejects.toThrow(/^APP_SECRET: /);

  const again = await processWith(C!, B);
  await again.checkSecret();
  await again.rotateSecrets();
  const third = await processWith(C!);
  await third.checkSecret();
  await agree(third, id);
  await works(third);
});

it("names what no secret opens, and leaves alone what somebody changes meanwhile", async () => {
  const at = await processWith(C!);
  const { id } = await at.makeUser();
  const broken = await at.prisma().factor.create({
    data: { userId: id, kind: "totp", secretSealed: Buffer.from("x".repeat(40)) },
    select: { id: true },
  });
  expect(await at.rotateSecrets()).toEqual({ resealed: 0, unreadable: [`factors ${broken.id}`] });
});

it("knows every encrypted column", async () => {
  const { pool } = await processWith(C!);
  const { declared } = await import("@/server/core/domain");
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
