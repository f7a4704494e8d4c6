"use client";

import { Download, Search, SearchX } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { api } from "@/components/api/client";
import { PageTable } from "@/components/api/page-table";
import { type PageOptions, usePage } from "@/components/api/use-page";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { type FilterChip, FilterChips } from "@/components/ui/filter-chips";
import { Input } from "@/components/ui/input";
import { LinkButton } from "@/components/ui/link-button";
import { NativeSelect } from "@/components/ui/native-select";
import { csvPath, siteParsers } from "./list-view";
import type { Site } from "./types";
import { useSiteColumns } from "./use-site-columns";

export interface SitesTableProps {
  first: Sites["first"];
  /** Whoever reaches sites of others sees whose they are. */
  owner?: { id: number };
  /** Whether the reader may change sites: everybody but agents. */
  mayChange: boolean;
  /** Shown when there is no site at all. */
  empty: ReactNode;
}

type Sites = PageOptions<typeof siteParsers, Site>;

const useSites: Sites["useRows"] = (input, options) => api.sites.list.useQuery({ query: input }, options);

/** The sites in reach, page by page. */
export function SitesTable({ first, owner, mayChange, empty }: SitesTableProps) {
  const t = useTranslations("sites");
  const { view, total, table, narrow, clear } = usePage(siteParsers, { first, useRows: useSites });
  const { ownerName, columns } = useSiteColumns({
    owner,
    mayChange,
    onOwner: (id) => narrow({ user_id: String(id) }),
  });

  const chips: FilterChip[] = [];
  if (view.is_active)
    chips.push({
      id: "is_active",
      label: t(view.is_active === "true" ? "filter.active" : "filter.suspended"),
      onRemove: () => narrow({ is_active: null }),
    });
  if (view.user_id)
    chips.push({
      id: "user_id",
      label: t("filter.owner", { name: ownerName(Number(view.user_id)) }),
      onRemove: () => narrow({ user_id: null }),
    });

  // Only what the server said is empty is empty: a view that could not be read is not.
  if (total === 0 && !table.stale && chips.length === 0 && !view.q) return <Card flush>{empty}</Card>;
  return (
    <Card flush>
      <div className="flex flex-col gap-3 px-5 pb-4">
        <search className="flex flex-wrap gap-3">
          <div className="min-w-56 flex-1">
            <Input
              type="search"
              aria-label={t("search")}
              placeholder={t("search")}
              before={<Search />}
              size="sm"
              value={view.q}
              onChange={(event) => narrow({ q: event.target.value || null })}
            />
          </div>
          <div className="w-44 max-sm:flex-1">
            <NativeSelect
              aria-label={t("column.state")}
              size="sm"
              value={view.is_active ?? "all"}
              onValueChange={(value) => narrow({ is_active: value === "all" ? null : value })}
              options={[
                { value: "all", label: t("filter.all") },
                { value: "true", label: t("filter.active") },
                { value: "false", label: t("filter.suspended") },
              ]}
            />
          </div>
          <LinkButton size="sm" icon={<Download />} href={csvPath(view)} prefetch={false} download>
            {t("csv")}
          </LinkButton>
        </search>
        <div className="flex min-h-7 flex-wrap items-center gap-x-4 gap-y-2 text-compact text-fg-muted">
          <p role="status">{total === undefined ? null : t("found", { count: total })}</p>
          <FilterChips chips={chips} onClear={clear} />
        </div>
      </div>
      <PageTable
        caption={t("title")}
        columns={columns}
        rowKey={(site) => String(site.id)}
        {...table}
        empty={
          <EmptyState
            icon={<SearchX />}
            title={t("noMatch")}
            action={<Button onClick={clear}>{t("clear")}</Button>}
          >
            {t("noMatchText")}
          </EmptyState>
        }
      />
    </Card>
  );
}
