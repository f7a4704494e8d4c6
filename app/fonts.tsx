"use client";

import { preload } from "react-dom";
import type { Locale } from "@/server/core/locale";

const FONT_URLS = {
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

export function FontPreload({ locale }: { locale: Locale }) {
  const href = locale === "ru" ? FONT_URLS.cyrillic : locale === "ar" ? FONT_URLS.arabic : FONT_URLS.latin;
  preload(href, { as: "font", type: "font/woff2", crossOrigin: "anonymous" });
  return null;
}
