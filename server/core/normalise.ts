/*
 * What people paste and type, brought into the form that a rule can check. Contracts apply these functions by type, so
 * REST, tRPC, forms and imports read the same text alike. None of them rejects anything, and each takes linear time.
 */

/** Invisible characters. Unicode calls some of them letters, and U+2800 a Braille pattern without dots. */
const UNSEEN = /[\s\x85\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Kept at the ends: overrides, which a rule refuses, and what changes the look of the character before, such as an emoji. */
const KEPT = /[\u202D\u202E]|[\u{E0020}-\u{E007F}]|\p{Variation_Selector}/u;
const FORMAT = /\p{Cf}/gu;
const SPACES = /[\p{Zs}\t]+/gu;
/** Dashes of every script, and the minus sign. */
const DASHES = /[\p{Pd}\u2043\u2212]/gu;
/** Separators between the groups of a code, and quotation marks around it. */
const PUNCTUATION = /[\p{P}\s]/gu;

/** Removes spaces and meaningless format characters at both ends; all of a text that shows nothing. */
export function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isLoose(text, start)) start += isPair(text, start) ? 2 : 1;
  while (end > start) {
    const last = end >= 2 && isPair(text, end - 2) ? end - 2 : end - 1;
    if (!isLoose(text, last)) break;
    end = last;
  }
  const rest = text.slice(start, end);
  return isUnseen(rest) ? "" : rest;
}

/** Whether a text has nothing to see, or one of its characters. */
function isUnseen(text: string): boolean {
  for (const character of text) if (!UNSEEN.test(character)) return false;
  return true;
}

const isPair = (text: string, at: number) => text.codePointAt(at)! > 0xffff;

function isLoose(text: string, at: number): boolean {
  const character = String.fromCodePoint(text.codePointAt(at)!);
  return UNSEEN.test(character) && !KEPT.test(character);
}

/** Digits of any script as 0 to 9. Unicode assigns each script ten code points in order. */
export function latinDigits(text: string): string {
  return text.replace(/[^\P{Nd}0-9]/gu, (digit) => {
    const code = digit.codePointAt(0)!;
    let zero = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return String((code - zero) % 10);
  });
}

/** Format characters that change nothing one sees in a line: soft hyphens, zero-width spaces, embeddings and isolates. */
const INVISIBLE = /[\u00AD\u180E\u200B\u202A-\u202C\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/gu;

/** One line of text in NFC. Joiners and direction marks stay: Arabic, Persian and emoji need them. */
export const lineText = (text: string) =>
  text
    .normalize("NFC")
    .replace(INVISIBLE, "")
    .replace(/\p{Zs}/gu, " ")
    .trim();

/** A search query: one line, without the direction overrides that telephone numbers are copied with. */
export const searchText = (text: string) => lineText(text.replace(/[\u202D\u202E]/g, ""));

/** All but raised and lowered digits: a footnote is not part of a number. */
const NOT_RAISED = /[^\xB2\xB3\xB9\u2070\u2074-\u2079\u2080-\u2089]+/g;

/** NFKC, but raised and lowered digits stay, for a rule to refuse. */
export const compatible = (text: string) => text.replace(NOT_RAISED, (part) => part.normalize("NFKC"));

/** NFKC without format characters, Latin digits, one kind of space and one kind of dash. */
export function plainNumber(text: string): string {
  return latinDigits(compatible(text).replace(FORMAT, "")).replace(SPACES, " ").replace(DASHES, "-");
}

const plain = (text: string) => plainNumber(text).trim();

/** A number or code in groups: without the spaces and dashes between them. */
export const ungroupedText = (text: string) => plain(text).replace(/[ -]/g, "");

/** A code of digits: `582 205`, `582-205` and `٥٨٢٢٠٥` are `582205`. */
export const codeText = (text: string) => plain(text).replace(PUNCTUATION, "");

/** A code of letters and digits in upper case, without spaces and dashes; Turkish keyboards write ı and İ for I. */
export const letterCodeText = (text: string) =>
  ungroupedText(text)
    .replace(/ı|İ|i\u0307/g, "I")
    .toUpperCase();

/** A code of letters and digits that is read aloud: upper case without separators, O is 0, I and L are 1. */
export function spokenCodeText(text: string): string {
  return letterCodeText(codeText(text)).replaceAll("O", "0").replace(/[IL]/g, "1");
}

/** A telephone number: without `tel:` and what ends a sentence, in digits, spaces and `+-().`. */
export function phoneText(text: string): string {
  return plain(text)
    .replace(/^tel: ?/i, "")
    .replace(/ ?[.,;]$/, "");
}

/** A day: `20.11.2027` is `2027-11-20`. */
export function dayText(text: string): string {
  const day = plain(text);
  const [, date, month, year] = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})$/.exec(day) ?? [];
  return year ? `${year}-${month!.padStart(2, "0")}-${date!.padStart(2, "0")}` : day;
}

/** İ is the capital i of Turkish; in lower case, other languages add a second dot to i. Addresses have neither. */
export const withoutDottedI = (text: string) => text.replace(/İ|I\u0307/g, "I").replace(/i\u0307/g, "i");

/** A web address: İ in its host as i. */
export const urlText = (text: string) => text.replace(/^[a-z]+:\/\/[^/?#]+/i, withoutDottedI);

/** An address of mail before its form is checked: NFKC, nothing invisible around it, İ as i, dots as they are mailed. */
export const emailText = (text: string) =>
  withoutDottedI(trimmed(compatible(text))).replaceAll("\u3002", ".");

/** The lira as we print it, at either end. Another currency stays, so that the amount is rejected. */
const LIRA = /^(?:₺|TRY|TL)|(?:₺|TRY|TL)$/gi;
const GROUPS = /^\d{1,3}(?:([., ’'])\d{3})(?:\1\d{3})*$/;
/** A thousand, or three decimals. */
const DOUBTFUL = /^\d{1,3}([.,])\d{3}$/;

/**
 * An amount as digits with a point before the decimals: `₺3.999,00`, `3,999.00` and `3 999,00` are `3999.00`. The last
 * separator is the decimal one when one or two digits follow it. `3.999` alone is 3,999 only where `decimal`, the decimal
 * mark of the reader, is a comma; without a reader, it stays as it is.
 */
export function amountText(text: string, decimal?: "." | ","): string {
  const written = plain(text)
    .replace(/\u066B/g, ",")
    .replace(/\u066C/g, ".");
  const bare = written
    .replace(LIRA, "")
    .replace(/[.,]-$/, "")
    .trim();
  const [, whole = bare, mark, decimals] = /^(.*\d)([.,])(\d{1,2})$/.exec(bare) ?? [];
  if (/^\d+$/.test(whole)) return decimals ? `${whole}.${decimals}` : whole;
  const [, group] = GROUPS.exec(whole) ?? [];
  if (!group || group === mark) return written;
  const [, doubtful] = DOUBTFUL.exec(written) ?? [];
  if (doubtful && (decimal === undefined || decimal === doubtful)) return written;
  return [whole.replace(/\D/g, ""), decimals].filter(Boolean).join(".");
}
