import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { invalid } from "./errors";

/**
 * A number as E.164. National numbers are read as Turkish; only the length is judged, not the prefix. Throws
 * `validation` for `phone`.
 */
export function toE164(phone: string): string {
  const parsed = parsePhoneNumberFromString(phone, "TR");
  if (!parsed?.isPossible()) throw invalid("phone", "phone");
  return parsed.number;
}
