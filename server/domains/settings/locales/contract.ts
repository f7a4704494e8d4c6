import * as z from "zod";
import { operation } from "@/server/core/contract";
import {
  DEFAULT_LOCALE,
  directionOf,
  FALLBACK_LOCALE,
  LOCALE_LABELS,
  LOCALES,
  type Locale,
} from "@/server/core/locale";
import { message, success } from "@/server/core/schema";

const LocaleCode = z.enum(LOCALES);

/** An example that has every language. */
const ofEach = <T>(value: (locale: Locale) => T) =>
  Object.fromEntries(LOCALES.map((locale) => [locale, value(locale)])) as Record<Locale, T>;
const VERSION = "3f1c9a52b7d04e68";

/** 120 a minute per address (docs/contract.md 8). */
const limit = { points: 120, per: 60, by: "ip", named: true } as const;
const cacheControl = "public, max-age=300";

export const getI18nMeta = operation({
  id: "getI18nMeta",
  method: "GET",
  path: "/api/i18n/meta",
  tag: "Interface language",
  summary: "List the supported interface languages",
  description:
    "`default` is the language used when Accept-Language matches none, `fallback` the language of missing keys.",
  access: "public",
  limit,
  cacheControl,
  status: 200,
  output: z.object({
    supported: z
      .array(LocaleCode)
      .meta({ description: "Codes of the supported languages.", example: [...LOCALES] }),
    fallback: LocaleCode.meta({ description: "Language used for missing keys.", example: FALLBACK_LOCALE }),
    labels: z
      .record(LocaleCode, z.string().meta({ description: "Name of the language, in that language." }))
      .meta({ description: "Names of the languages, each in its own language.", example: LOCALE_LABELS }),
    default: LocaleCode.meta({ description: "Language used when none matches.", example: DEFAULT_LOCALE }),
    directions: z
      .record(LocaleCode, z.enum(["ltr", "rtl"]).meta({ description: "Writing direction of the language." }))
      .meta({ description: "Writing direction of each language.", example: ofEach(directionOf) }),
    versions: z
      .record(
        LocaleCode,
        z.string().nullable().meta({ description: "Hash of the dictionary; null if it cannot be read." }),
      )
      .meta({
        description: "Hash of each dictionary; null if it cannot be read.",
        example: ofEach(() => VERSION),
      }),
  }),
});

export const getDictionary = operation({
  id: "getDictionary",
  method: "GET",
  path: "/api/i18n/{locale}.json",
  tag: "Interface language",
  summary: "Get the dictionary of a language",
  description: "`version` is a hash of the content, also sent as an ETag.",
  access: "public",
  limit,
  cacheControl,
  params: z.object({
    locale: z.string().meta({ description: "Language code: tr, en, ru, de, ar, fr or it.", example: "en" }),
  }),
  status: 200,
  output: z.object({
    locale: LocaleCode.meta({ description: "Language code: tr, en, ru, de, ar, fr or it.", example: "en" }),
    version: z.string().meta({ description: "Hash of the content.", example: VERSION }),
    translations: z
      .record(z.string(), z.unknown())
      .meta({ description: "Texts by namespace and key.", example: { common: { save: "Save" } } }),
  }),
  errors: ["locale_unsupported", "dictionary_missing"],
});

export const putUserLocale = operation({
  id: "putUserLocale",
  method: "PUT",
  path: "/api/user/locale",
  tag: "Interface language",
  summary: "Set or clear the interface language",
  description: "Null clears the preference; Accept-Language then decides.",
  access: "token",
  withoutFactor: true,
  ability: "profile:write",
  body: z.object({
    locale: LocaleCode.nullish().meta({ description: "Interface language; null clears it." }),
  }),
  status: 200,
  output: z.object({
    success,
    locale: LocaleCode.nullable().meta({ description: "Stored interface language; null if none." }),
    effective_locale: LocaleCode.meta({ description: "Language in use now." }),
    message,
  }),
});

export {
  directionOf,
  FALLBACK_LOCALE,
  isLocale,
  LOCALE_LABELS,
  LOCALES,
  type Locale,
  matchLocale,
} from "@/server/core/locale";
