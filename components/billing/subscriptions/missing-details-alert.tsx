"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { FormAlert } from "@/components/ui/form-alert";
import { useFormat } from "@/components/ui/use-format";
import type { Billing } from "./types";

export interface MissingDetailsAlertProps {
  documents: Billing["documents"];
  action?: ReactNode;
}

/** Names the details that invoices wait for; nothing if none does. */
export function MissingDetailsAlert({ documents, action }: MissingDetailsAlertProps) {
  const t = useTranslations("billing.documents");
  const { list: formatList } = useFormat();
  const waitingDocuments = documents.filter(({ state }) => state === "needs_data");
  if (waitingDocuments.length === 0) return null;
  const missingFields = [...new Set(waitingDocuments.flatMap(({ missing }) => missing))];
  const missingNames = missingFields.map((field) => t(`missing.${field as "title"}`));
  return (
    <FormAlert tone="warning" title={t("needsTitle", { count: waitingDocuments.length })} action={action}>
      {t("needsText", { fields: formatList(missingNames) || t("refused") })}
    </FormAlert>
  );
}
