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
  const findTextOfVersion = (versionName: string) => {
    const translations = rows.filter((row) => row.version === versionName);
    return translations.find((row) => row.locale === locale) ?? translations[0]!;
  };
  const currentText = version === undefined ? shippedRow : findTextOfVersion(version);
  const previousText =
    version === undefined
      ? undefined
      : previousVersion === undefined
        ? shippedRow
        : findTextOfVersion(previousVersion);
  const paragraphDiffs = previousText ? diffParagraphs(previousText.body, currentText.body) : [];
  return {
    success: true,
    text: {
      key,
      version: currentText.version,
      published_at: toIsoMicros(currentText.publishedAt),
      locale: currentText.locale as Locale,
      body: currentText.body,
      previous_version: previousText?.version ?? null,
      changes: paragraphDiffs.flatMap(({ kind, text }) => (kind === "same" ? [] : [{ kind, text }])),
    },
  };
}
