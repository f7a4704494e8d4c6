"use client";

import { Download, FileText } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { createActionColumn, DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { Money } from "@/components/ui/number";
import { StatusChip } from "@/components/ui/status-chip";
import { Day } from "../records/day";
import { MissingDetailsAlert } from "./missing-details-alert";
import type { Billing } from "./types";

type BillingDocument = Billing["documents"][number];

const TONES = {
  queued: "info",
  needs_data: "warning",
  done: "success",
  skipped: "neutral",
  cancelled: "neutral",
} as const;

export function DocumentsTable({ documents }: { documents: Billing["documents"] }) {
  const t = useTranslations("billing.documents");
  return (
    <>
      <div className="px-5 pb-4 empty:hidden">
        <MissingDetailsAlert
          documents={documents}
          action={
            <LinkButton size="sm" href="/billing?tab=profile">
              {t("needsAction")}
            </LinkButton>
          }
        />
      </div>
      <DataTable
        caption={t("title")}
        rows={documents}
        rowKey={(document) => String(document.id)}
        emptyState={
          <EmptyState icon={<FileText />} title={t("none")}>
            {t("noneText")}
          </EmptyState>
        }
        columns={[
          {
            id: "paid",
            header: t("paid"),
            isCardTitle: true,
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
          {
            id: "number",
            header: t("number"),
            cell: ({ number }) => (number ? <Ltr mono>{number}</Ltr> : null),
          },
          createActionColumn(t("file"), (document: BillingDocument) => <DownloadLink document={document} />),
        ]}
      />
    </>
  );
}

function DownloadLink({ document: { id, has_pdf, number } }: { document: BillingDocument }) {
  const t = useTranslations("billing.documents");
  if (!has_pdf) return null;
  return (
    <LinkButton
      size="sm"
      icon={<Download />}
      href={`/api/billing/documents/${id}/pdf` as Route}
      prefetch={false}
      download
      labelSuffix={number ?? String(id)}
    >
      {t("download")}
    </LinkButton>
  );
}
