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
  nameOf: (name: V) => string;
  depth: number;
  keepMounted?: boolean;
}

/** Tabs with the open one in the address (`?tab=`). Hides tabs without content. */
export function AddressTabs<V extends string>({
  names,
  content,
  label,
  nameOf,
  depth,
  keepMounted,
}: AddressTabsProps<V>) {
  const [first] = names;
  const [tab, setTab] = useQueryState(
    "tab",
    parseAsStringLiteral(names)
      .withDefault(first as NonNullable<V>)
      .withOptions({ history: "push" }),
  );
  const open = content[tab] ? tab : first;
  return (
    <>
      {open === first ? null : <Crumb depth={depth}>{nameOf(open)}</Crumb>}
      <Tabs
        label={label}
        keepMounted={keepMounted}
        value={open}
        onValueChange={setTab}
        tabs={names
          .filter((value) => content[value])
          .map((value) => ({ value, label: nameOf(value), content: content[value] }))}
      />
    </>
  );
}
