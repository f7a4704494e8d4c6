"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { type inferParserType, useQueryStates } from "nuqs";
import { useEffect, useState } from "react";
import type * as z from "zod";
import type { DataTableProps } from "@/components/ui/data-table";
import { useFollowing } from "@/components/ui/navigation";
import type { PageMeta } from "@/server/core/list";
import { orderOf, PER_PAGE } from "@/server/core/order";
import { type ListParsers, listInput } from "./list-address";

interface ListPage<Row> {
  data: Row[];
  meta?: z.output<typeof PageMeta>;
}
type InputOf<P extends ListParsers> = ReturnType<typeof listInput<inferParserType<P>>>;

export interface PageOptions<P extends ListParsers, Row> {
  /** The first view, which the page brings along. */
  first: { input: InputOf<P>; data: ListPage<Row> };
  /** Asks the server for a view: a query of the client. */
  useRows: (
    input: InputOf<P>,
    // Every query has an output of its own, and takes these.
    options: { initialData: never; placeholderData: never },
  ) => {
    data: ListPage<Row> | undefined;
    isPlaceholderData: boolean;
    error: unknown;
    refetch: () => unknown;
  };
}

/** What a `PageTable` needs of a list. */
export interface PageTableProps<Row>
  extends Pick<DataTableProps<Row>, "rows" | "loading" | "stale" | "sort" | "onSort" | "paging"> {
  /** Why a view could not be read, and how to ask for it again. */
  failure?: { error: unknown; retry: () => void };
}

/** How long somebody types before the list is asked for. */
const TYPING = 250;

/** A list that the server cuts into pages, as the address describes it. `table` is for a `PageTable`. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows went meanwhile, and their page with them
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
    /** As the address has it, with words that somebody is typing. */
    view: typed === undefined ? view : { ...view, q: typed },
    /** Unknown while a view is on its way, or could not be read. */
    total: data && total,
    table,
    /** Other words or another filter: the first page of what they leave. */
    narrow({ q, ...filters }: Partial<Record<keyof P, unknown>>) {
      if (q !== undefined) return setTyped(String(q ?? ""));
      setTyped(undefined);
      change({ ...(typed !== undefined && { q: typed || null }), ...filters, page: null });
    },
    /** Takes off every filter. */
    clear() {
      setTyped(undefined);
      change(null);
    },
  };
}

/**
 * Words that are being typed, which are kept once nobody has typed for a moment; none at once. Not while another page is
 * on its way: the router would take the new address for another press, and stay.
 */
function useTyped(keep: (text: string) => void) {
  const [typed, setTyped] = useState<string>();
  const leaving = useFollowing();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what keeps it is another function each time
  useEffect(() => {
    if (typed === undefined || leaving) return;
    const timer = window.setTimeout(
      () => {
        setTyped(undefined);
        keep(typed);
      },
      typed ? TYPING : 0,
    );
    return () => window.clearTimeout(timer);
  }, [typed, leaving]);
  return [typed, setTyped] as const;
}
