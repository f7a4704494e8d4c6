"use client";

import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { toFormError } from "@/components/form/form-error";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import type { Key } from "./types";

/** Revokes a key, after a dialog has named the consequences. */
export function RevokeKey({ apiKey: { id, name, last_used_at: used } }: { apiKey: Key }) {
  const t = useTranslations();
  const utils = api.useUtils();
  const remove = api.tokens.removeKey.useMutation();

  async function confirm() {
    try {
      const { message } = await remove.mutateAsync({ params: { id: String(id) } });
      toast.success(message);
      await utils.tokens.listKeys.invalidate();
    } catch (error) {
      return toFormError(error).message || t("ui.error.network");
    }
  }

  return (
    <AlertDialog
      trigger={
        <Button size="sm" aria-label={t("keys.revoke.label", { name })}>
          {t("keys.revoke.short")}
        </Button>
      }
      title={t.rich("keys.revoke.title", { name: () => <bdi>{name}</bdi> })}
      description={t("keys.revoke.text")}
      confirmLabel={t("keys.revoke.confirm")}
      onConfirm={confirm}
    >
      <p className="text-sm">
        {used
          ? t.rich("keys.revoke.used", { time: () => <Time value={used} show="dateTime" /> })
          : t("keys.revoke.unused")}
      </p>
    </AlertDialog>
  );
}
