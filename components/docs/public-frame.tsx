import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { buttonStyle } from "@/components/ui/button-style";
import { type BrandProps, Logo } from "@/components/ui/logo";
import type { Theme } from "@/components/ui/preference";
import { LOCALE_LABELS } from "@/server/core/locale";
import { PreferenceSelect } from "./preference-select";

export interface PublicFrameProps {
  brand: BrandProps;
  theme: Theme;
  isSignedIn: boolean;
  children: ReactNode;
}

/** Frame of the public reference. Uses plain links, which work without scripts. */
export function PublicFrame({ brand, theme, isSignedIn, children }: PublicFrameProps) {
  const t = useTranslations();
  const themes = (["light", "dark", "system"] as const).map((value) => ({
    value,
    label: t(`theme.${value}`),
  }));
  const languages = Object.entries(LOCALE_LABELS).map(([value, label]) => ({ value, label }));
  return (
    <>
      <header className="layer-bar sticky top-0 max-sm:static short:static border-border border-b bg-surface">
        <div className="mx-auto flex min-h-14 max-w-page flex-wrap items-center justify-between gap-x-3 gap-y-2 px-4 py-2 sm:px-6 lg:px-8">
          <a href="/docs" className="min-w-0 rounded-control">
            <Logo brand={brand} />
          </a>
          <div className="flex min-w-0 flex-wrap items-center gap-2">
            <PreferenceSelect
              preference="locale"
              label={t("shell.language")}
              value={useLocale()}
              options={languages}
            />
            <PreferenceSelect preference="theme" label={t("theme.label")} value={theme} options={themes} />
            <a href={isSignedIn ? "/dashboard" : "/sign-in"} className={buttonStyle({ size: "sm" })}>
              {t(isSignedIn ? "ui.notFound.dashboard" : "docs.signIn")}
            </a>
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto max-w-page px-4 pt-8 pb-20 sm:px-6 lg:px-8">
        {children}
      </main>
    </>
  );
}
