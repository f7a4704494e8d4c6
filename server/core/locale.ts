/** The interface languages, in the order of docs/contract.md 4.10. */
export const LOCALES = ["tr", "en", "ru", "de", "ar", "fr", "it"] as const;
export type Locale = (typeof LOCALES)[number];

export const LOCALE_LABELS: Record<Locale, string> = {
  tr: "Türkçe",
  en: "English",
  ru: "Русский",
  de: "Deutsch",
  ar: "العربية",
  fr: "Français",
  it: "Italiano",
};

/** Used when Accept-Language matches no supported language. */
export const DEFAULT_LOCALE: Locale = "en";
/** Dictionary for missing keys; also the language of REST error texts. */
export const FALLBACK_LOCALE: Locale = "tr";

export function isLocale(value: unknown): value is Locale {
  return LOCALES.includes(value as Locale);
}

/** Prisma selection for `toMailLocale`. */
export const MAIL_LOCALE_SELECT = { locale: true, signUpLocale: true } as const;

/** Language of an account's mails: the chosen one, else that of its sign-up, which older accounts lack. */
export function toMailLocale(
  { locale, signUpLocale }: Record<keyof typeof MAIL_LOCALE_SELECT, string | null>,
  fallback: Locale,
): Locale {
  return [locale, signUpLocale].find(isLocale) ?? fallback;
}

/** Returns the language of an anonymous request: Accept-Language, otherwise the context's locale. */
export function chooseMailLocale({
  acceptLanguage,
  locale,
}: {
  acceptLanguage: string | null;
  locale: Locale;
}): Locale {
  return acceptLanguage ? matchLocale(acceptLanguage) : locale;
}

/**
 * Returns the tag for `Intl`. English is British, as in the texts: 28 Nov 2026. Arabic uses Latin digits, so that
 * numbers, codes and prices look the same in every language.
 */
export function toLanguageTag(locale: Locale): string {
  if (locale === "en") return "en-GB";
  return locale === "ar" ? "ar-u-nu-latn" : locale;
}

/** Creates a formatter whose texts can end a sentence: Russian dates would end in "г." and double its full stop. */
export function createDateTimeFormat(
  languageTag: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  if (languageTag !== "ru") return new Intl.DateTimeFormat(languageTag, options);
  return new RussianDateTimeFormat(languageTag, options);
}

class RussianDateTimeFormat extends Intl.DateTimeFormat {
  override format(date?: Date | number): string {
    return super.format(date).replace(/\sг\.(?=,|$)/, "");
  }
}

/** Decimal separator of a language; a point in Arabic, whose numbers use Latin digits. */
export function getDecimalMark(locale: Locale): "." | "," {
  return locale === "en" || locale === "ar" ? "." : ",";
}

export function getTextDirection(locale: string): "rtl" | "ltr" {
  return locale === "ar" ? "rtl" : "ltr";
}

export function matchLocale(acceptLanguage: string | null | undefined): Locale {
  const languages = (acceptLanguage ?? "")
    .slice(0, 500)
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().split(";");
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/i.exec(parameter)?.[1]).find(Boolean);
      return {
        // Some HTTP clients send a POSIX locale: `tr_TR.UTF-8`.
        language: tag
          .trim()
          .toLowerCase()
          .split(/[-_.@]/)[0],
        quality: quality === undefined ? 1 : Number(quality),
      };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return languages.map(({ language }) => language).find(isLocale) ?? DEFAULT_LOCALE;
}
