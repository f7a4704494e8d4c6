"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { AddressTabs } from "@/components/ui/address-tabs";

const TABS = ["overview", "sites", "billing", "connections", "notes"] as const;

export function CustomerTabs({ content }: { content: Record<(typeof TABS)[number], ReactNode> }) {
  const t = useTranslations("customers.tabs");
  return (
    <AddressTabs names={TABS} content={content} label={t("label")} getLabel={(tab) => t(tab)} depth={2} />
  );
}
