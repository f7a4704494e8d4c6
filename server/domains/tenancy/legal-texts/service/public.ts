import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { FALLBACK_LOCALE, type Locale } from "@/server/core/locale";
import { isoMicros } from "@/server/core/time";
import type { readLegalText } from "../contract";
import { shippedText, shippedVersion } from "./read";
import { changesBetween } from "./texts";

export async function read(
  { db, locale }: Context,
  { params: { key } }: Input<typeof readLegalText>,
): Promise<Output<typeof readLegalText>> {
  const rows = await db.legalText.findMany({
    where: { key, locale: { in: [locale, FALLBACK_LOCALE] } },
    orderBy: { publishedAt: "desc" },
    select: { version: true, publishedAt: true, locale: true, body: true },
  });
  const [version, previousVersion] = new Set(rows.map((row) => row.version));
  const shipped = { version: shippedVersion(key), publishedAt: null, locale, body: shippedText(key, locale) };
  const textNamed = (name: string) => {
    const translations = rows.filter((row) => row.version === name);
    return translations.find((row) => row.locale === locale) ?? translations[0]!;
  };
  const current = version === undefined ? shipped : textNamed(version);
  const previous =
    version === undefined ? undefined : previousVersion === undefined ? shipped : textNamed(previousVersion);
  const changes = previous ? changesBetween(previous.body, current.body) : [];
  return {
    success: true,
    text: {
      key,
      version: current.version,
      published_at: isoMicros(current.publishedAt),
      locale: current.locale as Locale,
      body: current.body,
      previous_version: previous?.version ?? null,
      changes: changes.flatMap(({ kind, text }) => (kind === "same" ? [] : [{ kind, text }])),
    },
  };
}
