import type { Locale } from "@/server/core/locale";
import type messages from "./messages/generated/en.json";

declare module "next-intl" {
  /** Keys of texts are checked against English; locales against our list. */
  interface AppConfig {
    Messages: typeof messages;
    Locale: Locale;
  }
}
