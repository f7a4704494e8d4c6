"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { AddressTabs } from "@/components/ui/address-tabs";

const TABS = ["overview", "widget", "ai", "keys", "mail", "settings", "danger"] as const;

/** Tabs of a site; all stay mounted to keep form input. */
export function SiteTabs({ content }: { content: Partial<Record<(typeof TABS)[number], ReactNode>> }) {
  const t = useTranslations("sites.tabs");
  return (
    <AddressTabs
      names={TABS}
      content={content}
      label={t("label")}
      getLabel={(tab) => t(tab)}
      depth={2}
      keepMounted
    />
  );
}
