"use client";

import { Search, SearchX } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { debounce, useQueryStates } from "nuqs";
import type { ReactNode } from "react";
import { api } from "@/components/api/client";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { type Column, DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Time } from "@/components/ui/time";
import { useFormat } from "@/components/ui/use-format";
import { listParsers, PAGE_SIZE, SORTS, STATES, sitesIn } from "./list-view";
import { SiteBilling, SiteState } from "./site-facts";
import { SiteMenu } from "./site-menu";
import { sitePath } from "./site-path";
import type { Site } from "./types";

export interface SitesTableProps {
  initial: { data: Site[] };
  /** Whoever reaches sites of others sees whose they are. */
  owner?: { id: number };
  /** Shown when there is no site at all. */
  empty: ReactNode;
}

/** All sites in reach. The list comes whole, so searching and sorting happen here, at once. */
export function SitesTable({ initial, owner, empty }: SitesTableProps) {
  const t = useTranslations("sites");
  const { compare } = useFormat();
  const [view, setView] = useQueryStates(listParsers, { history: "replace" });
  const { data } = api.sites.list.useQuery(undefined, { initialData: initial });
  const found = sitesIn(data.data, view, compare);
  const page = Math.min(Math.max(1, view.page), Math.max(1, Math.ceil(found.length / PAGE_SIZE)));

  const columns: Column<Site>[] = [
    {
      id: "name",
      header: t("column.name"),
      sortable: true,
      primary: true,
      cell: (site) => (
        <Link
          href={sitePath(site.id)}
          className="block rounded-control hover:text-primary-text hover:underline hover:underline-offset-4"
        >
          <bdi className="wrap-anywhere line-clamp-2 sm:w-max sm:max-w-80">{site.name}</bdi>
        </Link>
      ),
    },
    { id: "domain", header: t("column.domain"), sortable: true, cell: (site) => <Ltr>{site.domain}</Ltr> },
    { id: "state", header: t("column.state"), cell: (site) => <SiteState active={site.is_active} /> },
    {
      id: "billing",
      header: t("column.billing"),
      cell: (site) => (
        <span className="whitespace-nowrap">
          <SiteBilling subscriptionId={site.subscription_id} />
        </span>
      ),
    },
    ...(owner ? [ownerColumn(t("column.owner"), (id) => whose(id))] : []),
    {
      id: "ai",
      header: t("column.ai"),
      hideOnCard: true,
      cell: (site) => t(site.ai_enabled ? "ai.on" : "ai.off"),
    },
    {
      id: "created",
      header: t("column.created"),
      sortable: true,
      hideOnCard: true,
      cell: (site) => <Time value={site.created_at} show="date" />,
    },
    {
      id: "menu",
      header: t("column.menu"),
      hideHeader: true,
      align: "end",
      cell: (site) => <SiteMenu site={site} />,
    },
  ];

  function whose(id: number): string {
    return id === owner?.id ? t("owner.own") : t("owner.account", { id });
  }

  if (data.data.length === 0) return <Card flush>{empty}</Card>;
  return (
    <Card flush>
      <search className="flex flex-wrap gap-3 px-5 pb-4">
        <div className="min-w-56 flex-1">
          <Input
            type="search"
            aria-label={t("search")}
            placeholder={t("search")}
            before={<Search />}
            size="sm"
            value={view.q}
            onChange={(event) =>
              setView(
                { q: event.target.value || null, page: null },
                { limitUrlUpdates: event.target.value ? debounce(300) : undefined },
              )
            }
          />
        </div>
        <div className="w-44 max-sm:w-full">
          <Select
            aria-label={t("column.state")}
            size="sm"
            value={view.state}
            onValueChange={(state) => setView({ state, page: null })}
            options={STATES.map((value) => ({ value, label: t(`filter.${value}`) }))}
          />
        </div>
      </search>
      <div role="status" className="sr-only">
        {t("found", { count: found.length })}
      </div>
      <DataTable
        caption={t("title")}
        columns={columns}
        rows={found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
        rowKey={(site) => String(site.id)}
        sort={{ by: view.sort, direction: view.order }}
        onSort={({ by, direction }) =>
          setView({ sort: SORTS.find((sort) => sort === by) ?? null, order: direction, page: null })
        }
        paging={
          found.length > PAGE_SIZE
            ? { page, size: PAGE_SIZE, total: found.length, onPage: (next) => setView({ page: next }) }
            : undefined
        }
        empty={
          <EmptyState
            icon={<SearchX />}
            title={t("noMatch")}
            action={<Button onClick={() => setView(null)}>{t("clear")}</Button>}
          >
            {t("noMatchText")}
          </EmptyState>
        }
      />
    </Card>
  );
}

function ownerColumn(header: string, whose: (id: number) => string): Column<Site> {
  return {
    id: "owner",
    header,
    hideOnCard: true,
    cell: (site) => <span className="whitespace-nowrap">{whose(site.user_id)}</span>,
  };
}
