"use client";

import { useTranslations } from "next-intl";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";

export function RemovePortal({ onRemove }: { onRemove: () => Promise<string | undefined> }) {
  const t = useTranslations();
  return (
    <AlertDialog
      trigger={<Button variant="ghost">{t("portal.remove")}</Button>}
      title={t("portal.removeTitle")}
      description={t("portal.removeText")}
      confirmLabel={t("portal.remove")}
      onConfirm={onRemove}
    />
  );
}
