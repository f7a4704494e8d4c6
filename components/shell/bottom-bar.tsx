"use client";

import { clsx } from "clsx";
import { Menu as MenuIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import type { MenuLabels, Viewer } from "@/components/navigation/menu";
import { AppLink } from "@/components/ui/app-link";
import { Drawer } from "@/components/ui/drawer";
import { MenuList } from "./menu-list";
import { type MenuGroups, useMenu } from "./use-menu";

const barItemStyle =
  "flex h-16 min-w-0 flex-1 flex-col items-center justify-center gap-1 px-1 text-caption focus-visible:-outline-offset-2 has-data-pending:bg-primary-soft has-data-pending:text-primary-text";

export interface BottomBarProps {
  viewer: Viewer;
  groups: MenuGroups;
  labels: MenuLabels;
}

/** Menu on phones: four entries, and all in the drawer "More". */
export function BottomBar({ viewer, groups, labels }: BottomBarProps) {
  const t = useTranslations("shell");
  const { current, pathname } = useMenu(groups, labels);
  const [isOpen, setOpen] = useState(false);
  const hasNavigated = useRef(false);
  // The drawer stays open until the page loads, so that the pressed entry can show progress.
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes when the page changes
  useEffect(() => {
    hasNavigated.current = true;
    setOpen(false);
  }, [pathname]);

  function handleOpenChange(next: boolean) {
    hasNavigated.current = false;
    setOpen(next);
  }

  const entries = groups.flatMap((group) =>
    group.entries.filter(({ bottomBarViewers }) => bottomBarViewers?.includes(viewer)),
  );
  return (
    <nav
      aria-label={t("bottomMenu")}
      className="layer-bar fixed inset-x-0 bottom-0 short:static flex border-border border-t bg-surface pb-[env(safe-area-inset-bottom)] sm:hidden"
    >
      {entries.map((entry) => {
        const Icon = entry.icon;
        const isCurrent = entry.key === current?.key;
        return (
          <AppLink
            key={entry.key}
            href={entry.href}
            aria-current={isCurrent ? "page" : undefined}
            className={clsx(
              barItemStyle,
              isCurrent
                ? "font-medium text-primary-text forced-colors:outline-2 forced-colors:-outline-offset-2"
                : "text-fg-muted",
            )}
          >
            <Icon className="size-5" />
            <bdi className="max-w-full truncate">{labels[entry.key] ?? t(`bar.${entry.key as "sites"}`)}</bdi>
          </AppLink>
        );
      })}
      <Drawer
        title={t("menu")}
        open={isOpen}
        onOpenChange={handleOpenChange}
        // After a navigation the focus belongs to the heading of the new page.
        getFinalFocus={() => !hasNavigated.current}
        trigger={
          <button type="button" className={clsx(barItemStyle, "text-fg-muted")}>
            <MenuIcon className="size-5" />
            {t("bar.more")}
          </button>
        }
      >
        <nav aria-label={t("menu")}>
          <MenuList
            groups={groups}
            labels={labels}
            variant="full"
            onCurrentEntryClick={() => handleOpenChange(false)}
          />
        </nav>
      </Drawer>
    </nav>
  );
}
