"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { type inferParserType, useQueryStates } from "nuqs";
import { useEffect, useState } from "react";
import type * as z from "zod";
import type { DataTableProps } from "@/components/ui/data-table";
import { useIsNavigating } from "@/components/ui/pending-navigation";
import type { PageMeta } from "@/server/core/list";
import { DEFAULT_PAGE_SIZE, parseSort } from "@/server/core/sort";
import { type ListParsers, toListInput } from "./list-parsers";

interface ListPage<Row> {
  data: Row[];
  meta?: z.output<typeof PageMeta>;
}
type ListInput<P extends ListParsers> = ReturnType<typeof toListInput<inferParserType<P>>>;

export interface PagedListOptions<P extends ListParsers, Row> {
  firstPage: { input: ListInput<P>; data: ListPage<Row> };
  useRows: (
    input: ListInput<P>,
    // `never` fits the output type of every query.
    options: { initialData: never; placeholderData: never },
  ) => {
    data: ListPage<Row> | undefined;
    isPlaceholderData: boolean;
    error: unknown;
    refetch: () => unknown;
  };
}

export interface PageTableProps<Row>
  extends Pick<DataTableProps<Row>, "rows" | "loading" | "stale" | "sort" | "onSort" | "paging"> {
  failure?: { error: unknown; retry: () => void };
}

const TYPING_DELAY_MS = 250;

/** State of a paged list, stored in the URL. Pass `table` to a `PageTable`. */
export function usePagedList<P extends ListParsers, Row>(
  parsers: P,
  { firstPage, useRows }: PagedListOptions<P, Row>,
) {
  const [view, setView] = useQueryStates(parsers, { history: "replace" });
  const setParams = setView as (next: Record<string, unknown> | null) => void;
  const [typedQuery, setTypedQuery] = useTypedQuery((q) => setParams({ q: q || null, page: null }));
  const input = toListInput(view as inferParserType<P>);
  const isFirstView = JSON.stringify(input) === JSON.stringify(firstPage.input);
  const { data, isPlaceholderData, error, refetch } = useRows(input, {
    initialData: (isFirstView ? firstPage.data : undefined) as never,
    placeholderData: keepPreviousData as never,
  });
  const meta = data?.meta ?? { page: 1, per_page: DEFAULT_PAGE_SIZE, total: data?.data.length ?? 0 };
  const { page, per_page: rowsPerPage, total } = meta;

  const lastPage = Math.max(1, Math.ceil(total / rowsPerPage));
  // biome-ignore lint/correctness/useExhaustiveDependencies: moves back when rows were deleted and the page is gone
  useEffect(() => {
    if (!isPlaceholderData && page > lastPage) setParams({ page: lastPage });
  }, [page, lastPage, isPlaceholderData]);

  const table: PageTableProps<Row> = {
    rows: data?.data ?? [],
    loading: !data,
    stale: isPlaceholderData,
    sort: parseSort(view.sort as string),
    onSort: ({ by, direction }) => setParams({ sort: direction === "desc" ? `-${by}` : by, page: null }),
    paging:
      total > rowsPerPage
        ? { page, pageSize: rowsPerPage, total, onPageChange: (next) => setParams({ page: next }) }
        : undefined,
    failure: error && !data ? { error, retry: () => void refetch() } : undefined,
  };
  return {
    /** Query parameters, with the words being typed. */
    view: typedQuery === undefined ? view : { ...view, q: typedQuery },
    /** Undefined while loading and after a failure. */
    total: data && total,
    table,
    setFilters({ q, ...filters }: Partial<Record<keyof P, unknown>>) {
      if (q !== undefined) return setTypedQuery(String(q ?? ""));
      setTypedQuery(undefined);
      setParams({ ...(typedQuery !== undefined && { q: typedQuery || null }), ...filters, page: null });
    },
    clearFilters() {
      setTypedQuery(undefined);
      setParams(null);
    },
  };
}

/** Delays typed words, not an emptied field. Waits for a navigation, which a URL change would cancel. */
function useTypedQuery(applyQuery: (text: string) => void) {
  const [typedQuery, setTypedQuery] = useState<string>();
  const isNavigating = useIsNavigating();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `applyQuery` is a new function in every render
  useEffect(() => {
    if (typedQuery === undefined || isNavigating) return;
    const timer = window.setTimeout(
      () => {
        setTypedQuery(undefined);
        applyQuery(typedQuery);
      },
      typedQuery ? TYPING_DELAY_MS : 0,
    );
    return () => window.clearTimeout(timer);
  }, [typedQuery, isNavigating]);
  return [typedQuery, setTypedQuery] as const;
}
