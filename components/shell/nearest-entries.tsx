"use client";

import { useTranslations } from "next-intl";
import { use } from "react";
import { addressOf, nearestTo } from "@/components/navigation/menu";
import { LinkButton } from "@/components/ui/link-button";
import { MenuContext } from "./menu-context";
import { useMenu } from "./use-menu";

/** Links on "not found" pages: in the panel the menu entries with the most similar addresses. */
export function NearestEntries() {
  const t = useTranslations("ui.notFound");
  const { groups, labels } = use(MenuContext);
  const { pathname, name } = useMenu(groups, labels);
  const entries = nearestTo(
    pathname,
    groups.flatMap((group) => group.entries),
  );
  if (entries.length === 0)
    return (
      <>
        <LinkButton variant="primary" href={addressOf("dashboard")}>
          {t("dashboard")}
        </LinkButton>
        <LinkButton href={addressOf("docs")}>{t("docs")}</LinkButton>
      </>
    );
  return entries.map(({ key, href, icon: Icon }) => (
    <LinkButton key={key} href={href} icon={<Icon />}>
      <bdi>{name(key)}</bdi>
    </LinkButton>
  ));
}
