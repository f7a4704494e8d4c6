import { readFileSync } from "node:fs";
import type { Messages } from "use-intl";
import { createTranslator } from "use-intl/core";
import type { Locale } from "@/server/core/locale";

export function loadTranslator(locale: Locale) {
  const messages = JSON.parse(readFileSync(`messages/generated/${locale}.json`, "utf8")) as Messages;
  return createTranslator({ locale, messages });
}
export type Translator = ReturnType<typeof loadTranslator>;
