import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Context, UserActor } from "@/server/core/context";
import { type Answer, type Input, RawJson } from "@/server/core/contract";
import { AppError, refuse } from "@/server/core/errors";
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
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { digest } from "@/server/infrastructure/secrets/tokens";
import type { getDictionary, getI18nMeta, putUserLocale } from "./contract";

interface Dictionary {
  changedAt: number;
  version: string;
  body: string;
}
const dictionaries = new Map<Locale, Dictionary>();

/** The dictionary as its file is now; read again only when the file changed. Undefined when it is missing. */
async function dictionary(locale: Locale): Promise<Dictionary | undefined> {
  const file = join(process.cwd(), "messages", `${locale}.json`);
  const changedAt = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
  if (changedAt === undefined) return undefined;
  const known = dictionaries.get(locale);
  if (known?.changedAt === changedAt) return known;
  const translations = JSON.stringify(JSON.parse(await readFile(file, "utf8")));
  const version = digest(translations).toString("hex").slice(0, 16);
  const read = {
    changedAt,
    version,
    body: `{"locale":"${locale}","version":"${version}","translations":${translations}}`,
  };
  dictionaries.set(locale, read);
  return read;
}

/** What languages there are. */
export async function meta(): Promise<Answer<typeof getI18nMeta>> {
  const versions = await Promise.all(
    LOCALES.map(async (locale) => [locale, (await dictionary(locale))?.version ?? null] as const),
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

/** One dictionary; 404 for a language there is none of, 500 when its file is missing. */
export async function read(_ctx: Context, { params }: Input<typeof getDictionary>): Promise<RawJson> {
  if (!isLocale(params.locale)) throw new AppError("locale_unsupported", { supported: [...LOCALES] });
  const found = await dictionary(params.locale);
  if (!found) throw refuse("dictionary_missing", { params: { locale: params.locale } });
  return new RawJson(found.body);
}

/** Stores or clears the caller's language. */
export async function choose(
  ctx: Context<UserActor>,
  { body }: Input<typeof putUserLocale>,
): Promise<Answer<typeof putUserLocale>> {
  const locale = body.locale ?? null;
  await withTransaction(ctx, async (tx) => {
    await tx.db.user.updateMany({ where: { id: ctx.actor.id }, data: { locale } });
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
    message: text(locale ?? ctx.locale, "answers.locale_saved"),
  };
}
