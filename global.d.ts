import type { Locale } from "@/server/core/locale";
import type messages from "./messages/generated/en.json";

declare module "next-intl" {
  /** Type-checks message keys against English, and locales against our list. */
  interface AppConfig {
    Messages: typeof messages;
    Locale: Locale;
  }
}
