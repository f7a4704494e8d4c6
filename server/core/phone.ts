import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/**
 * Returns a telephone number as it is stored: in E.164 when it is valid, read internationally or else as Turkish;
 * otherwise as it was written, because docs/contract.md 2.1 only recommends E.164.
 */
export function storedPhone(phone: string): string {
  return e164(phone) ?? phone;
}

/** Kinds of numbers where a text message earns somebody money, or reaches nobody. */
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
 * Whether text messages are sent to a stored telephone number. Not to those of no country: satellites and networks of
 * their own (+870, +881 to +883), +878, +979 and the like.
 */
export function receivesTexts(phone: string | null): phone is string {
  const parsed = phone === null ? undefined : parse(phone);
  return parsed?.number === phone && parsed?.country !== undefined && !REFUSED.has(parsed.getType());
}

/** Returns the country of a number that receives texts; several share the code +1. */
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
