"use client";

import { PanelRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { AppLink } from "@/components/ui/app-link";
import { type Column, createActionColumn } from "@/components/ui/data-table";
import { toUnicodeDomain } from "@/components/ui/domain";
import { IconButton } from "@/components/ui/icon-button";
import { MiddleTruncated } from "@/components/ui/middle-truncated";
import { Time } from "@/components/ui/time";
import { SiteBillingText, SiteStateWithReason } from "./site-facts";
import { SiteMenu } from "./site-menu";
import { getSitePath } from "./site-path";
import type { Site } from "./types";

interface SiteColumnOptions {
  /** ID of the viewer. If set, the list can contain other owners' sites and has a column for them. */
  viewer?: { id: number };
  onFilterOwner: (id: number) => void;
  onPeek: (id: number) => void;
  canChange: boolean;
}

export function useSiteColumns({ viewer, onFilterOwner, onPeek, canChange }: SiteColumnOptions) {
  const t = useTranslations("sites");
  const tPeek = useTranslations("ui.peek");
  const formatOwnerName = (id: number, name?: string) =>
    id === viewer?.id ? t("owner.own") : (name ?? t("owner.account", { id }));
  const columns: Column<Site>[] = [
    {
      id: "name",
      header: t("column.name"),
      sortable: true,
      isCardTitle: true,
      cell: (site) => (
        <AppLink
          href={getSitePath(site.id)}
          title={site.name}
          className="block rounded-control hover:text-primary-text hover:underline hover:underline-offset-4"
        >
          <bdi className="wrap-anywhere line-clamp-2 sm:w-max sm:max-w-64 lg:max-w-80">{site.name}</bdi>
        </AppLink>
      ),
    },
    {
      id: "domain",
      header: t("column.domain"),
      sortable: true,
      minTableWidth: "narrow",
      cell: (site) => (
        <MiddleTruncated
          text={toUnicodeDomain(site.domain)}
          title={site.domain}
          className="max-w-full sm:max-w-56 xl:max-w-72"
        />
      ),
    },
    { id: "state", header: t("column.state"), cell: (site) => <SiteStateWithReason site={site} /> },
    {
      id: "billing",
      header: t("column.billing"),
      minTableWidth: "medium",
      cell: (site) => (
        <span className="whitespace-nowrap">
          <SiteBillingText billing={site.billing} />
        </span>
      ),
    },
    {
      id: "ai",
      header: <span className="whitespace-nowrap">{t("column.ai")}</span>,
      hideOnCard: true,
      minTableWidth: "wide",
      cell: (site) => t(site.ai_enabled ? "ai.on" : "ai.off"),
    },
    {
      id: "created_at",
      header: t("column.created"),
      sortable: true,
      hideOnCard: true,
      minTableWidth: "medium",
      cell: (site) => <Time value={site.created_at} show="date" />,
    },
    createActionColumn(t("column.menu"), (site) => (
      <span className="flex justify-end">
        <IconButton
          data-peek
          label={tPeek("show", { name: site.name })}
          icon={<PanelRight className="mirror" />}
          size="sm"
          onClick={() => onPeek(site.id)}
        />
        <SiteMenu site={site} canChange={canChange} />
      </span>
    )),
  ];
  if (viewer)
    columns.splice(4, 0, {
      id: "owner",
      header: t("column.owner"),
      cell: (site) => (
        <button
          type="button"
          title={t("owner.filter")}
          onClick={() => onFilterOwner(site.user_id)}
          className="wrap-anywhere line-clamp-2 min-h-6 max-w-56 rounded-control text-start hover:text-primary-text hover:underline hover:underline-offset-4"
        >
          <bdi>{formatOwnerName(site.user_id, site.owner_name)}</bdi>
        </button>
      ),
    });
  return { columns, ownerName: formatOwnerName };
}
