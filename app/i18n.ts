import { cookies, headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { cache } from "react";
import { pickReaderPreferences } from "@/components/ui/use-format";
import { FALLBACK_LOCALE, isLocale, type Locale, matchLocale } from "@/server/core/locale";
import { zoneOrDefault } from "@/server/core/zones";
import { getPublishedTexts } from "@/server/domains/accounts/consents/service/texts";
import { getCurrentImpersonation, getCurrentUser, getPanelCaller } from "@/server/transports/trpc/caller";

/** Messages compiled by the build: a string, or a list for a text with placeholders. */
type Messages = { [key: string]: string | unknown[] | Messages };

/** Returns the signed-in account. Errors count as signed out, because error pages need messages, too. */
const getCurrentAccount = cache(async () => (await getCurrentUser().catch(() => null))?.user);

/** Returns the language: the account's, else the `locale` cookie, else Accept-Language, else English. */
export const getEffectiveLocale = cache(async (): Promise<Locale> => {
  const [account, impersonation, cookieStore, requestHeaders] = await Promise.all([
    getCurrentAccount(),
    getCurrentImpersonation(),
    cookies(),
    headers(),
  ]);
  // During impersonation, the language of the impersonator counts.
  const preferredLocale = [
    impersonation ? impersonation.locale : account?.locale,
    cookieStore.get("locale")?.value,
  ].find(isLocale);
  return preferredLocale ?? matchLocale(requestHeaders.get("accept-language"));
});

export const getEffectiveTimeZone = cache(async (): Promise<string> => {
  return zoneOrDefault((await getCurrentAccount())?.timezone);
});

const getDatePreferences = cache(async () => {
  if (!(await getCurrentAccount())) return undefined;
  const { api } = await getPanelCaller();
  const profile = await api.profile.get().catch(() => null);
  return profile ? pickReaderPreferences(profile.user) : undefined;
});

async function loadMessages(locale: Locale): Promise<Messages> {
  return (await import(`../messages/generated/${locale}.compiled.json`)).default;
}

const isGroup = (node: Messages[string] | undefined): node is Messages =>
  typeof node === "object" && !Array.isArray(node);

function mergeMessages(overrides: Messages, fallback: Messages): Messages {
  const merged: Messages = { ...fallback, ...overrides };
  for (const [key, fallbackValue] of Object.entries(fallback)) {
    const override = overrides[key];
    if (isGroup(override) && isGroup(fallbackValue)) merged[key] = mergeMessages(override, fallbackValue);
  }
  return merged;
}

/** Returns the messages of a language; missing ones come from Turkish, the fallback. */
export const getLocaleMessages = cache(async (locale: Locale): Promise<Messages> => {
  if (locale === FALLBACK_LOCALE) return loadMessages(locale);
  const [messages, fallback] = await Promise.all([loadMessages(locale), loadMessages(FALLBACK_LOCALE)]);
  return mergeMessages(messages, fallback);
});

/** Replaces consent texts by the versions that administrators published. */
async function addPublishedTexts(messages: Messages, locale: Locale): Promise<Messages> {
  const texts = Object.entries(await getPublishedTexts(locale));
  if (texts.length === 0) return messages;
  const consents = Object.fromEntries(texts.map(([key, text]) => [key, { text }]));
  return mergeMessages({ consents }, messages);
}

export default getRequestConfig(async () => {
  const [locale, timeZone, datePreferences] = await Promise.all([
    getEffectiveLocale(),
    getEffectiveTimeZone(),
    getDatePreferences(),
  ]);
  const messages = await addPublishedTexts(await getLocaleMessages(locale), locale);
  return {
    locale,
    timeZone,
    messages: { ...messages, ...(datePreferences && { reader: datePreferences }) } as Messages,
  };
});
