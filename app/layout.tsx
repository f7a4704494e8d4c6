import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import { getLocale, getTimeZone } from "next-intl/server";
import type { ReactNode } from "react";
import { ClientMessages } from "@/components/shell/client-messages";
import { SkipLink } from "@/components/shell/skip-link";
import { LiveRegions } from "@/components/ui/live-regions";
import { UiProviders } from "@/components/ui/providers";
import { directionOf } from "@/server/domains/settings/locales/contract";
import { FontPreload } from "./fonts";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Tellal", template: "%s · Tellal" },
  robots: { index: false },
};

export const viewport: Viewport = { width: "device-width", initialScale: 1, viewportFit: "cover" };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [locale, timeZone, jar, head] = await Promise.all([getLocale(), getTimeZone(), cookies(), headers()]);
  const theme = jar.get("theme")?.value;
  const density = jar.get("density")?.value;
  const direction = directionOf(locale);
  return (
    <html
      lang={locale}
      dir={direction}
      data-theme={theme === "light" || theme === "dark" ? theme : undefined}
      data-density={density === "compact" ? "compact" : undefined}
      // The theme switch changes `data-theme` at once, before the server knows.
      suppressHydrationWarning
    >
      <body>
        <FontPreload locale={locale} />
        <ClientMessages locale={locale} timeZone={timeZone}>
          <UiProviders direction={direction} nonce={head.get("x-nonce") ?? undefined}>
            <SkipLink />
            {children}
            <LiveRegions />
          </UiProviders>
        </ClientMessages>
      </body>
    </html>
  );
}
