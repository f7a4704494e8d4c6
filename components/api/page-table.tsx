"use client";

import { DataTable, type DataTableProps } from "@/components/ui/data-table";
import { ErrorState } from "@/components/ui/error-state";
import { useErrorText } from "./form-error";
import type { PageTableProps } from "./use-page";

/** Table of a list from `usePage`; shows an error with a retry when the view could not be loaded. */
export function PageTable<Row>({
  failure,
  ...table
}: DataTableProps<Row> & Pick<PageTableProps<Row>, "failure">) {
  const errorText = useErrorText();
  if (!failure) return <DataTable {...table} />;
  return <ErrorState onRetry={failure.retry}>{errorText(failure.error)}</ErrorState>;
}
