import { clsx } from "clsx";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { TabRow } from "@/components/shell/tab-row";
import { AppLink } from "@/components/ui/app-link";

const TABS = { own: "/developers/keys", sites: "/developers/keys/sites" } as const satisfies Record<
  string,
  Route
>;

type Tab = keyof typeof TABS;

/** The two kinds of keys, as links that look like tabs. */
export function KeyTabs({ current }: { current: Tab }) {
  const t = useTranslations("keyUse.tabs");
  return (
    <TabRow label={t("label")}>
      {(Object.keys(TABS) as Tab[]).map((tab) => (
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
