"use client";

import { PanelRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Ltr } from "@/components/ui/bidi";
import { type Column, createActionColumn } from "@/components/ui/data-table";
import { IconButton } from "@/components/ui/icon-button";
import { lazyPart, POPUP } from "@/components/ui/lazy-part";
import { Money } from "@/components/ui/number";
import { StatusChip } from "@/components/ui/status-chip";
import { Day } from "./day";
import type { Payment } from "./types";

const PaymentDrawer = lazyPart(
  () => import("../payments/payment-drawer").then((file) => file.PaymentDrawer),
  POPUP,
);

export function usePaymentColumns(rows: readonly Payment[]): {
  columns: Column<Payment>[];
  drawer: ReactNode;
} {
  const t = useTranslations("billingAdmin");
  const [selectedId, setSelectedId] = useState<number>();
  const [open, setOpen] = useState(false);
  const payment = rows.find(({ id }) => id === selectedId);
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
    createActionColumn(t("actions"), ({ id, user }) => (
      <IconButton
        data-opens-row
        label={t("payments.open", { name: user.name })}
        icon={<PanelRight className="mirror" />}
        size="sm"
        tooltip={false}
        onClick={() => {
          setSelectedId(id);
          setOpen(true);
        }}
      />
    )),
  ];
  return {
    columns,
    drawer: payment ? (
      <PaymentDrawer key={payment.id} payment={payment} open={open} onOpenChange={setOpen} />
    ) : null,
  };
}
