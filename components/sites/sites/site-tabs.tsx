"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { AddressTabs } from "@/components/ui/address-tabs";

const TABS = ["overview", "widget", "ai", "keys", "mail", "settings", "danger"] as const;

/** The tabs of a site; what is typed in one stays while another is open. */
export function SiteTabs({ content }: { content: Partial<Record<(typeof TABS)[number], ReactNode>> }) {
  const t = useTranslations("sites.tabs");
  return (
    <AddressTabs
      names={TABS}
      content={content}
      label={t("label")}
      nameOf={(tab) => t(tab)}
      depth={2}
      keepMounted
    />
  );
}
