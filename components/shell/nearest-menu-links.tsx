"use client";

import { useTranslations } from "next-intl";
import { use } from "react";
import { findNearestMenuEntries, getMenuPath } from "@/components/navigation/menu";
import { LinkButton } from "@/components/ui/link-button";
import { MenuContext } from "./menu-context";
import { useMenu } from "./use-menu";

/** Links for "not found" pages: menu entries with similar paths, or defaults outside the panel. */
export function NearestMenuLinks() {
  const t = useTranslations("ui.notFound");
  const { groups, labels } = use(MenuContext);
  const { pathname, getLabel } = useMenu(groups, labels);
  const entries = findNearestMenuEntries(
    pathname,
    groups.flatMap((group) => group.entries),
  );
  if (entries.length === 0)
    return (
      <>
        <LinkButton variant="primary" href={getMenuPath("dashboard")}>
          {t("dashboard")}
        </LinkButton>
        <LinkButton href={getMenuPath("docs")}>{t("docs")}</LinkButton>
      </>
    );
  return entries.map(({ key, href, icon: Icon }) => (
    <LinkButton key={key} href={href} icon={<Icon />}>
      <bdi>{getLabel(key)}</bdi>
    </LinkButton>
  ));
}
