"use client";

import { ReceiptText } from "lucide-react";
import { useTranslations } from "next-intl";
import { SavedViewTabs } from "@/components/accounts/preferences/saved-view-tabs";
import { api } from "@/components/api/client";
import { CsvLink } from "@/components/api/csv-link";
import { ListCard } from "@/components/api/list-card";
import { type PagedListOptions, usePagedList } from "@/components/api/use-paged-list";
import { Ltr } from "@/components/ui/bidi";
import { EmptyState } from "@/components/ui/empty-state";
import { Money } from "@/components/ui/number";
import { DOCUMENT_STATES } from "@/server/domains/billing/records/policy";
import { getInvoicePath } from "../records/admin-paths";
import { CustomerCell } from "../records/customer-cell";
import { DUE_FILTERS, getCsvPath, invoiceParsers } from "../records/list-views";
import { DeadlineChip } from "./deadline-chip";
import { StateChip } from "./state-chip";
import type { Invoice } from "./types";

type InvoicePageOptions = PagedListOptions<typeof invoiceParsers, Invoice>;

const useInvoices: InvoicePageOptions["useRows"] = (input, options) =>
  api.accounting.list.useQuery({ query: input }, options) as never;

export function InvoicesTable({ firstPage }: { firstPage: InvoicePageOptions["firstPage"] }) {
  const t = useTranslations("accounting");
  const adminTexts = useTranslations("billingAdmin");
  const list = usePagedList(invoiceParsers, { firstPage, useRows: useInvoices });
  const { view, setFilters, table } = list;
  const userId = view.user_id;
  const customerName = table.rows.find(({ user }) => String(user.id) === userId)?.user.name;
  return (
    <ListCard
      list={list}
      texts={{
        caption: t("title"),
        search: t("search"),
        found: (count) => t("found", { count }),
        noMatch: adminTexts("noMatch"),
        noMatchText: adminTexts("noMatchText"),
        clear: adminTexts("clear"),
      }}
      chips={
        userId
          ? [
              {
                id: "user_id",
                label: adminTexts("ofAccount", { name: customerName ?? userId }),
                onRemove: () => setFilters({ user_id: null }),
              },
            ]
          : []
      }
      emptyState={
        <EmptyState icon={<ReceiptText />} title={t("nothing")}>
          {t("nothingText")}
        </EmptyState>
      }
      rowKey={({ id }) => String(id)}
      views={<SavedViewTabs list="invoices" />}
      actions={
        <CsvLink href={getCsvPath("/api/admin/accounting.csv", invoiceParsers, view)}>
          {adminTexts("csv")}
        </CsvLink>
      }
      filters={[
        {
          name: "state",
          label: t("state"),
          allLabel: t("allStates"),
          options: DOCUMENT_STATES.map((value) => ({
            value,
            label: adminTexts(`payments.invoiceIs.${value}`),
          })),
        },
        {
          name: "due",
          label: t("due"),
          allLabel: t("allDue"),
          options: DUE_FILTERS.map((value) => ({ value, label: t(`dueIs.${value}`) })),
        },
      ]}
      columns={[
        {
          id: "user",
          header: adminTexts("customer"),
          isCardTitle: true,
          cell: ({ id, user }) => <CustomerCell user={user} href={getInvoicePath(id)} />,
        },
        {
          id: "deadline_at",
          header: t("due"),
          sortable: true,
          cell: (invoice) => <DeadlineChip invoice={invoice} />,
        },
        { id: "state", header: t("state"), cell: ({ state }) => <StateChip state={state} /> },
        {
          id: "amount",
          header: adminTexts("amount"),
          sortable: true,
          align: "end",
          cell: ({ amount, currency }) => <Money amount={amount} currency={currency} exact />,
        },
        {
          id: "number",
          header: t("number"),
          minTableWidth: "wide",
          cell: ({ number }) => (number ? <Ltr mono>{number}</Ltr> : null),
        },
      ]}
    />
  );
}
