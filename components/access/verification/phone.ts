import type { CountryCode } from "libphonenumber-js/max";
import { browserZone } from "@/components/ui/use-browser-zone";
import { plainNumber } from "@/server/core/normalise";

type Library = typeof import("libphonenumber-js/max");

let library: Library | undefined;
let loading: Promise<void> | undefined;

export function loadPhones(): Promise<void> {
  loading ??= import("libphonenumber-js/max").then(
    (loaded) => {
      library = loaded;
    },
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/** Country for numbers without a country code: from the browser's time zone, else Türkiye. */
function homeCountry(): CountryCode {
  const zone = browserZone();
  const country = library?.getCountries().find((each) => zonesOf(each).includes(zone));
  return country ?? "TR";
}

/** Not every browser supports `getTimeZones`. */
function zonesOf(country: string): readonly string[] {
  try {
    const locale = new Intl.Locale("und", { region: country }) as Intl.Locale & {
      getTimeZones?: () => string[] | undefined;
    };
    return locale.getTimeZones?.() ?? [];
  } catch {
    return [];
  }
}

let home: CountryCode | undefined;

/** Formats a number as it is typed, internationally: 0532 becomes +90 532. */
export function formatPhone(typed: string): string {
  const plain = plainNumber(typed);
  if (!library) return plain;
  const text = plain.trim().replace(/^(tel:|00)/i, (start) => (start === "00" ? "+" : ""));
  if (/\p{L}/u.test(text)) return plain;
  // `+90 (0) 532`: the zero is for calls within the country.
  if (text.startsWith("+")) return new library.AsYouType().input(text.replace(/\(0\)/, ""));
  home ??= homeCountry();
  const national = new library.AsYouType(home);
  national.input(text);
  const number = national.getNumber()?.number;
  return number ? new library.AsYouType().input(number) : plain;
}

export function readPhone(typed: string): { country?: CountryCode; pretty?: string } {
  const parsed = library?.parsePhoneNumberFromString(typed, home ?? "TR");
  return {
    country: parsed?.country,
    pretty: parsed?.isPossible() && !parsed.ext ? parsed.formatInternational() : undefined,
  };
}

/** True for a number that looks incomplete; it can be saved anyway. */
export function isDoubtful(typed: string): boolean {
  if (!library || typed.trim() === "") return false;
  return !library.parsePhoneNumberFromString(typed, home ?? "TR")?.isValid();
}
