/** Returns `a***z@g***.com`, enough for owners to recognise their address. */
export function maskEmail(email: string): string {
  const atIndex = email.lastIndexOf("@");
  const [local, domain] = [email.slice(0, atIndex), email.slice(atIndex + 1)];
  const dotIndex = domain.lastIndexOf(".");
  const characters = [...local];
  const masked = characters.length > 2 ? `${characters[0]}***${characters.at(-1)}` : `${characters[0]}***`;
  return `${masked}@${[...domain][0]}***${dotIndex > 0 ? domain.slice(dotIndex) : ""}`;
}

// Both patterns match whole runs, for linear time: these are long user texts.
const EMAIL_ADDRESS = /(?<![^\s@<>"'(),;:])[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+\.[\p{L}\d-]+/gu;
const PHONE_CANDIDATE = /[+\d\s().\u2010-\u2015-]{7,}/g;

/** Separates two phone numbers in one run of digits. */
const SEPARATOR = /(\n| {2,}| [\u2010-\u2015-] |(?=\+))/;

/** A date, an amount with two decimals or an IPv4 address. */
const NOT_PHONE =
  /^(?:\d{4}-\d{2}-\d{2}(?!\d)|\d{1,2}[.-]\d{1,2}[.-]\d{4}(?!\d)|\d+\.\d{2}$|\d{1,3}(?:\.\d{1,3}){3}$)/;

/** Fields that contain ids and amounts, never phone numbers. */
const RECORD_FIELDS =
  /(?:^|_)(?:id|ids|at|reference|amount|price|total|currency|version)$|^(?:invoice_)?number$/;

/** Masks all email addresses and phone numbers in a value except `exemptContacts`, in any format. */
export function maskContacts(value: unknown, exemptContacts: readonly string[]): unknown {
  const exemptAddresses = new Set(exemptContacts.map((each) => each.toLowerCase()));
  const exemptPhones = new Set(exemptContacts.map(toNationalDigits));
  const maskAddress = (text: string) => (exemptAddresses.has(text.toLowerCase()) ? text : maskEmail(text));
  const maskIfPhone = (text: string) =>
    isPhone(text) && !exemptPhones.has(toNationalDigits(text))
      ? text.replace(text.trim(), maskPhone(toPlainPhone(text)))
      : text;
  const maskPhones = (run: string, start: number, text: string) => {
    const { before, middle, after } = splitAttached(
      run,
      text.slice(Math.max(0, start - 2), start),
      text[start + run.length],
    );
    return before + middle.split(SEPARATOR).map(maskIfPhone).join("") + after;
  };
  const maskValue = (node: unknown, key: string): unknown => {
    if (typeof node === "string") {
      const masked = node.replace(EMAIL_ADDRESS, maskAddress);
      return RECORD_FIELDS.test(key) ? masked : masked.replace(PHONE_CANDIDATE, maskPhones);
    }
    if (Array.isArray(node)) return node.map((item) => maskValue(item, key));
    if (typeof node !== "object" || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([name, item]) => [name, maskValue(item, name)]));
  };
  return maskValue(value, "");
}

/** Splits off digits that belong to an adjacent word, URL or IBAN. */
function splitAttached(run: string, previous: string, next = "") {
  if (/^[A-Z]{2}$/.test(previous) && /^\d{2} ?\d/.test(run)) return { before: run, middle: "", after: "" };
  const start = /[\p{L}_/@]$/u.test(previous) && /^[\d.-]/.test(run) ? run.search(/\s|$/) : 0;
  const remainder = run.slice(start);
  const end =
    /^[\p{L}_]/u.test(next) && /[\d.-]$/.test(remainder)
      ? Math.max(0, remainder.search(/(?<!\S)\S*$/))
      : remainder.length;
  return { before: run.slice(0, start), middle: remainder.slice(0, end), after: remainder.slice(end) };
}

function isPhone(text: string): boolean {
  return extractDigits(text).length >= 7 && !NOT_PHONE.test(text.trim());
}

function toPlainPhone(text: string): string {
  return text.trim().startsWith("+") ? `+${extractDigits(text)}` : extractDigits(text);
}

function extractDigits(text: string): string {
  return text.replace(/\D/g, "");
}

function toNationalDigits(text: string): string {
  return extractDigits(text).slice(-10);
}

/** Returns `+90 5** *** ** 12`: country code, first digit and last two. */
export function maskPhone(phone: string): string {
  return /^\+\d{7}/.test(phone) ? `${phone.slice(0, 3)} ${phone[3]}** *** ** ${phone.slice(-2)}` : "***";
}
