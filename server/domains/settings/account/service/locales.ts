import { readdirSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Context, UserActor } from "@/server/core/context";
import { type Input, type Output, RawJson } from "@/server/core/contract";
import { AppError, createError } from "@/server/core/errors";
import { lazyValue } from "@/server/core/lazy-value";
import {
  DEFAULT_LOCALE,
  FALLBACK_LOCALE,
  getTextDirection,
  isLocale,
  LOCALE_LABELS,
  LOCALES,
  type Locale,
  matchLocale,
} from "@/server/core/locale";
import { log } from "@/server/core/log";
import { formatText, readDictionary } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import type { getDictionary, getI18nMeta, putUserLocale } from "../contract";

/** `fileTimestamps`: names and modification times of the files. `body`: the response as JSON. */
interface Dictionary {
  fileTimestamps: string;
  version: string;
  body: string;
}
const dictionaries = lazyValue(() => new Map<Locale, Dictionary>());

const getFilePath = (locale: Locale, name: string) => join(process.cwd(), "messages", locale, `${name}.json`);

/** Returns the dictionary; reads its files again when one has changed. Throws if one is missing. */
async function loadDictionary(locale: Locale): Promise<Dictionary> {
  // Synchronous calls, because promises take five times as long here.
  const fileNames = readdirSync(join(process.cwd(), "messages", locale));
  const fileNamespaces = fileNames.flatMap((file) => /^([^.]+)\.json$/.exec(file)?.[1] ?? []);
  // Namespaces of the built-in dictionary are required; operators may add others.
  const namespaces = [...new Set([...Object.keys(readDictionary(locale)), ...fileNamespaces])].sort();
  const fileTimes = namespaces.map((name) => `${name} ${statSync(getFilePath(locale, name)).mtimeMs}`).join();
  const cachedDictionary = dictionaries().get(locale);
  if (cachedDictionary?.fileTimestamps === fileTimes) return cachedDictionary;
  const namespaceEntries = await Promise.all(
    namespaces.map(async (name) => [name, await readNamespace(locale, name)]),
  );
  const translations = JSON.stringify(Object.fromEntries(namespaceEntries));
  const version = hashSecret(translations).toString("hex").slice(0, 16);
  const loadedDictionary = {
    fileTimestamps: fileTimes,
    version,
    body: `{"locale":"${locale}","version":"${version}","translations":${translations}}`,
  };
  dictionaries().set(locale, loadedDictionary);
  return loadedDictionary;
}

async function readNamespace(locale: Locale, name: string): Promise<unknown> {
  const file = getFilePath(locale, name);
  const source = await readFile(file, "utf8");
  try {
    return JSON.parse(source);
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
}

async function tryLoadDictionary(locale: Locale): Promise<Dictionary | null> {
  return loadDictionary(locale).catch((error: Error) => {
    log.error({ event: "dictionary.unreadable", locale, reason: error.message });
    return null;
  });
}

export async function getLocaleOverview(): Promise<Output<typeof getI18nMeta>> {
  const versions = await Promise.all(
    LOCALES.map(async (locale) => [locale, (await tryLoadDictionary(locale))?.version ?? null] as const),
  );
  return {
    supported: [...LOCALES],
    fallback: FALLBACK_LOCALE,
    labels: LOCALE_LABELS,
    default: DEFAULT_LOCALE,
    directions: Object.fromEntries(LOCALES.map((locale) => [locale, getTextDirection(locale)])) as Record<
      Locale,
      "ltr" | "rtl"
    >,
    versions: Object.fromEntries(versions) as Record<Locale, string | null>,
  };
}

export async function getDictionaryJson(
  _ctx: Context,
  { params }: Input<typeof getDictionary>,
): Promise<RawJson> {
  if (!isLocale(params.locale)) throw new AppError("locale_unsupported", { supported: [...LOCALES] });
  const dictionary = await tryLoadDictionary(params.locale);
  if (!dictionary) throw createError("dictionary_missing", { params: { locale: params.locale } });
  return new RawJson(dictionary.body);
}

export async function setUserLocale(
  ctx: Context<UserActor>,
  { body }: Input<typeof putUserLocale>,
): Promise<Output<typeof putUserLocale>> {
  const locale = body.locale ?? null;
  await withTransaction(ctx, async (tx) => {
    await updateUser(tx, { id: ctx.actor.id }, { locale });
    await audit(tx, {
      action: "profile.locale_changed",
      object: { type: "User", id: ctx.actor.id },
      details: { locale },
    });
  });
  const effectiveLocale = locale ?? matchLocale(ctx.acceptLanguage);
  return {
    success: true,
    locale,
    effective_locale: effectiveLocale,
    message: formatText(locale ?? ctx.locale, "responses.locale_saved"),
  };
}
