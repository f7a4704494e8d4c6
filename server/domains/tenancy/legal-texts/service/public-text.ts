import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { FALLBACK_LOCALE, type Locale } from "@/server/core/locale";
import { toIsoMicros } from "@/server/core/time";
import type { readLegalText } from "../contract";
import { diffParagraphs } from "./agreement-texts";
import { getShippedText, getShippedVersion } from "./current-text";

export async function readPublicText(
  { db, locale }: Context,
  { params: { key } }: Input<typeof readLegalText>,
): Promise<Output<typeof readLegalText>> {
  const rows = await db.legalText.findMany({
    where: { key, locale: { in: [locale, FALLBACK_LOCALE] } },
    orderBy: { publishedAt: "desc" },
    select: { version: true, publishedAt: true, locale: true, body: true },
  });
  const [version, previousVersion] = new Set(rows.map((row) => row.version));
  const shippedRow = {
    version: getShippedVersion(key),
    publishedAt: null,
    locale,
    body: getShippedText(key, locale),
  };
  const findVersion = (name: string) => {
    const translations = rows.filter((row) => row.version === name);
    return translations.find((row) => row.locale === locale) ?? translations[0]!;
  };
  const current = version === undefined ? shippedRow : findVersion(version);
  const previous =
    version === undefined
      ? undefined
      : previousVersion === undefined
        ? shippedRow
        : findVersion(previousVersion);
  const changes = previous ? diffParagraphs(previous.body, current.body) : [];
  return {
    success: true,
    text: {
      key,
      version: current.version,
      published_at: toIsoMicros(current.publishedAt),
      locale: current.locale as Locale,
      body: current.body,
      previous_version: previous?.version ?? null,
      changes: changes.flatMap(({ kind, text }) => (kind === "same" ? [] : [{ kind, text }])),
    },
  };
}
