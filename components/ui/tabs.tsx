"use client";

import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";

interface Tab<V extends string> {
  value: V;
  label: ReactNode;
  count?: ReactNode;
  content: ReactNode;
}

export interface TabsProps<V extends string> {
  tabs: readonly Tab<V>[];
  label: string;
  value?: V;
  defaultValue?: V;
  onValueChange?: (value: V) => void;
  keepMounted?: boolean;
}

export function Tabs<V extends string>({
  tabs,
  label,
  value,
  defaultValue = tabs[0]?.value,
  onValueChange,
  keepMounted,
}: TabsProps<V>) {
  return (
    <Base.Root
      value={value}
      defaultValue={value === undefined ? defaultValue : undefined}
      onValueChange={(next) => onValueChange?.(next as V)}
    >
      <Base.List
        aria-label={label}
        className="flex gap-6 overflow-x-auto max-sm:gap-4 border-border border-b [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px flex min-h-11 shrink-0 items-center gap-2 border-transparent border-b-2 font-medium text-fg-muted text-sm transition-colors duration-120 hover:text-fg focus-visible:-outline-offset-2 data-active:border-primary-mark data-active:text-fg"
          >
            <span>{tab.label}</span>
            {tab.count === undefined ? null : (
              <span className="rounded-full bg-sunken px-1.5 text-caption text-fg-muted">{tab.count}</span>
            )}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} keepMounted={keepMounted} className="pt-6">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
