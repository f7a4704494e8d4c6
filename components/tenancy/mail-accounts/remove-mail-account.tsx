"use client";

import { useTranslations } from "next-intl";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";

export function RemoveMailAccount({ onRemove }: { onRemove: () => Promise<string | undefined> }) {
  const t = useTranslations();
  return (
    <AlertDialog
      trigger={<Button variant="ghost">{t("mailAccount.remove")}</Button>}
      title={t("mailAccount.removeTitle")}
      description={t("mailAccount.removeText")}
      confirmLabel={t("mailAccount.remove")}
      onConfirm={onRemove}
    />
  );
}
