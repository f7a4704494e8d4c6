import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/**
 * Returns a phone number as stored: in E.164 if valid, with Turkey as default country; otherwise unchanged,
 * because docs/contract.md 2.1 only recommends E.164.
 */
export function storedPhone(phone: string): string {
  return e164(phone) ?? phone;
}

/** Types of numbers that charge the sender or cannot receive text messages. */
const REFUSED: ReadonlySet<string | undefined> = new Set([
  "PREMIUM_RATE",
  "SHARED_COST",
  "TOLL_FREE",
  "PERSONAL_NUMBER",
  "PAGER",
  "UAN",
  "VOICEMAIL",
]);

/**
 * Tests whether we send text messages to a stored number; not to numbers without a country, such as
 * satellites.
 */
export function receivesTexts(phone: string | null): phone is string {
  const parsed = phone === null ? undefined : parse(phone);
  return parsed?.number === phone && parsed?.country !== undefined && !REFUSED.has(parsed.getType());
}

/** Returns the ISO code of a number's country, or "". */
export function countryOf(phone: string): string {
  return parse(phone)?.country ?? "";
}

function e164(phone: string): string | undefined {
  return parse(phone)?.number;
}

function parse(phone: string) {
  const parsed = parsePhoneNumberFromString(phone, "TR");
  return parsed?.isValid() ? parsed : undefined;
}
