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
import { csvPath, siteParsers } from "./list-view";
import { PeekSites } from "./peek-sites";
import type { Site } from "./types";
import { useSiteColumns } from "./use-site-columns";

export interface SitesTableProps {
  first: Sites["first"];
  /** The viewer; set if the list can contain other owners' sites. */
  owner?: { id: number };
  mayChange: boolean;
  /** Shown if there are no sites at all. */
  empty: ReactNode;
}

type Sites = PageOptions<typeof siteParsers, Site>;

const useSites: Sites["useRows"] = (input, options) => api.sites.list.useQuery({ query: input }, options);

export function SitesTable({ first, owner, mayChange, empty }: SitesTableProps) {
  const t = useTranslations("sites");
  const list = usePage(siteParsers, { first, useRows: useSites });
  const { view, narrow } = list;
  const [, peek] = useRowPreview();
  const { ownerName, columns } = useSiteColumns({
    owner,
    mayChange,
    onOwner: (id) => narrow({ user_id: String(id) }),
    onPeek: (id) => peek(String(id)),
  });

  const chips: FilterChip[] = [];
  if (view.is_active)
    chips.push({
      id: "is_active",
      label: t(view.is_active === "true" ? "filter.active" : "filter.suspended"),
      onRemove: () => narrow({ is_active: null }),
    });
  const accountName = (id: string) =>
    ownerName(Number(id), list.table.rows.find(({ user_id }) => user_id === Number(id))?.owner_name);
  if (view.user_id)
    chips.push({
      id: "user_id",
      label: t("filter.owner", { name: accountName(view.user_id) }),
      onRemove: () => narrow({ user_id: null }),
    });

  return (
    <>
      <ListCard
        list={list}
        words={listTexts(t)}
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
            <CsvLink href={csvPath(view)}>{t("csv")}</CsvLink>
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
