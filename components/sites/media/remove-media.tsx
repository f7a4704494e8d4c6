"use client";

import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { useRemoval } from "@/components/form/use-removal";
import { AlertDialog } from "@/components/ui/alert-dialog";
import type { MediaRow } from "./types";

export function RemoveMediaDialog({
  files,
  opener,
  open,
  onOpenChange,
}: {
  files: readonly MediaRow[];
  opener: Element | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const t = useTranslations("media");
  const utils = api.useUtils();
  const toParams = ({ id }: MediaRow) => ({ id: String(id) });
  const removal = useRemoval<MediaRow>({
    remove: (file) => call.media.remove.mutate({ params: toParams(file), query: { undo: "true" } }),
    restore: (file) => call.media.restore.mutate({ params: toParams(file) }),
    refresh: () => Promise.all([utils.media.invalidate(), utils.snippets.invalidate()]),
    toastText: (removedFiles) =>
      removedFiles.length === 1
        ? t("deleted", { name: removedFiles[0]!.name })
        : t("deletedMany", { count: removedFiles.length }),
  });
  const usageCount = files.reduce((sum, file) => sum + file.used_in_count, 0);
  const fileCount = files.length;
  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title={
        fileCount === 1
          ? t("delete.title", { name: files[0]!.name })
          : t("delete.titleMany", { count: fileCount })
      }
      description={
        usageCount > 0
          ? t("delete.used", { count: usageCount })
          : fileCount === 1
            ? t("delete.unused")
            : t("delete.unusedMany")
      }
      confirmLabel={fileCount === 1 ? t("delete.button") : t("delete.chosen", { count: fileCount })}
      onConfirm={() => removal.attempt(files)}
      finalFocus={() => (opener?.isConnected ? null : findActiveTile()) ?? true}
    />
  );
}

/** Finds the grid's tab stop, which is now at the position of the deleted tile. */
const findActiveTile = () =>
  document.querySelector<HTMLElement>("[role=listbox] > [role=option][tabindex='0']");
