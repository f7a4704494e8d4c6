"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { FormAlert } from "@/components/ui/form-alert";
import { useFormat } from "@/components/ui/use-format";
import { toTurkishDay } from "../records/day";
import type { Billing } from "./types";

export interface MissingDetailsAlertProps {
  documents: Billing["documents"];
  action?: ReactNode;
}

/** Names the details that invoices wait for; nothing if none does. */
export function MissingDetailsAlert({ documents, action }: MissingDetailsAlertProps) {
  const t = useTranslations("billing.documents");
  const { list: formatList, date: formatDate } = useFormat();
  const waitingDocuments = documents.filter(({ state }) => state === "needs_data");
  if (waitingDocuments.length === 0) return null;
  const missingFields = [...new Set(waitingDocuments.flatMap(({ missing }) => missing))];
  const missingNames = missingFields.map((field) => t(`missing.${field as "title"}`));
  const deadline = waitingDocuments.flatMap(({ deadline_at }) => deadline_at ?? []).sort()[0];
  return (
    <FormAlert tone="warning" title={t("needsTitle", { count: waitingDocuments.length })} action={action}>
      <span>{t("needsText", { fields: formatList(missingNames) || t("refused") })}</span>{" "}
      {deadline ? (
        <span>{t("needsBy", { date: formatDate(`${toTurkishDay(deadline)}T12:00:00Z`) })}</span>
      ) : null}
    </FormAlert>
  );
}
