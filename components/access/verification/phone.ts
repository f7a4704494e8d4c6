import type { CountryCode } from "libphonenumber-js/max";
import { getBrowserZone } from "@/components/ui/use-browser-zone";
import { normaliseNumber } from "@/server/core/normalise";

type PhoneLibrary = typeof import("libphonenumber-js/max");

let phoneLibrary: PhoneLibrary | undefined;
let pendingPhoneLibrary: Promise<void> | undefined;

export function loadPhoneLibrary(): Promise<void> {
  pendingPhoneLibrary ??= import("libphonenumber-js/max").then(
    (phoneModule) => {
      phoneLibrary = phoneModule;
    },
    (error) => {
      pendingPhoneLibrary = undefined;
      throw error;
    },
  );
  return pendingPhoneLibrary;
}

/** Default for numbers without a country code: country of the browser's time zone, else Türkiye. */
function detectHomeCountry(): CountryCode {
  const zone = getBrowserZone();
  const country = phoneLibrary
    ?.getCountries()
    .find((countryCode) => listTimeZones(countryCode).includes(zone));
  return country ?? "TR";
}

/** Not every browser supports `getTimeZones`. */
function listTimeZones(country: string): readonly string[] {
  try {
    const locale = new Intl.Locale("und", { region: country }) as Intl.Locale & {
      getTimeZones?: () => string[] | undefined;
    };
    return locale.getTimeZones?.() ?? [];
  } catch {
    return [];
  }
}

let defaultCountry: CountryCode | undefined;

/** Formats a number as it is typed, internationally: 0532 becomes +90 532. */
export function formatPhone(typed: string): string {
  const plainText = normaliseNumber(typed);
  if (!phoneLibrary) return plainText;
  const text = plainText.trim().replace(/^(tel:|00)/i, (start) => (start === "00" ? "+" : ""));
  if (/\p{L}/u.test(text)) return plainText;
  // In `+90 (0) 532` the zero is for calls within the country.
  if (text.startsWith("+")) return new phoneLibrary.AsYouType().input(text.replace(/\(0\)/, ""));
  defaultCountry ??= detectHomeCountry();
  const formatter = new phoneLibrary.AsYouType(defaultCountry);
  formatter.input(text);
  const e164Number = formatter.getNumber()?.number;
  return e164Number ? new phoneLibrary.AsYouType().input(e164Number) : plainText;
}

export function parsePhone(typed: string): { country?: CountryCode; formatted?: string } {
  const phoneNumber = phoneLibrary?.parsePhoneNumberFromString(typed, defaultCountry ?? "TR");
  return {
    country: phoneNumber?.country,
    formatted: phoneNumber?.isPossible() && !phoneNumber.ext ? phoneNumber.formatInternational() : undefined,
  };
}

/** True for a number to warn about. It can be saved all the same. */
export function isIncompletePhone(typed: string): boolean {
  if (!phoneLibrary || typed.trim() === "") return false;
  return !phoneLibrary.parsePhoneNumberFromString(typed, defaultCountry ?? "TR")?.isValid();
}
