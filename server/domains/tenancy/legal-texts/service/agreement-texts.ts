import { FALLBACK_LOCALE, type Locale } from "@/server/core/locale";
import { formatText } from "@/server/core/texts";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import { lockSignatures } from "../statements";

export const AGREEMENT_KEY = "agreement";

/** The same lock as for signing, so that no version is published while a reseller signs. */
export async function lockLegalTexts(tx: Pick<DbAccess, "sql">): Promise<void> {
  await lockSignatures(tx);
}

const SHIPPED_VERSION = "0";

export interface AgreementText {
  version: string;
  locale: string;
  body: string;
  hash: Buffer<ArrayBuffer>;
  publishedAt: Date | null;
  requiredFrom: Date | null;
}

export async function findNewestAgreement(
  { db }: Pick<DbAccess, "db">,
  locale: Locale,
): Promise<AgreementText> {
  const newestVersion = await db.legalText.findFirst({
    where: { key: AGREEMENT_KEY },
    orderBy: { publishedAt: "desc" },
    select: { version: true },
  });
  return (
    (newestVersion && (await findAgreementVersion({ db }, newestVersion.version, locale))) ||
    getShippedAgreement(locale)
  );
}

/** Falls back to Turkish. Undefined for an unknown version, such as `paper`. */
export async function findAgreementVersion(
  { db }: Pick<DbAccess, "db">,
  version: string,
  locale: Locale,
): Promise<AgreementText | undefined> {
  if (version === SHIPPED_VERSION) return getShippedAgreement(locale);
  const rows = await db.legalText.findMany({
    where: { key: AGREEMENT_KEY, version, locale: { in: [locale, FALLBACK_LOCALE] } },
    select: { locale: true, body: true, publishedAt: true, requiredFrom: true },
  });
  const row = rows.find((translation) => translation.locale === locale) ?? rows[0];
  return row && { ...row, version, hash: Buffer.from(hashSecret(row.body)) };
}

function getShippedAgreement(locale: Locale): AgreementText {
  const body = formatText(locale, "agreementText.body");
  return {
    version: SHIPPED_VERSION,
    locale,
    body,
    hash: Buffer.from(hashSecret(body)),
    publishedAt: null,
    requiredFrom: null,
  };
}

interface ParagraphDiff {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Compares the paragraphs of two texts by their longest common subsequence. */
export function diffParagraphs(oldText: string, newText: string): ParagraphDiff[] {
  const [oldParagraphs, newParagraphs] = [splitParagraphs(oldText), splitParagraphs(newText)];
  const commonLengths = Array.from({ length: oldParagraphs.length + 1 }, () =>
    new Array<number>(newParagraphs.length + 1).fill(0),
  );
  for (let i = oldParagraphs.length - 1; i >= 0; i--)
    for (let j = newParagraphs.length - 1; j >= 0; j--)
      commonLengths[i]![j] =
        oldParagraphs[i] === newParagraphs[j]
          ? commonLengths[i + 1]![j + 1]! + 1
          : Math.max(commonLengths[i + 1]![j]!, commonLengths[i]![j + 1]!);
  const paragraphDiffs: ParagraphDiff[] = [];
  for (let [i, j] = [0, 0]; i < oldParagraphs.length || j < newParagraphs.length; ) {
    if (i < oldParagraphs.length && j < newParagraphs.length && oldParagraphs[i] === newParagraphs[j]) {
      paragraphDiffs.push({ kind: "same", text: oldParagraphs[i]! });
      i++;
      j++;
    } else if (
      i < oldParagraphs.length &&
      (j === newParagraphs.length || commonLengths[i + 1]![j]! >= commonLengths[i]![j + 1]!)
    )
      paragraphDiffs.push({ kind: "removed", text: oldParagraphs[i++]! });
    else paragraphDiffs.push({ kind: "added", text: newParagraphs[j++]! });
  }
  return paragraphDiffs;
}

function splitParagraphs(body: string): string[] {
  return body
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean);
}
