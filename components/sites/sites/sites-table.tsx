"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { SavedViews } from "@/components/accounts/preferences/saved-views";
import { api } from "@/components/api/client";
import { CsvLink } from "@/components/api/csv-link";
import { ListCard, listTexts } from "@/components/api/list-card";
import { useRowPreview } from "@/components/api/list-peek";
import { type PageOptions, usePage } from "@/components/api/use-page";
import type { FilterChip } from "@/components/ui/filter-chips";
import { getCsvPath, siteParsers } from "./list-view";
import { PeekSites } from "./peek-sites";
import type { Site } from "./types";
import { useSiteColumns } from "./use-site-columns";

export interface SitesTableProps {
  first: SitePages["firstPage"];
  owner?: { id: number };
  canChange: boolean;
  empty: ReactNode;
}

type SitePages = PageOptions<typeof siteParsers, Site>;

const useSites: SitePages["useRows"] = (input, options) => api.sites.list.useQuery({ query: input }, options);

export function SitesTable({ first, owner, canChange, empty }: SitesTableProps) {
  const t = useTranslations("sites");
  const list = usePage(siteParsers, { firstPage: first, useRows: useSites });
  const { view, setFilters } = list;
  const [, openPreview] = useRowPreview();
  const { ownerName, columns } = useSiteColumns({
    owner,
    canChange,
    onOwner: (id) => setFilters({ user_id: String(id) }),
    onPeek: (id) => openPreview(String(id)),
  });

  const chips: FilterChip[] = [];
  if (view.is_active)
    chips.push({
      id: "is_active",
      label: t(view.is_active === "true" ? "filter.active" : "filter.suspended"),
      onRemove: () => setFilters({ is_active: null }),
    });
  const getAccountName = (id: string) =>
    ownerName(Number(id), list.table.rows.find(({ user_id }) => user_id === Number(id))?.owner_name);
  if (view.user_id)
    chips.push({
      id: "user_id",
      label: t("filter.owner", { name: getAccountName(view.user_id) }),
      onRemove: () => setFilters({ user_id: null }),
    });

  return (
    <>
      <ListCard
        list={list}
        texts={listTexts(t)}
        columns={columns}
        rowKey={({ id }) => String(id)}
        filters={[
          {
            name: "is_active",
            label: t("column.state"),
            all: t("filter.all"),
            options: [
              { value: "true", label: t("filter.active") },
              { value: "false", label: t("filter.suspended") },
            ],
          },
        ]}
        chips={chips}
        empty={empty}
        actions={
          <>
            <SavedViews list="sites" />
            <CsvLink href={getCsvPath(view)}>{t("csv")}</CsvLink>
          </>
        }
      />
      <PeekSites
        sites={list.table.rows}
        ownerOf={owner && ((site) => ownerName(site.user_id, site.owner_name))}
      />
    </>
  );
}
