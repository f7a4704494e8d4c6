"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { UrlTabs } from "@/components/ui/url-tabs";

const TABS = ["account", "sites", "subscriptions", "licences", "payments", "credits"] as const;

export function UserTabs({ content }: { content: Partial<Record<(typeof TABS)[number], ReactNode>> }) {
  const t = useTranslations("admin.user.tabs");
  return (
    <UrlTabs tabNames={TABS} content={content} label={t("label")} getLabel={(tab) => t(tab)} crumbDepth={2} />
  );
}
