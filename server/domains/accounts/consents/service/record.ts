import type { Context } from "@/server/core/context";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import {
  CONSENTS,
  type ConsentKey,
  type Consents,
  MANDATORY_CONSENTS,
  type MandatoryConsent,
} from "../contract";
import { countGrantedRows, listLatest, listMissing } from "../statements";
import { appendEntries, type Entry } from "./ledger";
import { currentVersions, textHash } from "./texts";

/** Origin of a consent; `role` is required after a change from administrator to another role. */
export type ConsentSource = "register" | "profile" | "provider" | "invitation" | "role";

/** Appends one row per answered consent. Rows are never updated. */
export async function recordConsents(
  tx: Pick<Context, "db" | "sql" | "locale" | "userAgent"> & { ip: string | null },
  { userId, consents, source }: { userId: number; consents: Consents; source: ConsentSource },
): Promise<void> {
  const keys = CONSENTS.filter((key) => consents[key] !== undefined && consents[key] !== null);
  if (keys.length === 0) return;
  const versions = await currentVersions(tx);
  const entries: Entry[] = [];
  for (const key of keys) {
    const [version, locale] = [versions[key], tx.locale];
    entries.push({
      userId,
      key,
      granted: consents[key] === true,
      textVersion: version,
      textHash: await textHash(tx, { key, version, locale }),
      locale,
      ip: tx.ip,
      userAgent: tx.userAgent?.slice(0, 500) ?? null,
      source,
    });
  }
  await appendEntries(tx, entries);
}

export type Latest = Awaited<ReturnType<typeof listLatest>>[number];

export async function latestConsents(
  work: Pick<DbAccess, "sql">,
  userId: number,
): Promise<Map<ConsentKey, Latest>> {
  const rows = await listLatest(work, { userId });
  return new Map(rows.map((row) => [row.key, row]));
}

/** Returns mandatory consents given to an outdated text. The panel asks for them again. */
export function changedMandatory(
  latest: Map<ConsentKey, Latest>,
  versions: Record<ConsentKey, string>,
): MandatoryConsent[] {
  return MANDATORY_CONSENTS.filter((key) => {
    const latestAnswer = latest.get(key);
    return latestAnswer?.granted === true && latestAnswer.textVersion !== versions[key];
  });
}

/**
 * Returns mandatory consents that an account still has to give. Accounts from an identity provider, claimed
 * accounts and former administrators may lack them; every other way to open an account requires them first.
 */
export async function missingMandatory(
  work: Pick<DbAccess, "sql">,
  userId: number,
): Promise<MandatoryConsent[]> {
  return (await listMissing(work, { userId })).map(({ key }) => key);
}

/** Requires the mandatory consents that a former administrator never answered. Lock the account first. */
export async function requireMandatoryConsents(
  tx: Pick<Context, "db" | "sql" | "locale">,
  userId: number,
): Promise<void> {
  const latest = await latestConsents(tx, userId);
  const unanswered = MANDATORY_CONSENTS.filter((key) => !latest.has(key));
  const consents = Object.fromEntries(unanswered.map((key) => [key, false]));
  // IP address and browser of the request belong to another administrator.
  const { db, sql, locale } = tx;
  await recordConsents({ db, sql, locale, ip: null, userAgent: null }, { userId, consents, source: "role" });
}

/** Counts accounts with a consent in force, for any version of its text. */
export async function countGranted(work: Pick<DbAccess, "sql">, key: ConsentKey): Promise<number> {
  const [row] = await countGrantedRows(work, { key });
  return row?.count ?? 0;
}
