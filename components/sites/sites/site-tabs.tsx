"use client";

import { useTranslations } from "next-intl";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import type { ReactNode } from "react";
import { Crumb } from "@/components/ui/crumbs";
import { Tabs } from "@/components/ui/tabs";

const TABS = ["overview", "widget", "ai", "keys", "mail", "settings", "danger"] as const;

/** The tabs of a site; the address names the open one. A tab without content is hidden. */
export function SiteTabs({ content }: { content: Partial<Record<(typeof TABS)[number], ReactNode>> }) {
  const t = useTranslations("sites.tabs");
  const [tab, setTab] = useQueryState(
    "tab",
    parseAsStringLiteral(TABS).withDefault("overview").withOptions({ history: "push" }),
  );
  const open = content[tab] ? tab : "overview";
  return (
    <>
      {open === "overview" ? null : <Crumb depth={2}>{t(open)}</Crumb>}
      <Tabs
        label={t("label")}
        keepMounted
        value={open}
        onValueChange={setTab}
        tabs={TABS.filter((value) => content[value]).map((value) => ({
          value,
          label: t(value),
          content: content[value],
        }))}
      />
    </>
  );
}
