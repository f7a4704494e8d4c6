"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";
import type { ReactNode } from "react";
import { Crumb } from "./crumbs";
import { Tabs } from "./tabs";

export interface AddressTabsProps<V extends string> {
  /** In order; the first tab is the default. */
  names: readonly [V, ...V[]];
  content: Partial<Record<V, ReactNode>>;
  label: string;
  getLabel: (name: V) => string;
  depth: number;
  keepMounted?: boolean;
}

/** Tabs with the open one in the address (`?tab=`). Hides tabs without content. */
export function AddressTabs<V extends string>({
  names,
  content,
  label,
  getLabel,
  depth,
  keepMounted,
}: AddressTabsProps<V>) {
  const [defaultTab] = names;
  const [tab, setTab] = useQueryState(
    "tab",
    parseAsStringLiteral(names)
      .withDefault(defaultTab as NonNullable<V>)
      .withOptions({ history: "push" }),
  );
  const openTab = content[tab] ? tab : defaultTab;
  return (
    <>
      {openTab === defaultTab ? null : <Crumb depth={depth}>{getLabel(openTab)}</Crumb>}
      <Tabs
        label={label}
        keepMounted={keepMounted}
        value={openTab}
        onValueChange={setTab}
        tabs={names
          .filter((value) => content[value])
          .map((value) => ({ value, label: getLabel(value), content: content[value] }))}
      />
    </>
  );
}
