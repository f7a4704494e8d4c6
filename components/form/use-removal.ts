"use client";

import { useTranslations } from "next-intl";
import { toast } from "@/components/ui/toast";
import { useAction } from "./use-action";

/** Deletes records one by one and offers undo for ten seconds, also for those deleted before a failure. */
export function useRemoval<Row>({
  remove,
  restore,
  refresh,
  words,
}: {
  remove: (row: Row) => Promise<unknown>;
  restore: (row: Row) => Promise<unknown>;
  refresh: () => Promise<unknown>;
  /** Returns the text of the toast. */
  words: (gone: readonly Row[]) => string;
}) {
  const t = useTranslations("common");
  const back = useAction(
    async (rows: readonly Row[]) => {
      let answer: unknown;
      for (const row of rows) answer = await restore(row);
      return answer;
    },
    { onSuccess: refresh, onError: refresh },
  );
  return useAction(
    async (rows: readonly Row[]) => {
      const gone: Row[] = [];
      try {
        for (const row of rows) {
          await remove(row);
          gone.push(row);
        }
      } finally {
        await refresh();
        if (gone.length > 0)
          toast.success(words(gone), { action: { label: t("undo"), onSelect: () => void back.press(gone) } });
      }
      return gone;
    },
    { success: false },
  );
}
