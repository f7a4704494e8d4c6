import { clsx } from "clsx";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import type { Viewer } from "@/components/navigation/menu";
import { AppLink } from "@/components/ui/app-link";
import { TabRow } from "./tab-row";

const TABS = {
  profile: "/settings/profile",
  security: "/settings/security",
  menu: "/settings/menu",
  mail: "/settings/mail",
  consents: "/settings/consents",
  privacy: "/settings/privacy",
} as const satisfies Record<string, Route>;

type Tab = keyof typeof TABS;

/** Viewers of pages that not everybody has. */
const ONLY: Partial<Record<Tab, readonly Viewer[]>> = {
  mail: ["customer", "admin"],
};

/** The pages of the settings, as links that look like tabs. */
export function SettingsTabs({ current, viewer }: { current: Tab; viewer: Viewer }) {
  const t = useTranslations("settings.tabs");
  const tabs = (Object.keys(TABS) as Tab[]).filter((tab) => ONLY[tab]?.includes(viewer) ?? true);
  return (
    <TabRow label={t("label")}>
      {tabs.map((tab) => (
        <AppLink
          key={tab}
          href={TABS[tab]}
          aria-current={tab === current ? "page" : undefined}
          className={clsx(
            "-mb-px flex min-h-11 shrink-0 items-center border-b-2 font-medium text-sm transition-colors duration-120 focus-visible:-outline-offset-2 has-data-pending:border-primary has-data-pending:text-fg",
            tab === current ? "border-primary text-fg" : "border-transparent text-fg-muted hover:text-fg",
          )}
        >
          {t(tab)}
        </AppLink>
      ))}
    </TabRow>
  );
}
