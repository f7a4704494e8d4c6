"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { getPreloadProps, lazyPart } from "@/components/ui/lazy-part";
import type { BulkAction, BulkResult, UserRow } from "./types";

const BulkForm = lazyPart(() => import("./bulk-form").then((file) => file.BulkForm));

const BULK_ACTIONS = ["activate", "deactivate", "sign_out"] as const;

export function BulkUsers({
  selectedUsers,
  onClear,
}: {
  selectedUsers: readonly UserRow[];
  onClear: () => void;
}) {
  const t = useTranslations("admin.bulk");
  const [preview, setPreview] = useState<{
    action: BulkAction;
    users: readonly UserRow[];
    forecast: BulkResult;
  }>();
  const [formKey, setFormKey] = useState(0);
  const [open, setOpen] = useState(false);
  const loadPreview = useAction(
    (action: BulkAction) =>
      call.administration.changeUsers.mutate({
        body: { ids: selectedUsers.map(({ id }) => id), action, dry_run: true },
      }),
    {
      successText: false,
      onSuccess: (forecast, action) => {
        setPreview({ action, users: selectedUsers, forecast });
        setFormKey((last) => last + 1);
        setOpen(true);
      },
    },
  );
  return (
    <>
      {selectedUsers.length === 0 ? null : (
        <div
          data-actions
          className="flex flex-wrap items-center gap-3 rounded-control bg-primary-soft px-3 py-2 max-sm:layer-bar max-sm:fixed max-sm:inset-x-3 max-sm:bottom-[calc(4.5rem+env(safe-area-inset-bottom))] max-sm:border max-sm:border-border max-sm:shadow-2 short:static"
        >
          <p role="status" className="flex-1 text-sm">
            {t("chosen", { count: selectedUsers.length })}
          </p>
          {BULK_ACTIONS.map((action) => (
            <Button
              key={action}
              size="sm"
              working={loadPreview.isPending}
              {...getPreloadProps(BulkForm)}
              onClick={() => void loadPreview.run(action)}
            >
              {t(action)}
            </Button>
          ))}
          <Button size="sm" variant="ghost" onClick={onClear}>
            {t("none")}
          </Button>
        </div>
      )}
      {preview ? (
        <Dialog open={open} onOpenChange={setOpen} title={t("title", { action: preview.action })}>
          <BulkForm key={formKey} {...preview} onDone={onClear} />
        </Dialog>
      ) : null}
    </>
  );
}
