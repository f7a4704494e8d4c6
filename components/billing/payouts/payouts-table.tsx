"use client";

import { HandCoins } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api } from "@/components/api/client";
import { buildListTexts, ListCard } from "@/components/api/list-card";
import { type PagedListOptions, usePagedList } from "@/components/api/use-paged-list";
import { CustomerCell } from "@/components/billing/records/customer-cell";
import { Day } from "@/components/billing/records/day";
import { Button } from "@/components/ui/button";
import { createActionColumn } from "@/components/ui/data-table";
import { Drawer } from "@/components/ui/drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { getPreloadProps, lazyPart } from "@/components/ui/lazy-part";
import { Money } from "@/components/ui/number";
import { useFormat } from "@/components/ui/use-format";
import { getAccountPath } from "../records/admin-paths";
import { payoutParsers } from "./list-view";
import type { ResellerEarnings } from "./types";

const PayoutForm = lazyPart(() => import("./payout-form").then((file) => file.PayoutForm));

type EarningsPages = PagedListOptions<typeof payoutParsers, ResellerEarnings>;

const useEarnings: EarningsPages["useRows"] = (input, options) =>
  api.payouts.list.useQuery({ query: input }, options) as never;

export interface PayoutsTableProps {
  firstPage: EarningsPages["firstPage"];
  previousMonthEnd: string;
}

export function PayoutsTable({ firstPage, previousMonthEnd }: PayoutsTableProps) {
  const t = useTranslations("payouts");
  const { month: formatMonth, day: formatDay } = useFormat();
  const list = usePagedList(payoutParsers, { firstPage, useRows: useEarnings });
  const [selectedEarnings, setSelectedEarnings] = useState<ResellerEarnings>();
  const [open, setOpen] = useState(false);
  const untilDays = new Set([previousMonthEnd, ...(list.view.until ? [list.view.until] : [])]);
  return (
    <>
      <ListCard
        list={list}
        texts={buildListTexts(t)}
        filters={[
          {
            name: "until",
            label: t("until"),
            allLabel: t("untilToday"),
            options: [...untilDays].map((day) => ({
              value: day,
              label:
                day === previousMonthEnd
                  ? t("untilMonth", { month: formatMonth(`${day}T12:00:00Z`) })
                  : formatDay(day),
            })),
          },
        ]}
        emptyState={
          <EmptyState icon={<HandCoins />} title={t("none")}>
            {t("noneText")}
          </EmptyState>
        }
        rowKey={({ id, currency }) => `${id} ${currency}`}
        columns={[
          {
            id: "name",
            header: t("reseller"),
            isCardTitle: true,
            sortable: true,
            cell: (row) => <CustomerCell user={row} href={getAccountPath(row.id)} />,
          },
          {
            id: "open",
            header: t("open"),
            align: "end",
            sortable: true,
            cell: (row) => <Money amount={row.open} currency={row.currency} exact />,
          },
          {
            id: "paid",
            header: t("paid"),
            align: "end",
            minTableWidth: "medium",
            cell: (row) => <Money amount={row.paid} currency={row.currency} exact />,
          },
          {
            id: "last",
            header: t("last"),
            minTableWidth: "wide",
            cell: ({ last_paid_at: day }) => (day ? <Day value={day} /> : "–"),
          },
          createActionColumn(t("actions"), (row: ResellerEarnings) =>
            row.open > 0 ? (
              <Button
                size="sm"
                aria-label={t("recordFor", { name: row.name })}
                {...getPreloadProps(PayoutForm)}
                onClick={() => {
                  setSelectedEarnings(row);
                  setOpen(true);
                }}
              >
                {t("record")}
              </Button>
            ) : null,
          ),
        ]}
      />
      {selectedEarnings ? (
        <Drawer key={selectedEarnings.id} open={open} onOpenChange={setOpen} title={t("record")}>
          <PayoutForm earnings={selectedEarnings} until={list.view.until} onDone={() => setOpen(false)} />
        </Drawer>
      ) : null}
    </>
  );
}
