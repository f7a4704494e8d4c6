"use client";

import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { toast } from "@/components/ui/toast";
import type { MediaRow } from "./types";

/** Says what a deletion changes, deletes, and offers to take that back for ten seconds. */
export function RemoveMedia({
  file,
  open,
  onOpenChange,
}: {
  file: MediaRow;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const t = useTranslations("media");
  const words = useTranslations("common");
  const utils = api.useUtils();
  const removal = api.media.remove.useMutation();
  const restoring = api.media.restore.useMutation();
  const params = { id: String(file.id) };
  const refresh = () => Promise.all([utils.media.invalidate(), utils.snippets.invalidate()]);
  const restore = useAction(() => restoring.mutateAsync({ params }), { onSuccess: refresh });
  const remove = useAction(() => removal.mutateAsync({ params, query: { undo: "true" } }), {
    success: false,
    onSuccess: async () => {
      await refresh();
      toast.success(t("deleted", { name: file.name }), {
        action: { label: words("undo"), onSelect: () => void restore.press() },
      });
    },
  });
  const count = file.used_in_count;
  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("delete.title", { name: file.name })}
      description={count > 0 ? t("delete.used", { count }) : t("delete.unused")}
      confirmLabel={t("delete.button")}
      onConfirm={() => remove.attempt()}
    />
  );
}
