"use client";

import { useTranslations } from "next-intl";
import { toFormError } from "@/components/form/form-error";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";

/** The button that gives the portal up, after it was said where customers sign in then. */
export function RemovePortal({ onRemove }: { onRemove: () => Promise<void> }) {
  const t = useTranslations();
  return (
    <AlertDialog
      trigger={<Button variant="ghost">{t("portal.remove")}</Button>}
      title={t("portal.removeTitle")}
      description={t("portal.removeText")}
      confirmLabel={t("portal.remove")}
      onConfirm={() =>
        onRemove().catch((error: unknown) => toFormError(error).message || t("ui.error.network"))
      }
    />
  );
}
