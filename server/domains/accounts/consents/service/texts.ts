import { lazyValue } from "@/server/core/lazy-value";
import { FALLBACK_LOCALE, type Locale } from "@/server/core/locale";
import { text } from "@/server/core/texts";
import { SECOND } from "@/server/core/time";
import { type DbAccess, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { digest } from "@/server/infrastructure/secrets/tokens";
import { CONSENT_VERSIONS, CONSENTS, type ConsentKey } from "../contract";

/** Returns the current version of each text: the latest published one, else the dictionary's. */
export async function currentVersions({ db }: Pick<DbAccess, "db">): Promise<Record<ConsentKey, string>> {
  const rows = await db.legalText.findMany({
    where: { key: { in: [...CONSENTS] }, locale: FALLBACK_LOCALE },
    orderBy: { publishedAt: "asc" },
    select: { key: true, version: true },
  });
  return { ...CONSENT_VERSIONS, ...Object.fromEntries(rows.map(({ key, version }) => [key, version])) };
}

/** Returns the SHA-256 (hex) of a version in a language, else in the fallback language. */
export async function textHash(
  { db }: Pick<DbAccess, "db">,
  { key, version, locale }: { key: ConsentKey; version: string; locale: Locale },
): Promise<string> {
  if (version === CONSENT_VERSIONS[key]) return digest(text(locale, `consents.${key}.text`)).toString("hex");
  const rows = await db.legalText.findMany({
    where: { key, version, locale: { in: [locale, FALLBACK_LOCALE] } },
    select: { locale: true, hash: true },
  });
  const row = rows.find((each) => each.locale === locale) ?? rows[0]!;
  return Buffer.from(row.hash).toString("hex");
}

/** Loads the published texts in a language, else in the fallback language. Omits unpublished keys. */
async function publishedTexts({ db }: Pick<DbAccess, "db">, locale: Locale): Promise<Published> {
  const versions = Object.entries(await currentVersions({ db })).filter(
    ([key, version]) => version !== CONSENT_VERSIONS[key as ConsentKey],
  );
  if (versions.length === 0) return {};
  const rows = await db.legalText.findMany({
    where: {
      OR: versions.map(([key, version]) => ({ key, version })),
      locale: { in: [locale, FALLBACK_LOCALE] },
    },
    select: { key: true, locale: true, body: true },
  });
  // The requested language last: it overrides the fallback.
  const ordered = rows.sort((a, b) => Number(a.locale === locale) - Number(b.locale === locale));
  return Object.fromEntries(ordered.map(({ key, body }) => [key, body]));
}

type Published = Partial<Record<ConsentKey, string>>;

const TIME_TO_LIVE = 5 * SECOND;
const textCache = lazyValue(() => new Map<Locale, { texts: Published; until: number }>());

/** Returns cached published texts for pages. Serves stale ones while the database is unavailable. */
export async function cachedTexts(locale: Locale): Promise<Published> {
  const cached = textCache().get(locale);
  if (cached && cached.until > Date.now()) return cached.texts;
  const texts = await publishedTexts(withoutTransaction(), locale).catch(() => cached?.texts ?? {});
  textCache().set(locale, { texts, until: Date.now() + TIME_TO_LIVE });
  return texts;
}
