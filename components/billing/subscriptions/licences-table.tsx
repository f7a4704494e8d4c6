"use client";

import { ReceiptText } from "lucide-react";
import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { buildListTexts, ListCard } from "@/components/api/list-card";
import { type PagedListOptions, usePagedList } from "@/components/api/use-paged-list";
import { ReferenceLine } from "@/components/billing/records/reference-line";
import { getSitePath } from "@/components/sites/sites/site-path";
import { Button } from "@/components/ui/button";
import { type Column, createActionColumn, DataTable } from "@/components/ui/data-table";
import { Dialog } from "@/components/ui/dialog";
import { Domain } from "@/components/ui/domain";
import { EmptyState } from "@/components/ui/empty-state";
import { Money } from "@/components/ui/number";
import { RowLink } from "@/components/ui/row-link";
import { Time } from "@/components/ui/time";
import { BankTransfer } from "./bank-transfer";
import { BILLED_LICENCE_STATUSES, billedLicenceParsers } from "./list-view";
import { LicenceState } from "./states";
import type { Bank, BilledLicence } from "./types";

export interface BilledLicencesTableProps {
  licences: readonly BilledLicence[];
  bank: Bank | null;
}

export function BilledLicencesTable({ licences, bank }: BilledLicencesTableProps) {
  const t = useTranslations("billing.licences");
  return (
    <DataTable
      caption={t("title")}
      rows={licences}
      rowKey={({ id }) => String(id)}
      emptyState={<NoLicences />}
      columns={useLicenceColumns(bank)}
    />
  );
}

type LicencePages = PagedListOptions<typeof billedLicenceParsers, BilledLicence>;

const useLicences: LicencePages["useRows"] = (input, options) =>
  api.subscriptions.licences.useQuery({ query: input }, options) as never;

export function BilledLicenceList({
  firstPage,
  bank,
}: {
  firstPage: LicencePages["firstPage"];
  bank: Bank | null;
}) {
  const t = useTranslations("billing.licences");
  const tState = useTranslations("billingState.licence");
  const list = usePagedList(billedLicenceParsers, { firstPage, useRows: useLicences });
  const [siteColumn, domainColumn, ...otherColumns] = useLicenceColumns(bank, { hasReference: true });
  return (
    <ListCard
      list={list}
      texts={buildListTexts(t)}
      filters={[
        {
          name: "status",
          label: t("state"),
          allLabel: t("allStates"),
          options: BILLED_LICENCE_STATUSES.map((value) => ({ value, label: tState(value) })),
        },
      ]}
      emptyState={<NoLicences />}
      rowKey={({ id }) => String(id)}
      columns={[
        siteColumn!,
        domainColumn!,
        {
          id: "customer",
          header: t("customer"),
          cell: ({ customer }) =>
            customer === null ? (
              <span className="whitespace-nowrap">{t("own")}</span>
            ) : (
              <bdi className="wrap-anywhere">{customer}</bdi>
            ),
        },
        ...otherColumns,
      ]}
    />
  );
}

function NoLicences() {
  const t = useTranslations("billing.licences");
  return (
    <EmptyState icon={<ReceiptText />} title={t("none")}>
      {t("noneText")}
    </EmptyState>
  );
}

function useLicenceColumns(bank: Bank | null, { hasReference = false } = {}): Column<BilledLicence>[] {
  const t = useTranslations("billing.licences");
  return [
    {
      id: "site",
      header: t("site"),
      isCardTitle: true,
      cell: ({ site, reference }) => (
        <span className="wrap-anywhere flex flex-col items-start sm:py-2">
          {site ? (
            <RowLink href={getSitePath(site.id)}>
              <bdi>{site.name}</bdi>
            </RowLink>
          ) : (
            <span>{t("deletedSite")}</span>
          )}
          {hasReference ? <ReferenceLine>{reference}</ReferenceLine> : null}
        </span>
      ),
    },
    {
      id: "domain",
      header: t("domain"),
      minTableWidth: "medium",
      cell: ({ domain }) => (domain ? <Domain name={domain} /> : null),
    },
    { id: "state", header: t("state"), cell: (licence) => <LicenceState licence={licence} /> },
    {
      id: "until",
      header: t("until"),
      cell: ({ status, pay_by, period_end }) =>
        status === "pending"
          ? t.rich("payBy", { date: () => <Time value={pay_by} show="date" /> })
          : t.rich("runsUntil", { date: () => <Time value={period_end} show="date" /> }),
    },
    {
      id: "amount",
      header: t("amount"),
      align: "end",
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    createActionColumn(t("actions"), (licence) =>
      licence.status === "pending" ? (
        <Dialog
          trigger={
            <Button size="sm" labelSuffix={licence.site?.name ?? licence.reference}>
              {t("pay")}
            </Button>
          }
          title={t("payTitle")}
          description={t("payText")}
        >
          <BankTransfer {...licence} bank={bank} />
        </Dialog>
      ) : null,
    ),
  ];
}
