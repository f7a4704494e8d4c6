"use client";

import { ContactRound } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { SavedViewTabs } from "@/components/accounts/preferences/saved-view-tabs";
import { api } from "@/components/api/client";
import { CsvLink } from "@/components/api/csv-link";
import { EmptyList } from "@/components/api/empty-list";
import { buildListTexts, ListCard } from "@/components/api/list-card";
import { type PagedListOptions, usePagedList } from "@/components/api/use-paged-list";
import { CUSTOMER_STATES } from "@/server/domains/tenancy/customers/policy";
import { buildCustomersCsvPath, customerListParsers, toCustomerQuery } from "./list-view";
import type { Customer } from "./types";
import { useCustomerColumns } from "./use-customer-columns";

type CustomerPageOptions = PagedListOptions<typeof customerListParsers, Customer>;

// `meta` is optional in the contract, but always present for a page.
const useCustomers: CustomerPageOptions["useRows"] = (input, options) =>
  api.customers.list.useQuery({ query: toCustomerQuery(input) }, options);

export function CustomersTable({ firstPage }: { firstPage: CustomerPageOptions["firstPage"] }) {
  const t = useTranslations("customers");
  const list = usePagedList(customerListParsers, { firstPage, useRows: useCustomers });
  return (
    <ListCard
      list={list}
      texts={buildListTexts(t)}
      views={<SavedViewTabs list="customers" />}
      actions={<CsvLink href={buildCustomersCsvPath(list.view)}>{t("csv")}</CsvLink>}
      columns={useCustomerColumns()}
      rowKey={({ id }) => String(id)}
      filters={[
        {
          name: "state",
          label: t("column.state"),
          allLabel: t("filter.states"),
          options: CUSTOMER_STATES.map((state) => ({ value: state, label: t(`filter.${state}`) })),
        },
      ]}
      emptyState={
        <EmptyList
          icon={<ContactRound />}
          title={t("empty")}
          createLabel={t("emptyAction")}
          guide={"/developers/docs/customers" as Route}
        >
          {t("emptyText")}
        </EmptyList>
      }
    />
  );
}
