import { useState } from "react";
import type { PagerProps } from "./pager";

const PAGE_SIZE = 20;

/** Pages of a table whose rows are all in the browser. A single page has no pager. */
export function useRowPages<Row>(rows: readonly Row[]): { rows: readonly Row[]; paging?: PagerProps } {
  const [chosenPage, setPage] = useState(1);
  if (rows.length <= PAGE_SIZE) return { rows };
  const page = Math.min(chosenPage, Math.ceil(rows.length / PAGE_SIZE));
  return {
    rows: rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
    paging: { page, pageSize: PAGE_SIZE, total: rows.length, onPageChange: setPage },
  };
}
