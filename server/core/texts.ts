import { createTranslator } from "use-intl/core";
import ar from "@/messages/generated/ar.json";
import de from "@/messages/generated/de.json";
import en from "@/messages/generated/en.json";
import fr from "@/messages/generated/fr.json";
import it from "@/messages/generated/it.json";
import ru from "@/messages/generated/ru.json";
import tr from "@/messages/generated/tr.json";
import { FALLBACK_LOCALE, type Locale, withLatinDigits } from "./locale";

/** The shipped dictionaries: nested groups of ICU messages. */
export const DICTIONARIES: Record<Locale, Record<string, unknown>> = { tr, en, ru, de, ar, fr, it };

type Params = Record<string, string | number | Date>;
type Translate = (key: string, params?: Params) => string;

const translators = new Map<Locale, Translate>();

function translatorOf(locale: Locale): Translate {
  let translate = translators.get(locale);
  if (!translate) {
    translate = createTranslator({
      locale: withLatinDigits(locale) as Locale,
      messages: DICTIONARIES[locale] as Record<string, never>,
      timeZone: "Europe/Istanbul",
      // A missing key falls back to the fallback dictionary; a test prevents that from happening.
      onError: () => {},
      getMessageFallback: ({ namespace, key }) =>
        locale === FALLBACK_LOCALE ? key : text(FALLBACK_LOCALE, [namespace, key].filter(Boolean).join(".")),
    }) as Translate;
    translators.set(locale, translate);
  }
  return translate;
}

/** Returns a message of the dictionaries, filled in. For texts made outside pages: errors and mails. */
export function text(locale: Locale, key: string, params?: Params): string {
  return translatorOf(locale)(key, params);
}

/** Returns the names below a key, in the order of the dictionary. */
export function namesBelow(key: string): string[] {
  const group = key
    .split(".")
    .reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], DICTIONARIES[FALLBACK_LOCALE]);
  return Object.keys(group as object);
}

/** Whether a dictionary has this key. */
export function hasText(locale: Locale, key: string): boolean {
  let node: unknown = DICTIONARIES[locale];
  for (const part of key.split(".")) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, part)) return false;
    node = (node as Record<string, unknown>)[part];
  }
  return typeof node === "string";
}
