"use client";

import { useTranslations } from "next-intl";
import { toast } from "@/components/ui/toast";
import { useAction } from "./use-action";

/** Deletes records one by one. Then offers undo, also for records deleted before a failure. */
export function useRemoval<Row>({
  remove,
  restore,
  refresh,
  toastText,
}: {
  remove: (row: Row) => Promise<unknown>;
  restore: (row: Row) => Promise<unknown>;
  refresh: () => Promise<unknown>;
  toastText: (removedRows: readonly Row[]) => string;
}) {
  const t = useTranslations("common");
  const undo = useAction(
    async (rows: readonly Row[]) => {
      let response: unknown;
      for (const row of rows) response = await restore(row);
      return response;
    },
    { onSuccess: refresh, onError: refresh },
  );
  return useAction(
    async (rows: readonly Row[]) => {
      const removedRows: Row[] = [];
      try {
        for (const row of rows) {
          await remove(row);
          removedRows.push(row);
        }
      } finally {
        await refresh();
        if (removedRows.length > 0)
          toast.success(toastText(removedRows), {
            action: { label: t("undo"), onSelect: () => void undo.run(removedRows) },
          });
      }
      return removedRows;
    },
    { successText: false },
  );
}
