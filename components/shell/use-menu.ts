"use client";

import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import {
  findMenuEntry,
  type MenuEntry,
  type MenuGroupKey,
  type MenuLabels,
} from "@/components/navigation/menu";

export type MenuGroups = readonly { group: MenuGroupKey; entries: readonly MenuEntry[] }[];

export function useMenu(groups: MenuGroups, labels: MenuLabels) {
  const t = useTranslations("navigation");
  const pathname = usePathname();
  const current = findMenuEntry(
    pathname,
    groups.flatMap(({ entries }) => entries),
  );
  return { pathname, current, getLabel: (key: MenuEntry["key"] | MenuGroupKey) => labels[key] ?? t(key) };
}
