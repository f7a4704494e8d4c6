import { clsx } from "clsx";
import type { Route } from "next";
import Link from "next/link";
import { useTranslations } from "next-intl";

const TABS = {
  profile: "/settings/profile",
  security: "/settings/security",
  menu: "/settings/menu",
  consents: "/settings/consents",
  privacy: "/settings/privacy",
} as const satisfies Record<string, Route>;

/** The pages of the settings, as links in the look of tabs. */
export function SettingsTabs({ current }: { current: keyof typeof TABS }) {
  const t = useTranslations("settings.tabs");
  return (
    <nav
      aria-label={t("label")}
      className="mb-8 flex gap-6 overflow-x-auto border-border border-b [scrollbar-width:none]"
    >
      {(Object.keys(TABS) as (keyof typeof TABS)[]).map((tab) => (
        <Link
          key={tab}
          href={TABS[tab]}
          aria-current={tab === current ? "page" : undefined}
          className={clsx(
            "-mb-px flex min-h-11 shrink-0 items-center border-b-2 font-medium text-sm transition-colors duration-120 focus-visible:-outline-offset-2",
            tab === current ? "border-primary text-fg" : "border-transparent text-fg-muted hover:text-fg",
          )}
        >
          {t(tab)}
        </Link>
      ))}
    </nav>
  );
}
