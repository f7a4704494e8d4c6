"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";
import type { ReactNode } from "react";
import { Crumb } from "./crumbs";
import { Tabs } from "./tabs";

export interface UrlTabsProps<V extends string> {
  /** Tabs in display order; the first is the default. */
  tabNames: readonly [V, ...V[]];
  content: Partial<Record<V, ReactNode>>;
  label: string;
  getLabel: (name: V) => string;
  crumbDepth: number;
  keepMounted?: boolean;
}

/** Tabs that store the open tab in the URL (`?tab=`). Tabs without content are hidden. */
export function UrlTabs<V extends string>({
  tabNames,
  content,
  label,
  getLabel,
  crumbDepth,
  keepMounted,
}: UrlTabsProps<V>) {
  const [defaultTab] = tabNames;
  const [tab, setTab] = useQueryState(
    "tab",
    parseAsStringLiteral(tabNames)
      .withDefault(defaultTab as NonNullable<V>)
      .withOptions({ history: "push" }),
  );
  const openTab = content[tab] ? tab : defaultTab;
  return (
    <>
      {openTab === defaultTab ? null : <Crumb depth={crumbDepth}>{getLabel(openTab)}</Crumb>}
      <Tabs
        label={label}
        keepMounted={keepMounted}
        value={openTab}
        onValueChange={setTab}
        tabs={tabNames
          .filter((value) => content[value])
          .map((value) => ({ value, label: getLabel(value), content: content[value] }))}
      />
    </>
  );
}
