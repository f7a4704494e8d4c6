"use client";

import { Search, SearchX } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import type { Column, DataTableProps } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { type FilterChip, FilterChips } from "@/components/ui/filter-chips";
import { Input } from "@/components/ui/input";
import { NativeSelect } from "@/components/ui/native-select";
import { Pager } from "@/components/ui/pager";
import { PeriodFilter } from "@/components/ui/period-filter";
import { FilterMenu } from "./filter-menu";
import { type ListFilter, splitFilters, toFilterOptions } from "./list-filter";
import { PageTable } from "./page-table";
import type { PageTableProps } from "./use-paged-list";

export interface ListCardProps<Row> {
  list: {
    view: object;
    total: number | undefined;
    table: PageTableProps<Row>;
    setFilters(next: Record<string, string | null>): void;
    clearFilters(): void;
  };
  texts: {
    caption: string;
    search: string;
    found: (count: number) => string;
    noMatch: string;
    noMatchText: string;
    clear: string;
  };
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** Most used first: the bar shows the first two, a menu the others. */
  filters?: readonly ListFilter[];
  /** Date filter; `from` and `to` are names of query parameters. */
  periodFilter?: { from: string; to: string; label: string };
  chips?: readonly FilterChip[];
  /** Replaces the whole card while the list is empty without any filter. */
  emptyState?: ReactNode;
  /** Tabs of saved views, above the search. */
  views?: ReactNode;
  actions?: ReactNode;
  selection?: DataTableProps<Row>["selection"];
  currentKey?: DataTableProps<Row>["currentKey"];
  bulkActions?: ReactNode;
  /** Another view of the rows, shown instead of the table. */
  children?: ReactNode;
}

type ListTextKey = "title" | "search" | "found" | "noMatch" | "noMatchText" | "clear";

/** Returns the texts of a list from a message namespace with these keys. */
export function buildListTexts(
  t: (key: ListTextKey, values?: { count: number }) => string,
): ListCardProps<never>["texts"] {
  return {
    caption: t("title"),
    search: t("search"),
    found: (count) => t("found", { count }),
    noMatch: t("noMatch"),
    noMatchText: t("noMatchText"),
    clear: t("clear"),
  };
}

/** Returns a filter by state, with labels from a message namespace with these keys. */
export function buildStateFilter<S extends string>(
  t: (key: "stateLabel" | "allStates" | `state.${S}`) => string,
  states: readonly S[],
): ListFilter {
  return {
    name: "state",
    label: t("stateLabel"),
    allLabel: t("allStates"),
    options: states.map((value) => ({ value, label: t(`state.${value}`) })),
  };
}

export function ListCard<Row>(props: ListCardProps<Row>) {
  const {
    list,
    texts,
    columns,
    rowKey,
    filters = [],
    periodFilter,
    chips = [],
    emptyState,
    views,
    actions,
    bulkActions,
    children,
  } = props;
  const t = useTranslations("ui.filters");
  const { total, table, setFilters, clearFilters } = list;
  const view = list.view as Record<string, string | null>;
  const periodDays = periodFilter && {
    from: view[periodFilter.from] ?? null,
    to: view[periodFilter.to] ?? null,
  };
  const hasFilters =
    [view.q, periodDays?.from, periodDays?.to].some(Boolean) ||
    chips.length > 0 ||
    filters.some(({ name }) => view[name]);
  const { pinnedFilters, menuFilters } = splitFilters(filters);
  const menuChips = menuFilters.flatMap(({ name, label, options }): FilterChip[] => {
    const option = options.find(({ value }) => value === view[name]);
    if (!option) return [];
    return [
      {
        id: name,
        label: t("value", { filter: label, value: option.label }),
        onRemove: () => setFilters({ [name]: null }),
      },
    ];
  });
  // `total` is undefined when the view could not be loaded; that is not an empty list.
  if (emptyState && total === 0 && !table.stale && !hasFilters) return <Card flush>{emptyState}</Card>;
  return (
    <Card flush>
      {views}
      <div className="flex flex-col gap-3 px-5 pb-4">
        <search data-print="never" className="flex flex-wrap items-end gap-3">
          <div className="min-w-56 flex-1">
            <Input
              type="search"
              aria-label={texts.search}
              placeholder={texts.search}
              before={<Search />}
              size="sm"
              value={view.q ?? ""}
              onChange={(event) => setFilters({ q: event.target.value || null })}
            />
          </div>
          {pinnedFilters.map((filter) => (
            // The width of the longest option: no label is cut.
            <div key={filter.name} className="max-w-full max-sm:grow">
              <NativeSelect
                aria-label={filter.label}
                size="sm"
                value={view[filter.name] ?? "all"}
                onValueChange={(value) => setFilters({ [filter.name]: value === "all" ? null : value })}
                options={toFilterOptions(filter)}
              />
            </div>
          ))}
          {periodFilter && periodDays ? (
            <PeriodFilter
              label={periodFilter.label}
              period={periodDays}
              onChange={({ from, to }) => setFilters({ [periodFilter.from]: from, [periodFilter.to]: to })}
            />
          ) : null}
          {menuFilters.length > 0 ? (
            <FilterMenu
              filters={menuFilters}
              view={view}
              onChange={(name, value) => setFilters({ [name]: value })}
            />
          ) : null}
          {actions}
        </search>
        <div className="flex min-h-7 flex-wrap items-center gap-x-4 gap-y-2 text-compact text-fg-muted">
          <p role="status">{total === undefined ? null : texts.found(total)}</p>
          <FilterChips chips={[...chips, ...menuChips]} onClear={hasFilters ? clearFilters : undefined} />
        </div>
        {bulkActions ? (
          <div data-print="never" className="empty:hidden">
            {bulkActions}
          </div>
        ) : null}
      </div>
      {children && table.rows.length > 0 && !table.failure ? (
        <>
          {children}
          {table.paging ? <Pager {...table.paging} /> : null}
        </>
      ) : (
        <PageTable
          caption={texts.caption}
          columns={columns}
          rowKey={rowKey}
          selection={props.selection}
          currentKey={props.currentKey}
          {...table}
          emptyState={
            <EmptyState
              icon={<SearchX />}
              title={texts.noMatch}
              action={<Button onClick={clearFilters}>{texts.clear}</Button>}
            >
              {texts.noMatchText}
            </EmptyState>
          }
        />
      )}
    </Card>
  );
}
