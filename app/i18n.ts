import { cookies, headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { cache } from "react";
import { preferencesOf } from "@/components/ui/use-format";
import { FALLBACK_LOCALE, isLocale, type Locale, matchLocale } from "@/server/core/locale";
import { readerZone } from "@/server/core/zones";
import { shownTexts } from "@/server/domains/accounts/consents/service/texts";
import { me, panel, viewing } from "@/server/transports/trpc/caller";

/** Messages as the build compiles them: a text without placeholders is itself, any other a list. */
type Messages = { [key: string]: string | unknown[] | Messages };

/** The reader. Messages are needed most when the profile cannot be read, so a failure counts as signed out. */
const reader = cache(async () => (await me().catch(() => null))?.user);

/**
 * The language of this request: the signed-in person's own choice, the `locale` cookie, the browser's
 * languages, English.
 */
export const effectiveLocale = cache(async (): Promise<Locale> => {
  const [own, visitor, jar, head] = await Promise.all([reader(), viewing(), cookies(), headers()]);
  // Whoever looks at somebody else's panel reads their own language.
  const chosen = [visitor ? visitor.locale : own?.locale, jar.get("locale")?.value].find(isLocale);
  return chosen ?? matchLocale(head.get("accept-language"));
});

/** The time zone in which times are shown: the signed-in person's own, else Istanbul's. */
export const effectiveTimeZone = cache(async (): Promise<string> => {
  return readerZone((await reader())?.timezone);
});

/** How the signed-in person wants dates; undefined for everybody else. */
const preferences = cache(async () => {
  if (!(await reader())) return undefined;
  const { api } = await panel();
  const profile = await api.profile.get().catch(() => null);
  return profile ? preferencesOf(profile.user) : undefined;
});

async function load(locale: Locale): Promise<Messages> {
  return (await import(`../messages/generated/${locale}.compiled.json`)).default;
}

const isGroup = (node: Messages[string] | undefined): node is Messages =>
  typeof node === "object" && !Array.isArray(node);

/** The messages of `own`, with those of `fallback` where `own` has none. */
function over(own: Messages, fallback: Messages): Messages {
  const merged: Messages = { ...fallback, ...own };
  for (const [key, spare] of Object.entries(fallback)) {
    const text = own[key];
    if (isGroup(text) && isGroup(spare)) merged[key] = over(text, spare);
  }
  return merged;
}

/** Every message of a language; missing ones come from Turkish, the language the product is written in. */
export const messagesOf = cache(async (locale: Locale): Promise<Messages> => {
  if (locale === FALLBACK_LOCALE) return load(locale);
  const [own, fallback] = await Promise.all([load(locale), load(FALLBACK_LOCALE)]);
  return over(own, fallback);
});

/** The messages with the consents' texts that administrators have published. */
async function withPublished(messages: Messages, locale: Locale): Promise<Messages> {
  const texts = Object.entries(await shownTexts(locale));
  if (texts.length === 0) return messages;
  const consents = Object.fromEntries(texts.map(([key, text]) => [key, { text }]));
  return over({ consents }, messages);
}

export default getRequestConfig(async () => {
  const [locale, timeZone, own] = await Promise.all([effectiveLocale(), effectiveTimeZone(), preferences()]);
  const messages = await withPublished(await messagesOf(locale), locale);
  return { locale, timeZone, messages: { ...messages, ...(own && { reader: own }) } as Messages };
});
