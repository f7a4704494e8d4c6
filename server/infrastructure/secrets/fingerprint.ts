import { SettingsError } from "@/server/core/env";
import { type DbAccess, inTransaction } from "@/server/infrastructure/database/transaction";
import { getAppSecret, getFormerSecrets } from "./app-secret";
import { deriveKeyFrom, type KeysByPurpose, setStoredKeys } from "./derive";
import { seal, unseal } from "./seal";

const KEYS_SEAL_PURPOSE = "former_keys";

/** Purposes whose keys verify stored hashes and MACs, which no new secret can recompute. Add new ones. */
const VERIFICATION_PURPOSES = [
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

function computeFingerprint(secret: string): string {
  return deriveKeyFrom(secret, "fingerprint").toString("hex").slice(0, 32);
}

/** Throws {@link SettingsError} unless the database belongs to a configured secret; loads stored keys. */
export async function checkAppSecret(): Promise<void> {
  await inTransaction(async ({ db }) => {
    const configuredFingerprints = [getAppSecret(), ...getFormerSecrets()].map(computeFingerprint);
    // Processes may start together: one writes, all read.
    await db.appSecret.createMany({
      data: [{ fingerprint: configuredFingerprints[0]! }],
      skipDuplicates: true,
    });
    const rows = await db.appSecret.findMany({
      orderBy: { createdAt: "desc" },
      select: { fingerprint: true, keysSealed: true },
    });
    const currentRow = rows.find(({ keysSealed }) => !keysSealed);
    if (!currentRow || !configuredFingerprints.includes(currentRow.fingerprint))
      throw new SettingsError(
        "APP_SECRET: this database was written under another secret. Set that one; to change it, set the new one as " +
          "APP_SECRET and the former one as APP_SECRET_OLD, and see docs/secrets.md.",
      );
    setStoredKeys(
      rows.flatMap(({ keysSealed }) =>
        keysSealed ? [JSON.parse(unseal(keysSealed, KEYS_SEAL_PURPOSE)) as KeysByPurpose] : [],
      ),
    );
  });
}

/** Makes APP_SECRET the current secret and seals the former one's required keys under it. */
export async function adoptAppSecret({ db }: Pick<DbAccess, "db">): Promise<void> {
  const currentFingerprint = computeFingerprint(getAppSecret());
  const rows = await db.appSecret.findMany({ select: { fingerprint: true, keysSealed: true } });
  for (const { fingerprint, keysSealed } of rows) {
    if (fingerprint === currentFingerprint) continue;
    const secret = getFormerSecrets().find((each) => computeFingerprint(each) === fingerprint);
    const keysJson = keysSealed
      ? unseal(keysSealed, KEYS_SEAL_PURPOSE)
      : secret && JSON.stringify(deriveVerificationKeys(secret));
    if (!keysJson)
      throw new SettingsError("APP_SECRET_OLD: the secret that the database was written under is missing");
    await db.appSecret.update({
      where: { fingerprint },
      data: { keysSealed: seal(keysJson, KEYS_SEAL_PURPOSE) },
      select: { fingerprint: true },
    });
  }
  await db.appSecret.upsert({
    where: { fingerprint: currentFingerprint },
    create: { fingerprint: currentFingerprint },
    update: { keysSealed: null },
    select: { fingerprint: true },
  });
}

function deriveVerificationKeys(secret: string): KeysByPurpose {
  return Object.fromEntries(
    VERIFICATION_PURPOSES.map((purpose) => [purpose, deriveKeyFrom(secret, purpose).toString("hex")]),
  );
}
