"use client";

import { useTranslations } from "next-intl";
import { useProven } from "@/components/access/sign-in/identity/use-proven";
import { api } from "@/components/api/client";
import { toFormError } from "@/components/form/form-error";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import type { FactorMethod } from "./types";

export interface RemoveFactorProps {
  method: FactorMethod["method"];
  /** Without this factor the password alone opens the account. */
  last: boolean;
  onRemoved: () => Promise<void>;
}

/** The button that removes a second factor, with a dialog about the consequences. */
export function RemoveFactor({ method, last, onRemoved }: RemoveFactorProps) {
  const t = useTranslations();
  const { prove, confirmation } = useProven();
  const remove = api.twoFactor.remove.useMutation();

  async function confirm() {
    try {
      const done = await prove(t(`security.${method}.remove`), () =>
        remove.mutateAsync({ params: { method } }),
      );
      if (!done) return;
      toast.success(done.message);
      await onRemoved();
    } catch (error) {
      return toFormError(error).message || t("ui.error.network");
    }
  }

  const consequences = [
    t(`security.${method}.removeText`),
    ...(last ? [t("security.removeLast"), t("security.removeCodes")] : []),
    t("security.removeMail"),
  ];
  return (
    <AlertDialog
      trigger={<Button size="sm">{t("security.off")}</Button>}
      title={t(`security.${method}.removeTitle`)}
      confirmLabel={t(`security.${method}.remove`)}
      onConfirm={confirm}
    >
      <ul className="flex list-disc flex-col gap-1.5 ps-5 text-sm">
        {consequences.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {confirmation}
    </AlertDialog>
  );
}
