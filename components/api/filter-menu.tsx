"use client";

import { ListFilterPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Menu, MenuChoice, Submenu } from "@/components/ui/menu";
import { type ListFilter, toFilterOptions } from "./list-filter";

export interface FilterMenuProps {
  filters: readonly ListFilter[];
  view: Record<string, string | null>;
  onChange: (name: string, value: string | null) => void;
}

/** Filters that have no place in the bar. An active one is shown as a chip. */
export function FilterMenu({ filters, view, onChange }: FilterMenuProps) {
  const t = useTranslations("ui.filters");
  return (
    <Menu
      align="start"
      trigger={
        <Button size="sm" icon={<ListFilterPlus />}>
          {t("add")}
        </Button>
      }
    >
      {filters.map((filter) => (
        <Submenu key={filter.name} label={filter.label}>
          <MenuChoice
            label={filter.label}
            value={view[filter.name] ?? "all"}
            options={toFilterOptions(filter)}
            onValueChange={(value) => onChange(filter.name, value === "all" ? null : value)}
          />
        </Submenu>
      ))}
    </Menu>
  );
}
