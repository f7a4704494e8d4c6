"use client";

import { ContactRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { SavedViews } from "@/components/accounts/preferences/saved-views";
import { api } from "@/components/api/client";
import { CsvLink } from "@/components/api/csv-link";
import { ListCard, listTexts } from "@/components/api/list-card";
import { type PageOptions, usePage } from "@/components/api/use-page";
import { EmptyState } from "@/components/ui/empty-state";
import { buildCustomersCsvPath, customerListParsers, toCustomerQuery } from "./list-view";
import type { Customer } from "./types";
import { useCustomerColumns } from "./use-customer-columns";

type Customers = PageOptions<typeof customerListParsers, Customer>;

// `meta` is optional in the contract, but always present for a page.
const useCustomers: Customers["useRows"] = (input, options) =>
  api.customers.list.useQuery({ query: toCustomerQuery(input) }, options);

export function CustomersTable({ first }: { first: Customers["firstPage"] }) {
  const t = useTranslations("customers");
  const list = usePage(customerListParsers, { firstPage: first, useRows: useCustomers });
  return (
    <ListCard
      list={list}
      texts={listTexts(t)}
      actions={
        <>
          <SavedViews list="customers" />
          <CsvLink href={buildCustomersCsvPath(list.view)}>{t("csv")}</CsvLink>
        </>
      }
      columns={useCustomerColumns()}
      rowKey={({ id }) => String(id)}
      filters={[
        {
          name: "is_active",
          label: t("column.state"),
          all: t("filter.states"),
          options: [
            { value: "true", label: t("state.active") },
            { value: "false", label: t("state.passive") },
          ],
        },
      ]}
      empty={
        <EmptyState icon={<ContactRound />} title={t("empty")}>
          {t("emptyText")}
        </EmptyState>
      }
    />
  );
}
