"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { SavedViewTabs } from "@/components/accounts/preferences/saved-view-tabs";
import { api } from "@/components/api/client";
import { CsvLink } from "@/components/api/csv-link";
import { buildListTexts, ListCard } from "@/components/api/list-card";
import { useRowPreview } from "@/components/api/row-preview";
import { type PagedListOptions, usePagedList } from "@/components/api/use-paged-list";
import type { FilterChip } from "@/components/ui/filter-chips";
import { getCsvPath, siteParsers } from "./list-view";
import { SitesPeek } from "./peek-sites";
import type { Site } from "./types";
import { useSiteColumns } from "./use-site-columns";

export interface SitesTableProps {
  firstPage: SitePages["firstPage"];
  viewer?: { id: number };
  canChange: boolean;
  empty: ReactNode;
}

type SitePages = PagedListOptions<typeof siteParsers, Site>;

const useSites: SitePages["useRows"] = (input, options) => api.sites.list.useQuery({ query: input }, options);

export function SitesTable({ firstPage, viewer, canChange, empty }: SitesTableProps) {
  const t = useTranslations("sites");
  const list = usePagedList(siteParsers, { firstPage, useRows: useSites });
  const { view, setFilters } = list;
  const [previewKey, openPreview] = useRowPreview();
  const { ownerName, columns } = useSiteColumns({
    viewer,
    canChange,
    onFilterOwner: (id) => setFilters({ user_id: String(id) }),
    onPeek: (id) => openPreview(String(id)),
  });

  const chips: FilterChip[] = [];
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
        texts={buildListTexts(t)}
        columns={columns}
        currentKey={previewKey}
        rowKey={({ id }) => String(id)}
        filters={[
          {
            name: "is_active",
            label: t("column.state"),
            allLabel: t("filter.all"),
            options: [
              { value: "true", label: t("filter.active") },
              { value: "false", label: t("filter.suspended") },
            ],
          },
        ]}
        chips={chips}
        emptyState={empty}
        views={<SavedViewTabs list="sites" />}
        actions={<CsvLink href={getCsvPath(view)}>{t("csv")}</CsvLink>}
      />
      <SitesPeek
        sites={list.table.rows}
        getOwnerName={viewer && ((site) => ownerName(site.user_id, site.owner_name))}
      />
    </>
  );
}
