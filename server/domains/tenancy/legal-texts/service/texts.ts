import { FALLBACK_LOCALE, type Locale } from "@/server/core/locale";
import { text } from "@/server/core/texts";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { digest } from "@/server/infrastructure/secrets/tokens";
import { lockSignatures } from "../statements";

export const AGREEMENT = "agreement";

/** Serialises publishing and signing until the transaction ends. */
export async function lockTexts(tx: Pick<DbAccess, "sql">): Promise<void> {
  await lockSignatures(tx);
}

const SHIPPED = "0";

export interface AgreementText {
  version: string;
  locale: string;
  body: string;
  hash: Buffer<ArrayBuffer>;
  publishedAt: Date | null;
  requiredFrom: Date | null;
}

export async function newestText({ db }: Pick<DbAccess, "db">, locale: Locale): Promise<AgreementText> {
  const newest = await db.legalText.findFirst({
    where: { key: AGREEMENT },
    orderBy: { publishedAt: "desc" },
    select: { version: true },
  });
  return (newest && (await textOf({ db }, newest.version, locale))) || shipped(locale);
}

/** Returns a version, in Turkish if not translated; undefined if unknown, as for `paper`. */
export async function textOf(
  { db }: Pick<DbAccess, "db">,
  version: string,
  locale: Locale,
): Promise<AgreementText | undefined> {
  if (version === SHIPPED) return shipped(locale);
  const rows = await db.legalText.findMany({
    where: { key: AGREEMENT, version, locale: { in: [locale, FALLBACK_LOCALE] } },
    select: { locale: true, body: true, publishedAt: true, requiredFrom: true },
  });
  const row = rows.find((each) => each.locale === locale) ?? rows[0];
  return row && { ...row, version, hash: Buffer.from(digest(row.body)) };
}

function shipped(locale: Locale): AgreementText {
  const body = text(locale, "agreementText.body");
  return {
    version: SHIPPED,
    locale,
    body,
    hash: Buffer.from(digest(body)),
    publishedAt: null,
    requiredFrom: null,
  };
}

interface Change {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Compares the paragraphs of two texts by their longest common subsequence. */
export function changesBetween(before: string, after: string): Change[] {
  const [a, b] = [paragraphs(before), paragraphs(after)];
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i]![j] =
        a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const changes: Change[] = [];
  for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      changes.push({ kind: "same", text: a[i]! });
      i++;
      j++;
    } else if (i < a.length && (j === b.length || lengths[i + 1]![j]! >= lengths[i]![j + 1]!))
      changes.push({ kind: "removed", text: a[i++]! });
    else changes.push({ kind: "added", text: b[j++]! });
  }
  return changes;
}

function paragraphs(body: string): string[] {
  return body
    .split(/\n\s*\n/)
    .map((each) => each.trim())
    .filter(Boolean);
}
