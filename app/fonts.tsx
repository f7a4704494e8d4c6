"use client";

import { preload } from "react-dom";
import type { Locale } from "@/server/core/locale";

const file = {
  latin: new URL(
    "@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-wght-normal.woff2",
    import.meta.url,
  ).href,
  cyrillic: new URL(
    "@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-cyrillic-wght-normal.woff2",
    import.meta.url,
  ).href,
  arabic: new URL(
    "@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-400-normal.woff2",
    import.meta.url,
  ).href,
};

/** Preloads the font for the script of the page's language. */
export function FontPreload({ locale }: { locale: Locale }) {
  const href = locale === "ru" ? file.cyrillic : locale === "ar" ? file.arabic : file.latin;
  preload(href, { as: "font", type: "font/woff2", crossOrigin: "anonymous" });
  return null;
}
