"use client";

import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { type PagedListOptions, usePagedList } from "@/components/api/use-paged-list";
import { DOCUMENT_STATES } from "@/server/domains/billing/records/policy";
import { PAYMENT_STATES, paymentParsers } from "./list-views";
import { usePaymentColumns } from "./payment-columns";
import { RecordList } from "./record-list";
import type { Payment } from "./types";

type PaymentPages = PagedListOptions<typeof paymentParsers, Payment>;

const usePayments: PaymentPages["useRows"] = (input, options) =>
  api.records.listPayments.useQuery({ query: input }, options) as never;

export function PaymentsTable({ firstPage }: { firstPage: PaymentPages["firstPage"] }) {
  const t = useTranslations("billingAdmin");
  const list = usePagedList(paymentParsers, { firstPage, useRows: usePayments });
  const { columns, currentKey, preview } = usePaymentColumns(list.table.rows);
  return (
    <>
      <RecordList
        recordType="payments"
        list={list}
        parsers={paymentParsers}
        periodFilter={{ from: "paid_from", to: "paid_to", label: t("payments.paid") }}
        filters={[
          {
            name: "state",
            label: t("state"),
            allLabel: t("allStates"),
            options: PAYMENT_STATES.map((value) => ({ value, label: t(`payments.is.${value}`) })),
          },
          {
            name: "invoice",
            label: t("payments.invoice"),
            allLabel: t("payments.allInvoices"),
            options: DOCUMENT_STATES.map((value) => ({ value, label: t(`payments.invoiceIs.${value}`) })),
          },
        ]}
        columns={columns}
        currentKey={currentKey}
      />
      {preview}
    </>
  );
}
