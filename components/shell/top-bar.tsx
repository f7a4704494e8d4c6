"use client";

import { ChevronRight, Coins } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { MenuLabels } from "@/components/navigation/menu";
import { useFormat } from "@/components/ui/use-format";
import type { ShellFrameProps } from "./shell-frame";
import { type MenuGroups, useMenu } from "./use-menu";
import { UserMenu } from "./user-menu";

/** Where one is, how many credits are left, who one is. */
export function TopBar(props: ShellFrameProps & { groups: MenuGroups; labels: MenuLabels }) {
  const t = useTranslations("shell");
  const { number } = useFormat();
  const { credits } = props;
  return (
    <header className="layer-bar sticky top-0 flex h-14 items-center justify-between gap-4 border-border border-b bg-surface px-4 sm:h-16 sm:px-6 lg:px-8">
      <Breadcrumb groups={props.groups} labels={props.labels} />
      <div className="flex shrink-0 items-center gap-2 sm:gap-3">
        {credits === undefined || credits === null ? null : (
          <span className="inline-flex h-8 items-center gap-2 rounded-full border border-border px-3 font-medium text-compact">
            <Coins className="text-fg-muted" />
            <span aria-hidden>{number(credits)}</span>
            <span className="sr-only">{t("credits", { count: credits })}</span>
          </span>
        )}
        <UserMenu {...props} />
      </div>
    </header>
  );
}

function Breadcrumb({ groups, labels }: { groups: MenuGroups; labels: MenuLabels }) {
  const t = useTranslations("shell");
  const { current, name, pathname } = useMenu(groups, labels);
  if (!current) return <span />;
  const deeper = pathname !== current.href;
  return (
    <nav aria-label={t("breadcrumb")} className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1.5 text-sm">
        <li className="flex items-center gap-1.5 text-fg-muted max-sm:hidden">
          <bdi>{name(current.group)}</bdi>
          <ChevronRight className="mirror size-3.5 text-fg-subtle" />
        </li>
        <li className="min-w-0 truncate font-medium">
          {deeper ? (
            <Link
              href={current.href}
              className="rounded-control hover:text-primary-text hover:underline hover:underline-offset-4"
            >
              <bdi>{name(current.key)}</bdi>
            </Link>
          ) : (
            <bdi aria-current="page">{name(current.key)}</bdi>
          )}
        </li>
      </ol>
    </nav>
  );
}
