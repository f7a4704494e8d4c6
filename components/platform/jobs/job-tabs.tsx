"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { UrlTabs } from "@/components/ui/url-tabs";

const TABS = ["queue", "schedule", "history"] as const;

export function JobTabs({ content }: { content: Record<(typeof TABS)[number], ReactNode> }) {
  const t = useTranslations("jobs.tabs");
  return (
    <UrlTabs tabNames={TABS} content={content} label={t("label")} getLabel={(tab) => t(tab)} crumbDepth={1} />
  );
}
