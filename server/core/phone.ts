import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/** Returns E.164 (default country Turkey), or the input if invalid: docs/contract.md 2.1 allows any. */
export function normalisePhone(phone: string): string {
  return toE164(phone) ?? phone;
}

/** Types of numbers that charge the sender or cannot receive text messages. */
const UNSUPPORTED_TYPES: ReadonlySet<string | undefined> = new Set([
  "PREMIUM_RATE",
  "SHARED_COST",
  "TOLL_FREE",
  "PERSONAL_NUMBER",
  "PAGER",
  "UAN",
  "VOICEMAIL",
]);

/** Tests whether a stored number can receive text messages. Numbers without a country cannot. */
export function canReceiveTexts(phone: string | null): phone is string {
  const parsed = phone === null ? undefined : parseValidPhone(phone);
  return (
    parsed?.number === phone && parsed?.country !== undefined && !UNSUPPORTED_TYPES.has(parsed.getType())
  );
}

/** Returns the ISO code of a number's country, or "". */
export function getPhoneCountry(phone: string): string {
  return parseValidPhone(phone)?.country ?? "";
}

function toE164(phone: string): string | undefined {
  return parseValidPhone(phone)?.number;
}

function parseValidPhone(phone: string) {
  const parsed = parsePhoneNumberFromString(phone, "TR");
  return parsed?.isValid() ? parsed : undefined;
}
