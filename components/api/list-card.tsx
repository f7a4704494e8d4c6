"use client";

import { Inbox, Search, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import type { Column } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { Input } from "@/components/ui/input";
import { NativeSelect } from "@/components/ui/native-select";
import { PageTable } from "./page-table";
import type { PageTableProps } from "./use-page";

interface ListFilter {
  /** The API's name of it. */
  name: string;
  label: string;
  /** "All statuses". */
  all: string;
  options: ReadonlyArray<{ value: string; label: string }>;
}

export interface ListCardProps<Row> {
  /** What `usePage` returned. */
  list: {
    view: object;
    total: number | undefined;
    table: PageTableProps<Row>;
    narrow: (next: Record<string, string | null>) => void;
    clear: () => void;
  };
  words: {
    caption: string;
    search: string;
    found: (count: number) => string;
    /** Without words and filters. */
    nothing: string;
    noMatch: string;
    noMatchText: string;
    clear: string;
  };
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  filters?: readonly ListFilter[];
  /** Beside the filters, such as the link to the CSV. */
  actions?: ReactNode;
}

/** A list from `usePage` with its search, its filters, and how much was found. */
export function ListCard<Row>({ list, words, columns, rowKey, filters = [], actions }: ListCardProps<Row>) {
  const { total, table, narrow, clear } = list;
  const view = list.view as Record<string, string | null>;
  const narrowed = Boolean(view.q) || filters.some(({ name }) => view[name]);
  return (
    <Card flush>
      <div className="flex flex-col gap-3 px-5 pb-4">
        <search className="flex flex-wrap gap-3">
          <div className="min-w-56 flex-1">
            <Input
              type="search"
              aria-label={words.search}
              placeholder={words.search}
              before={<Search />}
              size="sm"
              value={view.q ?? ""}
              onChange={(event) => narrow({ q: event.target.value || null })}
            />
          </div>
          {filters.map(({ name, label, all, options }) => (
            <div key={name} className="w-44 max-sm:flex-1">
              <NativeSelect
                aria-label={label}
                size="sm"
                value={view[name] ?? "all"}
                onValueChange={(value) => narrow({ [name]: value === "all" ? null : value })}
                options={[{ value: "all", label: all }, ...options]}
              />
            </div>
          ))}
          {actions}
        </search>
        <p role="status" className="min-h-5 text-compact text-fg-muted">
          {total === undefined ? null : words.found(total)}
        </p>
      </div>
      <PageTable
        caption={words.caption}
        columns={columns}
        rowKey={rowKey}
        {...table}
        empty={
          narrowed ? (
            <EmptyState
              icon={<SearchX />}
              title={words.noMatch}
              action={<Button onClick={clear}>{words.clear}</Button>}
            >
              {words.noMatchText}
            </EmptyState>
          ) : (
            <EmptyState icon={<Inbox />} title={words.nothing} />
          )
        }
      />
    </Card>
  );
}
