import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import { getLocale } from "next-intl/server";
import type { ReactNode } from "react";
import { SkipLink } from "@/components/shell/skip-link";
import { LiveRegions } from "@/components/ui/live-regions";
import { getTextDirection } from "@/server/core/locale";
import { getBrandIcon, getBrandStyle, getPageBrand } from "./brand";
import { FontPreload } from "./fonts";
import "./globals.css";

export async function generateMetadata(): Promise<Metadata> {
  const brand = await getPageBrand();
  return {
    // A `%s` in the brand name must not act as a placeholder.
    title: { default: brand.name, template: `%s · ${brand.name.replaceAll("%s", "% s")}` },
    icons: { icon: getBrandIcon(brand) },
    robots: { index: false },
  };
}

export const viewport: Viewport = { width: "device-width", initialScale: 1, viewportFit: "cover" };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [locale, cookieStore, style] = await Promise.all([getLocale(), cookies(), getBrandStyle()]);
  const theme = cookieStore.get("theme")?.value;
  const density = cookieStore.get("density")?.value;
  return (
    <html
      lang={locale}
      dir={getTextDirection(locale)}
      data-theme={theme === "light" || theme === "dark" ? theme : undefined}
      data-density={density === "compact" ? "compact" : undefined}
      style={style}
      // The theme switch changes `data-theme` in the browser.
      suppressHydrationWarning
    >
      <body>
        <FontPreload locale={locale} />
        <SkipLink />
        {children}
        <LiveRegions />
      </body>
    </html>
  );
}
