import type { Context } from "@/server/core/context";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import {
  CONSENTS,
  type ConsentKey,
  type Consents,
  MANDATORY_CONSENTS,
  type MandatoryConsent,
} from "../contract";
import { countGrantedConsents, listLatestConsents, listMissingConsents } from "../statements";
import { appendConsentEntries, type NewConsentEntry } from "./ledger";
import { loadCurrentTextVersions, loadTextHash } from "./texts";

/** Origin of an answer. `role`: recorded as not given when an administrator got another role. */
export type ConsentSource = "register" | "profile" | "provider" | "invitation" | "role";

export async function recordConsents(
  tx: Pick<Context, "db" | "sql" | "locale" | "userAgent"> & { ip: string | null },
  { userId, consents, source }: { userId: number; consents: Consents; source: ConsentSource },
): Promise<void> {
  const keys = CONSENTS.filter((key) => consents[key] !== undefined && consents[key] !== null);
  if (keys.length === 0) return;
  const currentVersions = await loadCurrentTextVersions(tx);
  const entries: NewConsentEntry[] = [];
  for (const key of keys) {
    const [version, locale] = [currentVersions[key], tx.locale];
    entries.push({
      userId,
      key,
      granted: consents[key] === true,
      textVersion: version,
      textHash: await loadTextHash(tx, { key, version, locale }),
      locale,
      ip: tx.ip,
      userAgent: tx.userAgent?.slice(0, 500) ?? null,
      source,
    });
  }
  await appendConsentEntries(tx, entries);
}

export type LatestConsent = Awaited<ReturnType<typeof listLatestConsents>>[number];

export async function loadLatestConsents(
  access: Pick<DbAccess, "sql">,
  userId: number,
): Promise<Map<ConsentKey, LatestConsent>> {
  const rows = await listLatestConsents(access, { userId });
  return new Map(rows.map((row) => [row.key, row]));
}

/** Finds mandatory consents given to an outdated text. The panel asks for them again. */
export function findOutdatedConsentKeys(
  latestByKey: Map<ConsentKey, LatestConsent>,
  currentVersions: Record<ConsentKey, string>,
): MandatoryConsent[] {
  return MANDATORY_CONSENTS.filter((key) => {
    const latestAnswer = latestByKey.get(key);
    return latestAnswer?.granted === true && latestAnswer.textVersion !== currentVersions[key];
  });
}

/** Accounts from an identity provider, claimed accounts and former administrators may lack consents. */
export async function findMissingConsentKeys(
  access: Pick<DbAccess, "sql">,
  userId: number,
): Promise<MandatoryConsent[]> {
  return (await listMissingConsents(access, { userId })).map(({ key }) => key);
}

/** Records unanswered mandatory consents as not given: they become required. Lock the account first. */
export async function recordUnansweredConsents(
  tx: Pick<Context, "db" | "sql" | "locale">,
  userId: number,
): Promise<void> {
  const latestByKey = await loadLatestConsents(tx, userId);
  const unansweredKeys = MANDATORY_CONSENTS.filter((key) => !latestByKey.has(key));
  const consents = Object.fromEntries(unansweredKeys.map((key) => [key, false]));
  // IP address and browser of the request belong to another administrator.
  const { db, sql, locale } = tx;
  await recordConsents({ db, sql, locale, ip: null, userAgent: null }, { userId, consents, source: "role" });
}

export async function countConsentingAccounts(
  access: Pick<DbAccess, "sql">,
  key: ConsentKey,
): Promise<number> {
  const [row] = await countGrantedConsents(access, { key });
  return row?.count ?? 0;
}
