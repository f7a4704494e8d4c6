import type { Route } from "next";
import { useTranslations } from "next-intl";
import type { Viewer } from "@/components/navigation/menu";
import { LinkTab } from "@/components/ui/link-tab";
import { TabRow } from "@/components/ui/tab-row";

const TAB_PATHS = {
  profile: "/settings/profile",
  security: "/settings/security",
  menu: "/settings/menu",
  mail: "/settings/mail",
  consents: "/settings/consents",
  privacy: "/settings/privacy",
} as const satisfies Record<string, Route>;

type Tab = keyof typeof TAB_PATHS;

const TAB_VIEWERS: Partial<Record<Tab, readonly Viewer[]>> = {
  mail: ["customer", "admin"],
};

export function SettingsTabs({ current, viewer }: { current: Tab; viewer: Viewer }) {
  const t = useTranslations("settings.tabs");
  const tabs = (Object.keys(TAB_PATHS) as Tab[]).filter((tab) => TAB_VIEWERS[tab]?.includes(viewer) ?? true);
  return (
    <TabRow label={t("label")}>
      {tabs.map((tab) => (
        <LinkTab key={tab} href={TAB_PATHS[tab]} current={tab === current}>
          {t(tab)}
        </LinkTab>
      ))}
    </TabRow>
  );
}
