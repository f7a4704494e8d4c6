import { readdirSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Context, UserActor } from "@/server/core/context";
import { type Input, type Output, RawJson } from "@/server/core/contract";
import { AppError, refuse } from "@/server/core/errors";
import { lazyValue } from "@/server/core/lazy-value";
import {
  DEFAULT_LOCALE,
  directionOf,
  FALLBACK_LOCALE,
  isLocale,
  LOCALE_LABELS,
  LOCALES,
  type Locale,
  matchLocale,
} from "@/server/core/locale";
import { log } from "@/server/core/log";
import { dictionaryOf, text } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { digest } from "@/server/infrastructure/secrets/tokens";
import type { getDictionary, getI18nMeta, putUserLocale } from "../contract";

interface Dictionary {
  changed: string;
  version: string;
  body: string;
}
const dictionaries = lazyValue(() => new Map<Locale, Dictionary>());

const fileOf = (locale: Locale, name: string) => join(process.cwd(), "messages", locale, `${name}.json`);

/** Returns the dictionary; reads its files again when one has changed. Throws if one is missing. */
async function dictionary(locale: Locale): Promise<Dictionary> {
  // Synchronous: as many promises take five times as long.
  const fileNames = readdirSync(join(process.cwd(), "messages", locale));
  const names = fileNames.flatMap((file) => /^([^.]+)\.json$/.exec(file)?.[1] ?? []);
  // Namespaces of the shipped dictionary are required; others may be added.
  const namespaces = [...new Set([...Object.keys(dictionaryOf(locale)), ...names])].sort();
  const modified = namespaces.map((name) => `${name} ${statSync(fileOf(locale, name)).mtimeMs}`).join();
  const cached = dictionaries().get(locale);
  if (cached?.changed === modified) return cached;
  const files = await Promise.all(namespaces.map(async (name) => [name, await texts(locale, name)]));
  const translations = JSON.stringify(Object.fromEntries(files));
  const version = digest(translations).toString("hex").slice(0, 16);
  const read = {
    changed: modified,
    version,
    body: `{"locale":"${locale}","version":"${version}","translations":${translations}}`,
  };
  dictionaries().set(locale, read);
  return read;
}

async function texts(locale: Locale, name: string): Promise<unknown> {
  const file = fileOf(locale, name);
  const source = await readFile(file, "utf8");
  try {
    return JSON.parse(source);
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
}

/** Returns the dictionary; logs and returns null if a file is missing or invalid. */
async function tryLoad(locale: Locale): Promise<Dictionary | null> {
  return dictionary(locale).catch((error: Error) => {
    log.error({ event: "dictionary.unreadable", locale, reason: error.message });
    return null;
  });
}

export async function getMeta(): Promise<Output<typeof getI18nMeta>> {
  const versions = await Promise.all(
    LOCALES.map(async (locale) => [locale, (await tryLoad(locale))?.version ?? null] as const),
  );
  return {
    supported: [...LOCALES],
    fallback: FALLBACK_LOCALE,
    labels: LOCALE_LABELS,
    default: DEFAULT_LOCALE,
    directions: Object.fromEntries(LOCALES.map((locale) => [locale, directionOf(locale)])) as Record<
      Locale,
      "ltr" | "rtl"
    >,
    versions: Object.fromEntries(versions) as Record<Locale, string | null>,
  };
}

/** Throws `locale_unsupported` (404), and `dictionary_missing` (500) if a file cannot be read. */
export async function get(_ctx: Context, { params }: Input<typeof getDictionary>): Promise<RawJson> {
  if (!isLocale(params.locale)) throw new AppError("locale_unsupported", { supported: [...LOCALES] });
  const loaded = await tryLoad(params.locale);
  if (!loaded) throw refuse("dictionary_missing", { params: { locale: params.locale } });
  return new RawJson(loaded.body);
}

export async function setLocale(
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
  const effective = locale ?? matchLocale(ctx.acceptLanguage);
  return {
    success: true,
    locale,
    effective_locale: effective,
    message: text(locale ?? ctx.locale, "responses.locale_saved"),
  };
}
