"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { type inferParserType, useQueryStates } from "nuqs";
import { useEffect, useState } from "react";
import type * as z from "zod";
import type { DataTableProps } from "@/components/ui/data-table";
import { useIsNavigating } from "@/components/ui/navigation";
import type { PageMeta } from "@/server/core/list";
import { orderOf, PER_PAGE } from "@/server/core/order";
import { type ListParsers, listInput } from "./list-address";

interface ListPage<Row> {
  data: Row[];
  meta?: z.output<typeof PageMeta>;
}
type InputOf<P extends ListParsers> = ReturnType<typeof listInput<inferParserType<P>>>;

export interface PageOptions<P extends ListParsers, Row> {
  first: { input: InputOf<P>; data: ListPage<Row> };
  useRows: (
    input: InputOf<P>,
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

/** Typing delay before the list is requested, in milliseconds. */
const TYPING_DELAY = 250;

/** State of a paged list, kept in the address. Pass `table` to a `PageTable`. */
export function usePage<P extends ListParsers, Row>(parsers: P, { first, useRows }: PageOptions<P, Row>) {
  const [view, setView] = useQueryStates(parsers, { history: "replace" });
  const change = setView as (next: Record<string, unknown> | null) => void;
  const [typed, setTyped] = useTyped((q) => change({ q: q || null, page: null }));
  const input = listInput(view as inferParserType<P>);
  const isFirst = JSON.stringify(input) === JSON.stringify(first.input);
  const { data, isPlaceholderData, error, refetch } = useRows(input, {
    initialData: (isFirst ? first.data : undefined) as never,
    placeholderData: keepPreviousData as never,
  });
  const meta = data?.meta ?? { page: 1, per_page: PER_PAGE, total: data?.data.length ?? 0 };
  const { page, per_page: size, total } = meta;

  const last = Math.max(1, Math.ceil(total / size));
  // biome-ignore lint/correctness/useExhaustiveDependencies: moves back when rows were deleted and the page is gone
  useEffect(() => {
    if (!isPlaceholderData && page > last) change({ page: last });
  }, [page, last, isPlaceholderData]);

  const table: PageTableProps<Row> = {
    rows: data?.data ?? [],
    loading: !data,
    stale: isPlaceholderData,
    sort: orderOf(view.sort as string),
    onSort: ({ by, direction }) => change({ sort: direction === "desc" ? `-${by}` : by, page: null }),
    paging: total > size ? { page, size, total, onPage: (next) => change({ page: next }) } : undefined,
    failure: error && !data ? { error, retry: () => void refetch() } : undefined,
  };
  return {
    /** Query parameters, with the words being typed. */
    view: typed === undefined ? view : { ...view, q: typed },
    /** Undefined while loading and after a failure. */
    total: data && total,
    table,
    /** Changes words or filters and returns to the first page. */
    narrow({ q, ...filters }: Partial<Record<keyof P, unknown>>) {
      if (q !== undefined) return setTyped(String(q ?? ""));
      setTyped(undefined);
      change({ ...(typed !== undefined && { q: typed || null }), ...filters, page: null });
    },
    clear() {
      setTyped(undefined);
      change(null);
    },
  };
}

/** Debounced, except emptying. Waits during a navigation, which an address change would cancel. */
function useTyped(apply: (text: string) => void) {
  const [typed, setTyped] = useState<string>();
  const isNavigating = useIsNavigating();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `apply` is a new function in every render
  useEffect(() => {
    if (typed === undefined || isNavigating) return;
    const timer = window.setTimeout(
      () => {
        setTyped(undefined);
        apply(typed);
      },
      typed ? TYPING_DELAY : 0,
    );
    return () => window.clearTimeout(timer);
  }, [typed, isNavigating]);
  return [typed, setTyped] as const;
}
