"use client";

import { clsx } from "clsx";
import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { getMenuPath, type MenuLabels } from "@/components/navigation/menu";
import { AppLink } from "@/components/ui/app-link";
import { type BrandProps, LogoMark } from "@/components/ui/logo";
import { MenuList } from "./menu-list";
import type { MenuGroups } from "./use-menu";

export interface SideMenuProps {
  brand: BrandProps;
  groups: MenuGroups;
  labels: MenuLabels;
  collapsed: boolean;
  /** Without it, the menu cannot be expanded now. */
  onToggle?: () => void;
}

/** Side menu: 256 px wide with labels, 64 px with icons only (when collapsed or below 1024 px). */
export function SideMenu({ brand, groups, labels, collapsed, onToggle }: SideMenuProps) {
  const t = useTranslations("shell");
  const Icon = collapsed ? PanelLeftOpen : PanelLeftClose;
  const listRef = useRef<HTMLDivElement>(null);
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current entry changes with the page
  useEffect(() => scrollToCurrent(listRef.current), [pathname]);
  return (
    <nav
      aria-label={t("menu")}
      className={clsx(
        "layer-bar sticky top-0 hidden h-dvh w-16 flex-col border-border border-e bg-surface sm:flex",
        !collapsed && "lg:w-64",
      )}
    >
      <AppLink
        href={getMenuPath("dashboard")}
        className={clsx(
          "flex h-16 shrink-0 items-center gap-2.5 rounded-control focus-visible:-outline-offset-2",
          collapsed ? "justify-center" : "max-lg:justify-center lg:px-5",
        )}
      >
        <LogoMark brand={brand} />
        <bdi
          className={clsx(
            "truncate font-semibold text-lg ltr:tracking-[-0.01em]",
            collapsed ? "sr-only" : "max-lg:sr-only",
          )}
        >
          {brand.name}
        </bdi>
      </AppLink>
      <div ref={listRef} className="scroll-shadow min-h-0 flex-1 overflow-y-auto px-3 py-3">
        <MenuList groups={groups} labels={labels} variant="rail" collapsed={collapsed} />
      </div>
      {onToggle ? (
        <div className="hidden border-border border-t p-3 lg:block">
          <button
            type="button"
            aria-expanded={!collapsed}
            onClick={onToggle}
            className={clsx(
              "flex min-h-9 w-full items-center gap-3 rounded-control px-3 text-fg-muted text-sm hover:bg-sunken hover:text-fg",
              collapsed && "justify-center px-0",
            )}
          >
            <Icon className="mirror size-[1.125rem]" />
            <span className={collapsed ? "sr-only" : "truncate"}>{t(collapsed ? "expand" : "collapse")}</span>
          </button>
        </div>
      ) : null}
    </nav>
  );
}

function scrollToCurrent(list: HTMLElement | null): void {
  const entry = list?.querySelector<HTMLElement>("[aria-current=page]");
  if (!list || !entry) return;
  const [listRect, entryRect] = [list.getBoundingClientRect(), entry.getBoundingClientRect()];
  if (entryRect.top >= listRect.top && entryRect.bottom <= listRect.bottom) return;
  list.scrollTop += entryRect.top - listRect.top - (listRect.height - entryRect.height) / 2;
}
