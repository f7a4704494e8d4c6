/*
 * What people paste and type, brought into the form that a rule can check. Contracts apply these functions by type, so
 * REST, tRPC, forms and imports read the same text alike. None of them rejects anything, and each takes linear time.
 */

/** Format characters around a text, as address books and chats copy them, except the two direction overrides. */
const ENDS = /[\s\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202C\u2060-\u2064\u2066-\u2069\uFEFF]/u;
const FORMAT = /\p{Cf}/gu;
const SPACES = /[\p{Zs}\t]+/gu;
/** Dashes of every script, and the minus sign. */
const DASHES = /[\p{Pd}\u2043\u2212]/gu;
/** Separators between the groups of a code, and quotation marks around it. */
const PUNCTUATION = /[\p{P}\s]/gu;

/** Removes spaces and meaningless format characters at both ends. */
export function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && ENDS.test(text[start]!)) start++;
  while (end > start && ENDS.test(text[end - 1]!)) end--;
  return text.slice(start, end);
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
const INVISIBLE = /[\u00AD\u180E\u200B\u202A-\u202C\u2060-\u2064\u2066-\u2069\uFEFF]/gu;

/** One line of text in NFC. Joiners and direction marks stay: Arabic, Persian and emoji need them. */
export const lineText = (text: string) =>
  text
    .normalize("NFC")
    .replace(INVISIBLE, "")
    .replace(/\p{Zs}/gu, " ")
    .trim();

/** NFKC without format characters, Latin digits, one kind of space and one kind of dash. */
export function plainNumber(text: string): string {
  return latinDigits(text.normalize("NFKC").replace(FORMAT, "")).replace(SPACES, " ").replace(DASHES, "-");
}

const plain = (text: string) => plainNumber(text).trim();

/** A number or code in groups: without the spaces and dashes between them. */
export const ungroupedText = (text: string) => plain(text).replace(/[ -]/g, "");

/** A code of digits: `582 205`, `582-205` and `٥٨٢٢٠٥` are `582205`. */
export const codeText = (text: string) => plain(text).replace(PUNCTUATION, "");

/** A code of letters and digits that is read aloud: upper case without separators, O is 0, I and L are 1. */
export function spokenCodeText(text: string): string {
  return codeText(text).replace(/[ıİ]/g, "I").toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1");
}

/** Digits of the longest telephone number (E.164); a slash in more of them separates two numbers. */
const PHONE_DIGITS = 15;

/** A telephone number: without `tel:` and what ends a sentence, in digits, spaces and `+-().`. */
export function phoneText(text: string): string {
  const written = plain(text)
    .replace(/^tel: ?/i, "")
    .replace(/ ?[.,;]$/, "");
  return written.replace(/\D/g, "").length > PHONE_DIGITS ? written : written.replace(/ ?\/ ?/, " ");
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

/** An address of mail before its form is checked: NFKC, nothing invisible around it, İ as i. */
export const emailText = (text: string) => withoutDottedI(trimmed(text.normalize("NFKC")));

/** The lira as we print it, at either end. Another currency stays, so that the amount is rejected. */
const LIRA = /^(?:₺|TRY|TL)|(?:₺|TRY|TL)$/gi;
const GROUPS = /^\d{1,3}(?:([., ’'])\d{3})(?:\1\d{3})*$/;

/**
 * An amount as digits with a point before the decimals: `₺3.999,00`, `3,999.00` and `3 999,00` are `3999.00`. The last
 * separator is the decimal one when one or two digits follow it. `3.999` alone is an amount of 3,999 only where a comma is
 * decimal: for a program, it has three decimals.
 */
export function amountText(text: string, decimal: "." | "," = "."): string {
  const written = plain(text)
    .replace(/\u066B/g, ",")
    .replace(/\u066C/g, ".");
  const bare = written
    .replace(LIRA, "")
    .replace(/[.,]-$/, "")
    .trim();
  const [, whole = bare, decimals] = /^(.*\d)[.,](\d{1,2})$/.exec(bare) ?? [];
  if (/^\d+$/.test(whole)) return decimals ? `${whole}.${decimals}` : whole;
  if (!GROUPS.test(whole)) return written;
  const isAmbiguous = decimal === "." && decimals === undefined && /^\d+\.\d{3}$/.test(written);
  return isAmbiguous ? written : [whole.replace(/\D/g, ""), decimals].filter(Boolean).join(".");
}
