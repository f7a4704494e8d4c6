"use client";

import { FileText } from "lucide-react";
import { useTranslations } from "next-intl";
import { DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { Money } from "@/components/ui/number";
import { StatusChip } from "@/components/ui/status-chip";
import { Day } from "../records/day";
import type { Billing } from "./types";

const TONES = { queued: "info", skipped: "neutral", cancelled: "neutral" } as const;

/** Payments with the state of their invoices. */
export function DocumentsTable({ documents }: { documents: Billing["documents"] }) {
  const t = useTranslations("billing.documents");
  return (
    <DataTable
      caption={t("title")}
      rows={documents}
      rowKey={(document) => String(document.id)}
      empty={
        <EmptyState icon={<FileText />} title={t("none")}>
          {t("noneText")}
        </EmptyState>
      }
      columns={[
        {
          id: "paid",
          header: t("paid"),
          primary: true,
          cell: ({ paid_at }) => <Day value={paid_at} />,
        },
        {
          id: "amount",
          header: t("amount"),
          align: "end",
          cell: ({ amount, currency }) => <Money amount={amount} currency={currency} exact />,
        },
        {
          id: "state",
          header: t("state"),
          cell: ({ state }) => <StatusChip tone={TONES[state]}>{t(`is.${state}`)}</StatusChip>,
        },
      ]}
    />
  );
}
