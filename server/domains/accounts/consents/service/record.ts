import type { Context } from "@/server/core/context";
import type { Work } from "@/server/infrastructure/database/transaction";
import {
  CONSENTS,
  type ConsentKey,
  type Consents,
  MANDATORY_CONSENTS,
  type MandatoryConsent,
} from "../contract";
import { countGrantedRows, listLatest, listMissing } from "../statements";
import { appendEntries, type Entry } from "./ledger";
import { textHash, versionsInForce } from "./texts";

/** Where a consent was given. */
export type ConsentSource = "register" | "profile" | "provider" | "invitation" | "role";

/**
 * Records what a person agreed to, one row for each key given: with the version and hash of the text in the language
 * it was shown in, the address and the browser. Rows are never changed.
 */
export async function recordConsents(
  tx: Pick<Context, "db" | "sql" | "locale" | "userAgent"> & { ip: string | null },
  { userId, consents, source }: { userId: number; consents: Consents; source: ConsentSource },
): Promise<void> {
  const keys = CONSENTS.filter((key) => consents[key] !== undefined && consents[key] !== null);
  if (keys.length === 0) return;
  const versions = await versionsInForce(tx);
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

/** The newest row of each key. */
export type Latest = Awaited<ReturnType<typeof listLatest>>[number];

/** Returns the newest decision of an account for each key. */
export async function latestConsents(
  work: Pick<Work, "sql">,
  userId: number,
): Promise<Map<ConsentKey, Latest>> {
  const rows = await listLatest(work, { userId });
  return new Map(rows.map((row) => [row.key, row]));
}

/** Returns the mandatory consents given to a text that has changed since: the panel asks again. */
export function changedMandatory(
  latest: Map<ConsentKey, Latest>,
  versions: Record<ConsentKey, string>,
): MandatoryConsent[] {
  return MANDATORY_CONSENTS.filter((key) => {
    const given = latest.get(key);
    return given?.granted === true && given.textVersion !== versions[key];
  });
}

/**
 * Returns the mandatory consents that an account still has to give. An identity provider may open an account without
 * them, and a claimed account or a former administrator has to give them. Every other way to open an account requires
 * them first. Administrators give none.
 */
export async function missingMandatory(work: Pick<Work, "sql">, userId: number): Promise<MandatoryConsent[]> {
  return (await listMissing(work, { userId })).map(({ key }) => key);
}

/** Requires the mandatory consents that a former administrator was never asked for. Lock the account first. */
export async function requireFromNow(
  tx: Pick<Context, "db" | "sql" | "locale">,
  userId: number,
): Promise<void> {
  const latest = await latestConsents(tx, userId);
  const open = MANDATORY_CONSENTS.filter((key) => !latest.has(key));
  const consents = Object.fromEntries(open.map((key) => [key, false]));
  // Address and browser of the request belong to another administrator.
  const { db, sql, locale } = tx;
  await recordConsents({ db, sql, locale, ip: null, userAgent: null }, { userId, consents, source: "role" });
}

/** How many accounts have given a consent, to whatever version, and not withdrawn it. */
export async function countGranted(work: Pick<Work, "sql">, key: ConsentKey): Promise<number> {
  const [row] = await countGrantedRows(work, { key });
  return row?.count ?? 0;
}
