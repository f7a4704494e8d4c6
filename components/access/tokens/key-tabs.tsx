import type { Route } from "next";
import { useTranslations } from "next-intl";
import { LinkTab } from "@/components/ui/link-tab";
import { TabRow } from "@/components/ui/tab-row";

const TAB_PATHS = { own: "/developers/keys", sites: "/developers/keys/sites" } as const satisfies Record<
  string,
  Route
>;

type Tab = keyof typeof TAB_PATHS;

export function KeyTabs({ current }: { current: Tab }) {
  const t = useTranslations("keyUse.tabs");
  return (
    <TabRow label={t("label")}>
      {(Object.keys(TAB_PATHS) as Tab[]).map((tab) => (
        <LinkTab key={tab} href={TAB_PATHS[tab]} current={tab === current}>
          {t(tab)}
        </LinkTab>
      ))}
    </TabRow>
  );
}
