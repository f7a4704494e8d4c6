/* Normalises typed and pasted text. Functions never reject input and take linear time. */

/** Invisible characters; U+2800 is a Braille pattern without dots. */
const INVISIBLE_CHARACTER = /[\s\x85\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Not trimmed: overrides, which validation rejects, and modifiers such as emoji selectors. */
const NOT_TRIMMED = /[\u202D\u202E]|[\u{E0020}-\u{E007F}]|\p{Variation_Selector}/u;
const FORMAT_CHARACTERS = /\p{Cf}/gu;
const SPACES = /[\p{Zs}\t]+/gu;
const DASHES = /[\p{Pd}\u2043\u2212]/gu;
/** Separators within a code and quotation marks around it. */
const PUNCTUATION = /[\p{P}\s]/gu;

/** Trims spaces and invisible characters; returns "" for text without visible characters. */
export function trimInvisible(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isTrimmable(text, start)) start += isSurrogatePair(text, start) ? 2 : 1;
  while (end > start) {
    const lastIndex = end >= 2 && isSurrogatePair(text, end - 2) ? end - 2 : end - 1;
    if (!isTrimmable(text, lastIndex)) break;
    end = lastIndex;
  }
  const trimmed = text.slice(start, end);
  return isInvisible(trimmed) ? "" : trimmed;
}

function isInvisible(text: string): boolean {
  for (const character of text) if (!INVISIBLE_CHARACTER.test(character)) return false;
  return true;
}

const isSurrogatePair = (text: string, index: number) => text.codePointAt(index)! > 0xffff;

function isTrimmable(text: string, index: number): boolean {
  const character = String.fromCodePoint(text.codePointAt(index)!);
  return INVISIBLE_CHARACTER.test(character) && !NOT_TRIMMED.test(character);
}

/** Converts digits of any script to 0-9: each script has ten consecutive code points. */
export function toLatinDigits(text: string): string {
  return text.replace(/[^\P{Nd}0-9]/gu, (digit) => {
    const code = digit.codePointAt(0)!;
    let zero = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return String((code - zero) % 10);
  });
}

const INVISIBLE_FORMAT_CHARACTERS = /[\u00AD\u180E\u200B\u202A-\u202C\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/gu;

/** Normalises one line to NFC. Keeps joiners and direction marks, which Arabic, Persian and emoji need. */
export const normaliseLine = (text: string) =>
  text
    .normalize("NFC")
    .replace(INVISIBLE_FORMAT_CHARACTERS, "")
    .replace(/\p{Zs}/gu, " ")
    .trim();

/** Like {@link normaliseLine}, without the direction overrides of copied phone numbers. */
export const normaliseSearch = (text: string) => normaliseLine(text.replace(/[\u202D\u202E]/g, ""));

/** Everything but superscript and subscript digits: a footnote mark is not part of a number. */
const NOT_RAISED = /[^\xB2\xB3\xB9\u2070\u2074-\u2079\u2080-\u2089]+/g;

/** NFKC, except for superscript and subscript digits, which validation rejects. */
export const toCompatible = (text: string) => text.replace(NOT_RAISED, (part) => part.normalize("NFKC"));

/** NFKC with Latin digits, plain spaces and plain dashes; without format characters. */
export function normaliseNumber(text: string): string {
  return toLatinDigits(toCompatible(text).replace(FORMAT_CHARACTERS, ""))
    .replace(SPACES, " ")
    .replace(DASHES, "-");
}

const normaliseTrimmedNumber = (text: string) => normaliseNumber(text).trim();

export const removeSpacesAndDashes = (text: string) => normaliseTrimmedNumber(text).replace(/[ -]/g, "");

/** Normalises a numeric code: `582 205`, `582-205` and `٥٨٢٢٠٥` become `582205`. */
export const normaliseCode = (text: string) => normaliseTrimmedNumber(text).replace(PUNCTUATION, "");

/** Upper-cases an alphanumeric code, without spaces and dashes. Turkish keyboards produce ı and İ for I. */
export const normaliseLetterCode = (text: string) =>
  removeSpacesAndDashes(text)
    .replace(/ı|İ|i\u0307/g, "I")
    .toUpperCase();

/** Like {@link normaliseLetterCode}, for codes that people read aloud: O becomes 0, I and L become 1. */
export function normaliseSpokenCode(text: string): string {
  return normaliseLetterCode(normaliseCode(text)).replaceAll("O", "0").replace(/[IL]/g, "1");
}

/** Normalises a phone number; drops `tel:` and a final comma, period or semicolon. */
export function normalisePhoneInput(text: string): string {
  return normaliseTrimmedNumber(text)
    .replace(/^tel: ?/i, "")
    .replace(/ ?[.,;]$/, "");
}

/** Normalises a date: `20.11.2027` becomes `2027-11-20`. */
export function normaliseDay(text: string): string {
  const day = normaliseTrimmedNumber(text);
  const [, date, month, year] = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})$/.exec(day) ?? [];
  return year ? `${year}-${month!.padStart(2, "0")}-${date!.padStart(2, "0")}` : day;
}

/** Replaces the Turkish İ, which other languages lower-case to i with a second dot. */
export const replaceDottedI = (text: string) => text.replace(/İ|I\u0307/g, "I").replace(/i\u0307/g, "i");

export const normaliseUrl = (text: string) => text.replace(/^[a-z]+:\/\/[^/?#]+/i, replaceDottedI);

/** Normalises an email address before validation: NFKC, trimmed, İ as I, ideographic full stops as dots. */
export const normaliseEmail = (text: string) =>
  replaceDottedI(trimInvisible(toCompatible(text))).replaceAll("\u3002", ".");

/** Lira sign or code at either end. Other currencies are kept, so that validation rejects them. */
const LIRA_SYMBOL = /^(?:₺|TRY|TL)|(?:₺|TRY|TL)$/gi;
const GROUPED_NUMBER = /^\d{1,3}(?:([., ’'])\d{3})(?:\1\d{3})*$/;
/** Ambiguous: thousands or three decimals. */
const AMBIGUOUS_NUMBER = /^\d{1,3}([.,])\d{3}$/;

/** Normalises amounts: `₺3.999,00` becomes `3999.00`; `3.999` becomes `3999` if `decimalMark` is a comma. */
export function normaliseAmount(text: string, decimalMark?: "." | ","): string {
  const normalised = normaliseTrimmedNumber(text)
    .replace(/\u066B/g, ",")
    .replace(/\u066C/g, ".");
  const number = normalised
    .replace(LIRA_SYMBOL, "")
    .replace(/[.,]-$/, "")
    .trim();
  const [, whole = number, lastMark, decimals] = /^(.*\d)([.,])(\d{1,2})$/.exec(number) ?? [];
  if (/^\d+$/.test(whole)) return decimals ? `${whole}.${decimals}` : whole;
  const [, groupMark] = GROUPED_NUMBER.exec(whole) ?? [];
  if (!groupMark || groupMark === lastMark) return normalised;
  const [, ambiguousMark] = AMBIGUOUS_NUMBER.exec(normalised) ?? [];
  if (ambiguousMark && (decimalMark === undefined || decimalMark === ambiguousMark)) return normalised;
  return [whole.replace(/\D/g, ""), decimals].filter(Boolean).join(".");
}
