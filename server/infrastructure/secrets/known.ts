import { SettingsError } from "@/server/core/env";
import { inTransaction, type Work } from "@/server/infrastructure/database/transaction";
import { appSecret, formerSecrets } from "./app-secret";
import { type KeysByPurpose, keepKeys, keyOf } from "./derive";
import { seal, unseal } from "./seal";

const PURPOSE = "former_keys";

/** Purposes whose keys check rows that nobody can write again: what they were made of is not stored. */
const KEPT = [
  "agreements",
  "agreements:erased",
  "agreements:head",
  "audit",
  "code",
  "consents",
  "consents:erased",
  "consents:head",
  "passkeys",
];

/** Tells secrets apart without telling anything about them. */
function fingerprintOf(secret: string): string {
  return keyOf(secret, "fingerprint").toString("hex").slice(0, 32);
}

/**
 * Compares APP_SECRET with the one that the database was written under, and loads the kept keys of those before. The
 * first start writes the fingerprint. Throws {@link SettingsError} when neither APP_SECRET nor APP_SECRET_OLD fits.
 */
export async function checkSecret(): Promise<void> {
  await inTransaction(async ({ db }) => {
    const given = [appSecret(), ...formerSecrets()].map(fingerprintOf);
    // Of two processes that start at once, one writes and both read.
    await db.appSecret.createMany({ data: [{ fingerprint: given[0]! }], skipDuplicates: true });
    const rows = await db.appSecret.findMany({
      orderBy: { createdAt: "desc" },
      select: { fingerprint: true, keysSealed: true },
    });
    const current = rows.find(({ keysSealed }) => !keysSealed);
    if (!current || !given.includes(current.fingerprint))
      throw new SettingsError(
        "APP_SECRET: this database was written under another secret. Set that one; to change it, set the new one as " +
          "APP_SECRET and the former one as APP_SECRET_OLD, and see docs/secrets.md.",
      );
    keepKeys(
      rows.flatMap(({ keysSealed }) =>
        keysSealed ? [JSON.parse(unseal(keysSealed, PURPOSE)) as KeysByPurpose] : [],
      ),
    );
  });
}

/** Makes APP_SECRET the current one: the former's keys that are still needed are sealed under it. */
export async function adoptSecret({ db }: Pick<Work, "db">): Promise<void> {
  const now = fingerprintOf(appSecret());
  const rows = await db.appSecret.findMany({ select: { fingerprint: true, keysSealed: true } });
  for (const { fingerprint, keysSealed } of rows) {
    if (fingerprint === now) continue;
    const secret = formerSecrets().find((each) => fingerprintOf(each) === fingerprint);
    const keys = keysSealed ? unseal(keysSealed, PURPOSE) : secret && JSON.stringify(keptOf(secret));
    if (!keys)
      throw new SettingsError("APP_SECRET_OLD: the secret that the database was written under is missing");
    await db.appSecret.update({
      where: { fingerprint },
      data: { keysSealed: seal(keys, PURPOSE) },
      select: { fingerprint: true },
    });
  }
  await db.appSecret.upsert({
    where: { fingerprint: now },
    create: { fingerprint: now },
    update: { keysSealed: null },
    select: { fingerprint: true },
  });
}

function keptOf(secret: string): KeysByPurpose {
  return Object.fromEntries(KEPT.map((purpose) => [purpose, keyOf(secret, purpose).toString("hex")]));
}
