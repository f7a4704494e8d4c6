/** `a***z@g***.com`: enough for people to recognise their own address. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  const dot = domain.lastIndexOf(".");
  const ends = [...local];
  const shown = ends.length > 2 ? `${ends[0]}***${ends.at(-1)}` : `${ends[0]}***`;
  return `${shown}@${[...domain][0]}***${dot > 0 ? domain.slice(dot) : ""}`;
}

/*
 * Matches start at the first character of a run only (lookbehind), so that the time is linear in the length of the text,
 * which people write: up to 4,000 characters in a field and thousands of fields in a response.
 */
const ADDRESS = /(?<![^\s@<>"'(),;:])[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+\.[\p{L}\d-]+/gu;

/** Seven digits or more with spaces, brackets, dots and dashes between them. An IBAN is matched to be left alone. */
const DIGITS =
  /\b[A-Z]{2}\d{2}(?: ?[\dA-Z]{1,4}){3,8}\b|(?:\+|(?<![\p{L}\d_./@-])\(?)\d[\d\s().\u2010-\u2015-]{5,}\d(?![\p{L}\d_-])/gu;

/** Digits that are no phone number: a date, an amount with two decimals, an IPv4 address. */
const NO_PHONE =
  /^(?:\d{4}-\d{2}-\d{2}(?!\d)|\d{1,2}[.-]\d{1,2}[.-]\d{4}(?!\d)|\d+\.\d{2}$|\d{1,3}(?:\.\d{1,3}){3}$)/;

/** Fields whose digits count or identify a record. */
const NOT_A_PERSON =
  /(?:^|_)(?:id|ids|at|reference|amount|price|total|currency|version)$|^(?:invoice_)?number$/;

/** Masks every e-mail address and phone number in a value, those in `known` excepted, however they are spelled. */
export function maskStrangers(value: unknown, known: readonly string[]): unknown {
  const addresses = new Set(known.map((each) => each.toLowerCase()));
  const phones = known.map(nationalDigits).filter((each) => each.length >= 7);
  const address = (text: string) => (addresses.has(text.toLowerCase()) ? text : maskEmail(text));
  const phone = (text: string) =>
    isPhone(text) && !phones.includes(nationalDigits(text)) ? maskPhone(plain(text)) : text;
  const walk = (each: unknown, key: string): unknown => {
    if (typeof each === "string") {
      const masked = each.replace(ADDRESS, address);
      return NOT_A_PERSON.test(key) ? masked : masked.replace(DIGITS, phone);
    }
    if (Array.isArray(each)) return each.map((item) => walk(item, key));
    if (typeof each !== "object" || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([name, item]) => [name, walk(item, name)]));
  };
  return walk(value, "");
}

function isPhone(text: string): boolean {
  return /^[+(\d]/.test(text) && digitsOf(text).length >= 7 && !NO_PHONE.test(text);
}

/** `+905321234567` of `+90 (532) 123 45 67`. */
function plain(text: string): string {
  return text.startsWith("+") ? `+${digitsOf(text)}` : digitsOf(text);
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, "");
}

/** The last ten digits, which the international and the national spelling of a number share. */
function nationalDigits(text: string): string {
  return digitsOf(text).slice(-10);
}

/** `+90 5** *** ** 12`: the country, the first digit and the last two. */
export function maskPhone(phone: string): string {
  return /^\+\d{7}/.test(phone) ? `${phone.slice(0, 3)} ${phone[3]}** *** ** ${phone.slice(-2)}` : "***";
}
