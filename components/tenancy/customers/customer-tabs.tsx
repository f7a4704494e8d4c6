"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { UrlTabs } from "@/components/ui/url-tabs";

const TABS = ["overview", "sites", "billing", "connections", "notes"] as const;

export function CustomerTabs({ content }: { content: Record<(typeof TABS)[number], ReactNode> }) {
  const t = useTranslations("customers.tabs");
  return (
    <UrlTabs tabNames={TABS} content={content} label={t("label")} getLabel={(tab) => t(tab)} crumbDepth={2} />
  );
}
