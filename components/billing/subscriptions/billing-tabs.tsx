"use client";

import { useTranslations } from "next-intl";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import type { ReactNode } from "react";
import { Crumb } from "@/components/ui/crumbs";
import { Tabs } from "@/components/ui/tabs";

const TABS = ["plan", "licences", "documents", "credits", "profile"] as const;

/** The tabs of billing; the address names the open one. A tab without content is hidden. */
export function BillingTabs({ content }: { content: Partial<Record<(typeof TABS)[number], ReactNode>> }) {
  const t = useTranslations("billing.tabs");
  const [tab, setTab] = useQueryState(
    "tab",
    parseAsStringLiteral(TABS).withDefault("plan").withOptions({ history: "push" }),
  );
  const open = content[tab] ? tab : "plan";
  return (
    <>
      {open === "plan" ? null : <Crumb depth={1}>{t(open)}</Crumb>}
      <Tabs
        label={t("label")}
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
