import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/**
 * A number as it is stored: in E.164 when it is one, read internationally or else as a Turkish one; every other as
 * it was written, because the contract only recommends E.164.
 */
export function storedPhone(phone: string): string {
  return e164(phone) ?? phone;
}

/** Whether a stored telephone is one that text messages can be sent to. */
export function receivesTexts(phone: string | null): phone is string {
  return phone !== null && e164(phone) === phone;
}

function e164(phone: string): string | undefined {
  const parsed = parsePhoneNumberFromString(phone, "TR");
  return parsed?.isValid() ? parsed.number : undefined;
}
