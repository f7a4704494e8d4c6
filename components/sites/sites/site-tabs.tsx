"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { UrlTabs } from "@/components/ui/url-tabs";

const TABS = ["overview", "widget", "install", "ai", "keys", "mail", "settings", "danger"] as const;

/** Tabs of a site. All stay mounted, so that forms keep their input. */
export function SiteTabs({ content }: { content: Partial<Record<(typeof TABS)[number], ReactNode>> }) {
  const t = useTranslations("sites.tabs");
  return (
    <UrlTabs
      tabNames={TABS}
      content={content}
      label={t("label")}
      getLabel={(tab) => t(tab)}
      crumbDepth={2}
      keepMounted
    />
  );
}
