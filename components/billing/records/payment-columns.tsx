"use client";

import { PanelRight } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { RowPreview, useRowPreview } from "@/components/api/row-preview";
import { Ltr } from "@/components/ui/bidi";
import { type Column, createActionColumn } from "@/components/ui/data-table";
import { IconButton } from "@/components/ui/icon-button";
import { getPreloadProps, lazyPart } from "@/components/ui/lazy-part";
import { Money } from "@/components/ui/number";
import { StatusChip } from "@/components/ui/status-chip";
import { Day } from "./day";
import type { Payment } from "./types";

const PaymentDetails = lazyPart(() =>
  import("../payments/payment-details").then((file) => file.PaymentDetails),
);

const getPaymentKey = ({ id }: Payment) => String(id);

export function usePaymentColumns(rows: readonly Payment[]): {
  columns: Column<Payment>[];
  currentKey: string | null;
  preview: ReactNode;
} {
  const t = useTranslations("billingAdmin");
  const [previewKey, openPreview] = useRowPreview();
  const columns: Column<Payment>[] = [
    {
      id: "paid_at",
      header: t("payments.paid"),
      sortable: true,
      cell: ({ paid_at }) => <Day value={paid_at} />,
    },
    {
      id: "amount",
      header: t("amount"),
      sortable: true,
      align: "end",
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} exact />,
    },
    {
      id: "state",
      header: t("state"),
      cell: ({ state }) => (
        <StatusChip tone={state === "recorded" ? "success" : "neutral"}>
          {t(`payments.is.${state}`)}
        </StatusChip>
      ),
    },
    {
      id: "invoice",
      header: t("payments.invoice"),
      minTableWidth: "medium",
      cell: ({ invoice }) => (invoice ? t(`payments.invoiceIs.${invoice}`) : null),
    },
    {
      id: "reference",
      header: t("payments.bankReference"),
      minTableWidth: "wide",
      cell: ({ bank_reference: bankReference }) => (bankReference ? <Ltr mono>{bankReference}</Ltr> : null),
    },
    createActionColumn(t("actions"), (payment) => (
      <IconButton
        data-opens-row
        label={t("payments.open", { name: payment.user.name })}
        icon={<PanelRight className="mirror" />}
        size="sm"
        tooltip={false}
        {...getPreloadProps(PaymentDetails)}
        onClick={() => openPreview(getPaymentKey(payment))}
      />
    )),
  ];
  return {
    columns,
    currentKey: previewKey,
    preview: (
      <RowPreview rows={rows} rowKey={getPaymentKey} title={({ user }) => user.name}>
        {(payment, close) => <PaymentDetails payment={payment} onReversed={close} />}
      </RowPreview>
    ),
  };
}
