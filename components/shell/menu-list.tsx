"use client";

import { clsx } from "clsx";
import type { MenuLabels } from "@/components/navigation/menu";
import { AppLink } from "@/components/ui/app-link";
import { type MenuGroups, useMenu } from "./use-menu";

export interface MenuListProps {
  groups: MenuGroups;
  labels: MenuLabels;
  /** `rail`: icons only when collapsed or below 1024 px. `full`: labels. `preview`: for the label editor. */
  variant: "rail" | "full" | "preview";
  collapsed?: boolean;
  /** Runs when the user follows a link to the current page. */
  onCurrentEntryClick?: () => void;
}

export function MenuList({ groups, labels, variant, collapsed, onCurrentEntryClick }: MenuListProps) {
  const { current, getLabel } = useMenu(groups, labels);
  const labelStyle = variant !== "rail" ? "" : collapsed ? "sr-only" : "max-lg:sr-only";
  return (
    <ul className="flex flex-col gap-5">
      {groups.map(({ group, entries }, index) => (
        <li key={group}>
          <p
            id={`menu-${variant}-${group}`}
            className={clsx("mb-1 px-3 text-caption text-fg-subtle", labelStyle)}
          >
            <bdi>{getLabel(group)}</bdi>
          </p>
          {variant === "rail" && index > 0 ? (
            <span
              aria-hidden
              className={clsx("mx-3 mb-3 block border-border border-t", !collapsed && "lg:hidden")}
            />
          ) : null}
          <ul aria-labelledby={`menu-${variant}-${group}`} className="flex flex-col gap-0.5">
            {entries.map((entry) => {
              const Icon = entry.icon;
              const isCurrent = entry.key === current?.key;
              return (
                <li key={entry.key}>
                  <AppLink
                    href={entry.href}
                    aria-current={isCurrent ? "page" : undefined}
                    title={variant === "rail" && collapsed ? getLabel(entry.key) : undefined}
                    onNavigate={() => isCurrent && onCurrentEntryClick?.()}
                    className={clsx(
                      "flex min-h-9 items-center gap-3 rounded-control px-3 font-medium text-sm transition-colors duration-120 has-data-pending:bg-primary-soft has-data-pending:text-primary-text pointer-coarse:min-h-11",
                      variant === "rail" &&
                        (collapsed ? "justify-center px-0" : "max-lg:justify-center max-lg:px-0"),
                      isCurrent
                        ? "bg-primary-soft text-primary-text forced-colors:outline-2 forced-colors:-outline-offset-2"
                        : "text-fg-muted hover:bg-sunken hover:text-fg",
                    )}
                  >
                    <Icon className="size-[1.125rem]" />
                    <bdi className={clsx("truncate", labelStyle)}>{getLabel(entry.key)}</bdi>
                  </AppLink>
                </li>
              );
            })}
          </ul>
        </li>
      ))}
    </ul>
  );
}
