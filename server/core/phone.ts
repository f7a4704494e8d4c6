import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/**
 * Returns a telephone number as it is stored: in E.164 when it is valid, read internationally or else as Turkish;
 * otherwise as it was written, because docs/contract.md 2.1 only recommends E.164.
 */
export function storedPhone(phone: string): string {
  return e164(phone) ?? phone;
}

/** Whether text messages can be sent to a stored telephone number. */
export function receivesTexts(phone: string | null): phone is string {
  return phone !== null && e164(phone) === phone;
}

function e164(phone: string): string | undefined {
  const parsed = parsePhoneNumberFromString(phone, "TR");
  return parsed?.isValid() ? parsed.number : undefined;
}
