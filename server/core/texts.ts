import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import compile from "icu-minify/compile";
import format, { type CompiledMessage, type FormatOptions } from "icu-minify/format";
import { isDevelopment } from "./env";
import { getDateFormat, getNumberFormat } from "./format";
import { FALLBACK_LOCALE, type Locale } from "./locale";

type Dictionary = Record<string, unknown>;

interface LoadedDictionary {
  messages: Dictionary;
  compiled: Map<string, CompiledMessage>;
  /** Modification time of the file; undefined in production, where it does not change. */
  writtenAt: number | undefined;
}

const dictionaries = new Map<Locale, LoadedDictionary>();

/** Loads a dictionary on first use; in development, reloads it when `npm run dev` has rewritten it. */
function loadDictionary(locale: Locale): LoadedDictionary {
  const file = join(process.cwd(), "messages/generated", `${locale}.json`);
  const writtenAt = isDevelopment() ? statSync(file).mtimeMs : undefined;
  const cached = dictionaries.get(locale);
  if (cached && cached.writtenAt === writtenAt) return cached;
  const messages = JSON.parse(readFileSync(file, "utf8")) as Dictionary;
  const loadedDictionary = { messages, compiled: new Map(), writtenAt };
  dictionaries.set(locale, loadedDictionary);
  return loadedDictionary;
}

export function readDictionary(locale: Locale): Dictionary {
  return loadDictionary(locale).messages;
}

type Params = Record<string, string | number | Date>;

/** Compiles a message on first use. Missing keys use the fallback dictionary. */
function getCompiledText(locale: Locale, key: string): CompiledMessage {
  const { compiled } = loadDictionary(locale);
  let message = compiled.get(key);
  if (message === undefined) {
    const source = findRawText(locale, key) ?? findRawText(FALLBACK_LOCALE, key);
    message = source === undefined ? key : compile(source);
    compiled.set(key, message);
  }
  return message;
}
const pluralRules = new Map<string, Intl.PluralRules>();

const formatters = {
  getDateTimeFormat: (locale: Locale, options?: Intl.DateTimeFormatOptions) =>
    getDateFormat(locale, options ?? {}),
  getNumberFormat: (locale: Locale, options?: Intl.NumberFormatOptions) => getNumberFormat(locale, options),
  getPluralRules(locale: Locale, options?: Intl.PluralRulesOptions) {
    const id = `${locale} ${options?.type}`;
    const rules = pluralRules.get(id) ?? new Intl.PluralRules(locale, options);
    pluralRules.set(id, rules);
    return rules;
  },
} as FormatOptions["formatters"];

/** Returns a formatted message, for texts outside pages: errors and mails. */
export function formatText(locale: Locale, key: string, params?: Params): string {
  const options = { formatters, timeZone: "Europe/Istanbul" };
  return String(format(getCompiledText(locale, key), locale, params, options));
}

export function listChildKeys(key: string): string[] {
  const group = key
    .split(".")
    .reduce<unknown>((node, part) => (node as Dictionary)[part], readDictionary(FALLBACK_LOCALE));
  return Object.keys(group as object);
}

export function hasText(locale: Locale, key: string): boolean {
  return findRawText(locale, key) !== undefined;
}

export function findRawText(locale: Locale, key: string): string | undefined {
  let node: unknown = readDictionary(locale);
  for (const part of key.split(".")) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, part)) return undefined;
    node = (node as Dictionary)[part];
  }
  return typeof node === "string" ? node : undefined;
}
