import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { FALLBACK_LOCALE, type Locale } from "@/server/core/locale";
import { isoMicros } from "@/server/core/time";
import type { readLegalText } from "../contract";
import { shippedText, shippedVersion } from "./read";
import { changesBetween } from "./texts";

/** Returns a text in force with the changes since the previous version. Public. */
export async function read(
  { db, locale }: Context,
  { params: { key } }: Input<typeof readLegalText>,
): Promise<Output<typeof readLegalText>> {
  const rows = await db.legalText.findMany({
    where: { key, locale: { in: [locale, FALLBACK_LOCALE] } },
    orderBy: { publishedAt: "desc" },
    select: { version: true, publishedAt: true, locale: true, body: true },
  });
  const [version, before] = new Set(rows.map((row) => row.version));
  const shipped = { version: shippedVersion(key), publishedAt: null, locale, body: shippedText(key, locale) };
  const named = (name: string) => {
    const found = rows.filter((row) => row.version === name);
    return found.find((row) => row.locale === locale) ?? found[0]!;
  };
  const now = version === undefined ? shipped : named(version);
  const last = version === undefined ? undefined : before === undefined ? shipped : named(before);
  const changes = last ? changesBetween(last.body, now.body) : [];
  return {
    success: true,
    text: {
      key,
      version: now.version,
      published_at: isoMicros(now.publishedAt),
      locale: now.locale as Locale,
      body: now.body,
      previous_version: last?.version ?? null,
      changes: changes.flatMap(({ kind, text }) => (kind === "same" ? [] : [{ kind, text }])),
    },
  };
}
