"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { UrlTabs } from "@/components/ui/url-tabs";

const TABS = ["plan", "licences", "documents", "credits", "profile"] as const;

export function BillingTabs({ content }: { content: Partial<Record<(typeof TABS)[number], ReactNode>> }) {
  const t = useTranslations("billing.tabs");
  return (
    <UrlTabs tabNames={TABS} content={content} label={t("label")} getLabel={(tab) => t(tab)} crumbDepth={1} />
  );
}
