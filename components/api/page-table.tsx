"use client";

import { DataTable, type DataTableProps } from "@/components/ui/data-table";
import { ErrorState } from "@/components/ui/error-state";
import { useErrorText } from "./form-error";
import type { PageTableProps } from "./use-paged-list";

export function PageTable<Row>({
  failure,
  ...table
}: DataTableProps<Row> & Pick<PageTableProps<Row>, "failure">) {
  const getErrorText = useErrorText();
  if (!failure) return <DataTable {...table} />;
  return <ErrorState onRetry={failure.retry}>{getErrorText(failure.error)}</ErrorState>;
}
