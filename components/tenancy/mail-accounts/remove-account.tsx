"use client";

import { useTranslations } from "next-intl";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";

/** The button that removes a mail account, with a dialog about where mails go then. */
export function RemoveAccount({ onRemove }: { onRemove: () => Promise<string | undefined> }) {
  const t = useTranslations();
  return (
    <AlertDialog
      trigger={<Button variant="ghost">{t("mail_account.remove")}</Button>}
      title={t("mail_account.removeTitle")}
      description={t("mail_account.removeText")}
      confirmLabel={t("mail_account.remove")}
      onConfirm={onRemove}
    />
  );
}
