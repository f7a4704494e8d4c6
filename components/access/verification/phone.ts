import type { CountryCode } from "libphonenumber-js/max";
import { getBrowserZone } from "@/components/ui/use-browser-zone";
import { normaliseNumber } from "@/server/core/normalise";

type Library = typeof import("libphonenumber-js/max");

let library: Library | undefined;
let pendingLibrary: Promise<void> | undefined;

export function loadPhoneLibrary(): Promise<void> {
  pendingLibrary ??= import("libphonenumber-js/max").then(
    (phoneModule) => {
      library = phoneModule;
    },
    (error) => {
      pendingLibrary = undefined;
      throw error;
    },
  );
  return pendingLibrary;
}

/** Default for numbers without a country code: country of the browser's time zone, else Türkiye. */
function detectHomeCountry(): CountryCode {
  const zone = getBrowserZone();
  const country = library?.getCountries().find((each) => listTimeZones(each).includes(zone));
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
  const plain = normaliseNumber(typed);
  if (!library) return plain;
  const text = plain.trim().replace(/^(tel:|00)/i, (start) => (start === "00" ? "+" : ""));
  if (/\p{L}/u.test(text)) return plain;
  // In `+90 (0) 532` the zero is for calls within the country.
  if (text.startsWith("+")) return new library.AsYouType().input(text.replace(/\(0\)/, ""));
  defaultCountry ??= detectHomeCountry();
  const formatter = new library.AsYouType(defaultCountry);
  formatter.input(text);
  const number = formatter.getNumber()?.number;
  return number ? new library.AsYouType().input(number) : plain;
}

export function parsePhone(typed: string): { country?: CountryCode; formatted?: string } {
  const parsed = library?.parsePhoneNumberFromString(typed, defaultCountry ?? "TR");
  return {
    country: parsed?.country,
    formatted: parsed?.isPossible() && !parsed.ext ? parsed.formatInternational() : undefined,
  };
}

/** True for a number to warn about. It can be saved all the same. */
export function isIncompletePhone(typed: string): boolean {
  if (!library || typed.trim() === "") return false;
  return !library.parsePhoneNumberFromString(typed, defaultCountry ?? "TR")?.isValid();
}
