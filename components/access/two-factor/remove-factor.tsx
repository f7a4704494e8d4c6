"use client";

import { useTranslations } from "next-intl";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import type { FactorMethod } from "./types";

export interface RemoveFactorProps {
  method: FactorMethod["method"];
  /** True for the last active factor: after its removal, the password alone is enough to sign in. */
  isLast: boolean;
  onRemoved: () => Promise<void>;
}

export function RemoveFactor({ method, isLast, onRemoved }: RemoveFactorProps) {
  const t = useTranslations();
  const { prove, proofDialog } = useProofPrompt();
  const remove = useAction(
    () => prove(t(`security.${method}.remove`), () => call.twoFactor.remove.mutate({ params: { method } })),
    { onSuccess: onRemoved },
  );

  const consequences = [
    t(`security.${method}.removeText`),
    ...(isLast ? [t("security.removeLast"), t("security.removeCodes")] : []),
    t("security.removeMail"),
  ];
  return (
    <AlertDialog
      trigger={<Button size="sm">{t("security.off")}</Button>}
      title={t(`security.${method}.removeTitle`)}
      confirmLabel={t(`security.${method}.remove`)}
      onConfirm={remove.attempt}
    >
      <ul className="flex list-disc flex-col gap-1.5 ps-5 text-sm">
        {consequences.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {proofDialog}
    </AlertDialog>
  );
}
