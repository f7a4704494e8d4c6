"use client";

import { PanelRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api } from "@/components/api/client";
import { type PageOptions, usePage } from "@/components/api/use-page";
import { Ltr } from "@/components/ui/bidi";
import { IconButton } from "@/components/ui/icon-button";
import { Money } from "@/components/ui/number";
import { StatusChip } from "@/components/ui/status-chip";
import { PaymentDrawer } from "../payments/payment-drawer";
import { Day } from "./day";
import { INVOICE_STATES, PAYMENT_STATES, paymentParsers } from "./list-views";
import { RecordList } from "./record-list";
import type { Payment } from "./types";

type Payments = PageOptions<typeof paymentParsers, Payment>;

const usePayments: Payments["useRows"] = (input, options) =>
  api.records.listPayments.useQuery({ query: input }, options as never) as never;

/** All payments; each opens in a drawer with its receipt and its reversal. */
export function PaymentsTable({ first }: { first: Payments["first"] }) {
  const t = useTranslations("billingAdmin");
  const list = usePage(paymentParsers, { first, useRows: usePayments });
  const [shown, setShown] = useState<number>();
  const [open, setOpen] = useState(false);
  const payment = list.table.rows.find(({ id }) => id === shown);
  return (
    <>
      <RecordList
        of="payments"
        list={list}
        parsers={paymentParsers}
        filters={[
          {
            name: "state",
            label: t("state"),
            all: t("allStates"),
            options: PAYMENT_STATES.map((value) => ({ value, label: t(`payments.is.${value}`) })),
          },
          {
            name: "invoice",
            label: t("payments.invoice"),
            all: t("payments.allInvoices"),
            options: INVOICE_STATES.map((value) => ({ value, label: t(`payments.invoiceIs.${value}`) })),
          },
        ]}
        columns={[
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
            from: "medium",
            cell: ({ invoice }) => (invoice ? t(`payments.invoiceIs.${invoice}`) : null),
          },
          {
            id: "reference",
            header: t("payments.bankReference"),
            from: "wide",
            cell: ({ bank_reference: text }) => (text ? <Ltr mono>{text}</Ltr> : null),
          },
          {
            id: "menu",
            header: t("actions"),
            hideHeader: true,
            align: "end",
            cell: ({ id, user }) => (
              <IconButton
                label={t("payments.open", { name: user.name })}
                icon={<PanelRight className="mirror" />}
                size="sm"
                tooltip={false}
                onClick={() => {
                  setShown(id);
                  setOpen(true);
                }}
              />
            ),
          },
        ]}
      />
      {payment ? (
        <PaymentDrawer key={payment.id} payment={payment} open={open} onOpenChange={setOpen} />
      ) : null}
    </>
  );
}
