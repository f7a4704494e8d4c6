import { cookies, headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { cache } from "react";
import { preferencesOf } from "@/components/ui/use-format";
import { FALLBACK_LOCALE, isLocale, type Locale, matchLocale } from "@/server/core/locale";
import { readerZone } from "@/server/core/zones";
import { cachedTexts } from "@/server/domains/accounts/consents/service/texts";
import { currentImpersonation, currentUser, panel } from "@/server/transports/trpc/caller";

/** Messages compiled by the build: a string, or a list for a text with placeholders. */
type Messages = { [key: string]: string | unknown[] | Messages };

/** Returns the signed-in account. A failure counts as signed out: error pages need messages, too. */
const reader = cache(async () => (await currentUser().catch(() => null))?.user);

/** Returns the language: the account's, else the `locale` cookie, else Accept-Language, else English. */
export const effectiveLocale = cache(async (): Promise<Locale> => {
  const [account, viewer, jar, requestHeaders] = await Promise.all([
    reader(),
    currentImpersonation(),
    cookies(),
    headers(),
  ]);
  // During impersonation the language of the viewer counts.
  const chosen = [viewer ? viewer.locale : account?.locale, jar.get("locale")?.value].find(isLocale);
  return chosen ?? matchLocale(requestHeaders.get("accept-language"));
});

/** Returns the account's time zone, else Europe/Istanbul. */
export const effectiveTimeZone = cache(async (): Promise<string> => {
  return readerZone((await reader())?.timezone);
});

/** Returns the account's date preferences; undefined if signed out. */
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

/** Deep-merges messages; `own` takes precedence. */
function mergeMessages(own: Messages, fallback: Messages): Messages {
  const merged: Messages = { ...fallback, ...own };
  for (const [key, fallbackText] of Object.entries(fallback)) {
    const text = own[key];
    if (isGroup(text) && isGroup(fallbackText)) merged[key] = mergeMessages(text, fallbackText);
  }
  return merged;
}

/** Returns the messages of a language; missing ones come from Turkish, the fallback. */
export const messagesOf = cache(async (locale: Locale): Promise<Messages> => {
  if (locale === FALLBACK_LOCALE) return load(locale);
  const [messages, fallback] = await Promise.all([load(locale), load(FALLBACK_LOCALE)]);
  return mergeMessages(messages, fallback);
});

/** Replaces consent texts by those that administrators have published. */
async function withPublished(messages: Messages, locale: Locale): Promise<Messages> {
  const texts = Object.entries(await cachedTexts(locale));
  if (texts.length === 0) return messages;
  const consents = Object.fromEntries(texts.map(([key, text]) => [key, { text }]));
  return mergeMessages({ consents }, messages);
}

export default getRequestConfig(async () => {
  const [locale, timeZone, dateFormats] = await Promise.all([
    effectiveLocale(),
    effectiveTimeZone(),
    preferences(),
  ]);
  const messages = await withPublished(await messagesOf(locale), locale);
  return {
    locale,
    timeZone,
    messages: { ...messages, ...(dateFormats && { reader: dateFormats }) } as Messages,
  };
});
