import type { Route } from "next";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { LanguageSwitch } from "@/components/shell/language-switch";
import { Logo } from "@/components/shell/logo";
import { ThemeSwitch } from "@/components/shell/theme-switch";
import { AppLink } from "@/components/ui/app-link";
import { LinkButton } from "@/components/ui/link-button";
import type { Theme } from "@/components/ui/preference";
import { LOCALE_LABELS } from "@/server/domains/settings/locales/contract";

/** The frame of the reference for visitors. */
export function PublicFrame({
  brand,
  theme,
  children,
}: {
  brand: string;
  theme: Theme;
  children: ReactNode;
}) {
  const t = useTranslations("docs");
  return (
    <>
      <header className="layer-bar sticky top-0 short:static border-border border-b bg-surface">
        <div className="mx-auto flex h-14 max-w-page items-center justify-between gap-3 px-4 sm:px-6 lg:px-8">
          <AppLink href="/docs" className="min-w-0 rounded-control">
            <Logo name={brand} />
          </AppLink>
          <div className="flex shrink-0 items-center gap-1">
            <span className="max-sm:hidden">
              <LanguageSwitch languages={LOCALE_LABELS} />
            </span>
            <ThemeSwitch theme={theme} />
            <LinkButton size="sm" href={"/sign-in" as Route}>
              {t("signIn")}
            </LinkButton>
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto max-w-page px-4 pt-8 pb-20 sm:px-6 lg:px-8">
        {children}
      </main>
    </>
  );
}
