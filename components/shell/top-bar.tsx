"use client";

import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { Fragment, type ReactNode } from "react";
import type { MenuLabels } from "@/components/navigation/menu";
import { AppLink } from "@/components/ui/app-link";
import { useCrumbs } from "@/components/ui/crumbs";
import { PaletteButton } from "./palette-button";
import type { ShellFrameProps } from "./shell-props";
import { type MenuGroups, useMenu } from "./use-menu";
import { UserMenu } from "./user-menu";

export function TopBar(props: ShellFrameProps & { groups: MenuGroups; labels: MenuLabels }) {
  return (
    <div className="@container/bar flex h-14 items-center justify-between gap-4 border-border border-b bg-surface px-4 sm:h-16 sm:px-6 lg:px-8">
      <Breadcrumb groups={props.groups} labels={props.labels} />
      <div className="flex shrink-0 items-center gap-1 sm:gap-3">
        <PaletteButton viewer={props.viewer} groups={props.groups} onSignOut={props.onSignOut} />
        {props.credits}
        <UserMenu {...props} />
      </div>
    </div>
  );
}

/** Path of menu entry, page and open part of the page. All but the last are links. */
function Breadcrumb({ groups, labels }: { groups: MenuGroups; labels: MenuLabels }) {
  const t = useTranslations("shell");
  const { current, getLabel, pathname } = useMenu(groups, labels);
  const crumbs = useCrumbs();
  if (!current) return <span />;
  const [pageName, subpageName] = crumbs;
  const trail: Array<{ key: string; href: Route; name: ReactNode }> = [
    { key: "entry", href: current.href, name: getLabel(current.key) },
  ];
  if (pageName && pathname !== current.href)
    trail.push({ key: "page", href: pathname as Route, name: pageName });
  if (subpageName) trail.push({ key: "part", href: pathname as Route, name: subpageName });
  return (
    <nav aria-label={t("breadcrumb")} className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1.5 text-sm">
        {trail.map((crumb, index) => {
          // Until a page has set its name, the menu entry stays a link.
          const isLast = index === trail.length - 1 && (index > 0 || pathname === current.href);
          const hiddenOnPhonesClass = index < trail.length - 2 && "max-sm:hidden";
          return (
            <Fragment key={crumb.key}>
              {index > 0 ? (
                <li aria-hidden className={clsx(index < trail.length - 1 && "max-sm:hidden")}>
                  <ChevronRight className="mirror size-3.5 text-fg-subtle" />
                </li>
              ) : null}
              <li
                className={clsx(
                  "truncate",
                  isLast ? "min-w-0 font-medium" : "min-w-8 shrink-[2] text-fg-muted",
                  hiddenOnPhonesClass,
                )}
              >
                {isLast ? (
                  <bdi aria-current="page">{crumb.name}</bdi>
                ) : (
                  <AppLink
                    href={crumb.href}
                    className="rounded-control hover:text-primary-text hover:underline hover:underline-offset-4"
                  >
                    <bdi>{crumb.name}</bdi>
                  </AppLink>
                )}
              </li>
            </Fragment>
          );
        })}
      </ol>
    </nav>
  );
}
