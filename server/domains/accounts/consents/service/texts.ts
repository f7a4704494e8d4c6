import { lazyValue } from "@/server/core/lazy-value";
import { FALLBACK_LOCALE, type Locale } from "@/server/core/locale";
import { formatText } from "@/server/core/texts";
import { SECOND } from "@/server/core/time";
import { type DbAccess, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import { CONSENT_VERSIONS, CONSENTS, type ConsentKey } from "../contract";

/** Loads the version of each text in force: the latest published one, or the built-in one of the messages. */
export async function loadCurrentTextVersions({
  db,
}: Pick<DbAccess, "db">): Promise<Record<ConsentKey, string>> {
  const rows = await db.legalText.findMany({
    where: { key: { in: [...CONSENTS] }, locale: FALLBACK_LOCALE },
    orderBy: { publishedAt: "asc" },
    select: { key: true, version: true },
  });
  return { ...CONSENT_VERSIONS, ...Object.fromEntries(rows.map(({ key, version }) => [key, version])) };
}

/** Returns the SHA-256 (hex) of a text's version, in the fallback language if `locale` has no text. */
export async function loadTextHash(
  { db }: Pick<DbAccess, "db">,
  { key, version, locale }: { key: ConsentKey; version: string; locale: Locale },
): Promise<string> {
  if (version === CONSENT_VERSIONS[key])
    return hashSecret(formatText(locale, `consents.${key}.text`)).toString("hex");
  const rows = await db.legalText.findMany({
    where: { key, version, locale: { in: [locale, FALLBACK_LOCALE] } },
    select: { locale: true, hash: true },
  });
  const row = rows.find((textRow) => textRow.locale === locale) ?? rows[0]!;
  return Buffer.from(row.hash).toString("hex");
}

async function loadPublishedTexts({ db }: Pick<DbAccess, "db">, locale: Locale): Promise<PublishedTexts> {
  const publishedVersions = Object.entries(await loadCurrentTextVersions({ db })).filter(
    ([key, version]) => version !== CONSENT_VERSIONS[key as ConsentKey],
  );
  if (publishedVersions.length === 0) return {};
  const rows = await db.legalText.findMany({
    where: {
      OR: publishedVersions.map(([key, version]) => ({ key, version })),
      locale: { in: [locale, FALLBACK_LOCALE] },
    },
    select: { key: true, locale: true, body: true },
  });
  // The requested language last: it overrides the fallback.
  const orderedRows = rows.sort((a, b) => Number(a.locale === locale) - Number(b.locale === locale));
  return Object.fromEntries(orderedRows.map(({ key, body }) => [key, body]));
}

type PublishedTexts = Partial<Record<ConsentKey, string>>;

const CACHE_TTL_MS = 5 * SECOND;
const textCache = lazyValue(() => new Map<Locale, { texts: PublishedTexts; expiresAt: number }>());

/** Returns cached published texts for pages. Serves stale ones while the database is unavailable. */
export async function getPublishedTexts(locale: Locale): Promise<PublishedTexts> {
  const cacheEntry = textCache().get(locale);
  if (cacheEntry && cacheEntry.expiresAt > Date.now()) return cacheEntry.texts;
  const texts = await loadPublishedTexts(withoutTransaction(), locale).catch(() => cacheEntry?.texts ?? {});
  textCache().set(locale, { texts, expiresAt: Date.now() + CACHE_TTL_MS });
  return texts;
}
