import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { Ltr } from "@/components/ui/bidi";
import { type BrandProps, Logo } from "@/components/ui/logo";
import type { Theme } from "@/components/ui/preference";
import { LOCALE_LABELS } from "@/server/core/locale";
import { LanguageSwitch } from "./language-switch";
import { ThemeSwitch } from "./theme-switch";
import { WidgetPicture } from "./widget-picture";

export interface AuthLayoutProps {
  brand: BrandProps;
  theme: Theme;
  children: ReactNode;
  footer?: ReactNode;
  support?: { email?: string | null; phone?: string | null; url?: string | null };
  /** Forms with two columns of fields, such as sign-up with its consents. */
  wide?: boolean;
}

const linkStyle = "text-primary-text underline decoration-primary-text/35 underline-offset-4 wrap-anywhere";

/** Frame of signed-out pages: the brand beside the form. Each page renders its own `h1`. */
export async function AuthLayout({ brand, theme, children, footer, support, wide }: AuthLayoutProps) {
  const t = await getTranslations("shell");
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] print:block">
      <aside
        aria-label={brand.name}
        data-print="never"
        className="hidden border-border border-e bg-sunken lg:block"
      >
        <div className="sticky top-0 flex h-dvh flex-col justify-between gap-8 p-12">
          <Logo brand={brand} />
          <WidgetPicture brandName={brand.name} />
          {/* The claim is the platform's: a reseller's product makes its own. */}
          {brand.isResellerBrand ? (
            <span />
          ) : (
            <div>
              <p className="max-w-[18ch] text-balance font-semibold text-[2.25rem] leading-[1.2] ltr:tracking-[-0.02em]">
                {t("claim")}
              </p>
              <p className="mt-4 max-w-[42ch] text-pretty text-base text-fg-muted">{t("claimText")}</p>
            </div>
          )}
        </div>
      </aside>
      <div className="flex min-w-0 flex-col">
        <header className="flex items-center justify-between gap-4 px-4 py-3 sm:px-6">
          <span className="lg:invisible print:visible">
            <Logo brand={brand} />
          </span>
          <div data-print="never" className="flex items-center gap-1">
            <LanguageSwitch languages={LOCALE_LABELS} />
            <ThemeSwitch theme={theme} />
          </div>
        </header>
        <main
          id="main"
          tabIndex={-1}
          className="flex flex-1 items-start justify-center px-4 pt-6 pb-16 sm:px-6 sm:pt-[8vh]"
        >
          <div className={wide ? "w-full max-w-form" : "w-full max-w-[25rem]"}>
            {children}
            {footer ? (
              <div className="mt-8 border-border border-t pt-6 text-center text-fg-muted text-sm">
                {footer}
              </div>
            ) : null}
            {support?.email || support?.phone || support?.url ? (
              <p className="mt-6 flex flex-wrap justify-center gap-x-3 gap-y-1 text-fg-muted text-sm">
                {t("help")}
                {support.email ? (
                  <a href={`mailto:${support.email}`} className={linkStyle}>
                    <Ltr>{support.email}</Ltr>
                  </a>
                ) : null}
                {support.phone ? (
                  <a href={`tel:${support.phone}`} className={linkStyle}>
                    <Ltr>{support.phone}</Ltr>
                  </a>
                ) : null}
                {support.url ? (
                  <a href={support.url} rel="noreferrer" className={linkStyle}>
                    <Ltr>{support.url.replace(/^https:\/\/|\/$/g, "")}</Ltr>
                  </a>
                ) : null}
              </p>
            ) : null}
          </div>
        </main>
      </div>
    </div>
  );
}
