"use client";

import { Coins } from "lucide-react";
import { useParams } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { api } from "@/components/api/client";
import { CsvLink } from "@/components/api/csv-link";
import { PageTable } from "@/components/api/page-table";
import { type PagedListOptions, usePagedList } from "@/components/api/use-paged-list";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { NativeSelect } from "@/components/ui/native-select";
import { FormattedNumber } from "@/components/ui/number";
import { Time } from "@/components/ui/time";
import { useFormat } from "@/components/ui/use-format";
import { buildCreditsCsvPath, CREDIT_REASONS, creditParsers } from "./list-view";
import type { CreditEntry } from "./types";

type CreditsPage = PagedListOptions<typeof creditParsers, CreditEntry>;

const useCredits: CreditsPage["useRows"] = ({ q: _, ...input }, options) =>
  api.credits.list.useQuery({ query: input }, options) as never;

export function CreditsTable({
  firstPage,
  balance,
}: {
  firstPage: CreditsPage["firstPage"];
  balance: number;
}) {
  const t = useTranslations("billing.credits");
  return (
    <Ledger
      firstPage={firstPage}
      useRows={useCredits}
      texts={{ balance: t("balance", { credits: balance }), none: t("none") }}
      renderActions={(view) => <CsvLink href={buildCreditsCsvPath(view)}>{t("csv")}</CsvLink>}
    />
  );
}

const useUserCredits: CreditsPage["useRows"] = ({ q: _, ...query }, options) => {
  const params = useParams<{ id: string }>();
  return api.credits.listOf.useQuery({ params, query }, options) as never;
};

export function UserCreditsTable({
  firstPage,
  balance,
}: {
  firstPage: CreditsPage["firstPage"];
  balance: number;
}) {
  const t = useTranslations("billingAdmin.credits");
  return (
    <Ledger
      firstPage={firstPage}
      useRows={useUserCredits}
      texts={{ balance: t("balance", { credits: balance }), none: t("none") }}
    />
  );
}

interface LedgerProps extends CreditsPage {
  texts: { balance: string; none: string };
  renderActions?: (view: Parameters<typeof buildCreditsCsvPath>[0]) => ReactNode;
}

function Ledger({ firstPage, useRows, texts, renderActions }: LedgerProps) {
  const t = useTranslations("billing.credits");
  const { view, total, table, setFilters } = usePagedList(creditParsers, { firstPage, useRows });
  const { number: formatNumber } = useFormat();
  const formatSigned = (amount: number) => formatNumber(amount, { signDisplay: "exceptZero" });
  return (
    <Card flush title={t("title")} description={texts.balance} actions={renderActions?.(view)}>
      <div className="w-56 px-5 pb-4">
        <NativeSelect
          aria-label={t("reason")}
          size="sm"
          value={view.reason ?? "all"}
          onValueChange={(value) => setFilters({ reason: value === "all" ? null : value })}
          options={[
            { value: "all", label: t("all") },
            ...CREDIT_REASONS.map((value) => ({ value, label: t(`reasons.${value}`) })),
          ]}
        />
      </div>
      <PageTable
        caption={t("title")}
        rowKey={(entry) => String(entry.id)}
        {...table}
        emptyState={
          <EmptyState icon={<Coins />} title={texts.none}>
            {total === 0 && view.reason ? t("noneOfReason") : null}
          </EmptyState>
        }
        columns={[
          {
            id: "created_at",
            header: t("when"),
            sortable: true,
            cell: (entry) => <Time value={entry.created_at} />,
          },
          {
            id: "reason",
            header: t("reason"),
            isCardTitle: true,
            cell: (entry) => (
              <span className="wrap-anywhere flex flex-col">
                <span>{t(`reasons.${entry.reason}`)}</span>
                {entry.note ? <bdi className="text-fg-muted">{entry.note}</bdi> : null}
              </span>
            ),
          },
          {
            id: "actor",
            header: t("actor"),
            minTableWidth: "medium",
            cell: (entry) => t(`actors.${entry.actor}`),
          },
          {
            id: "amount",
            header: t("amount"),
            align: "end",
            cell: (entry) => <bdi className="tabular-nums">{formatSigned(entry.amount)}</bdi>,
          },
          {
            id: "balance",
            header: t("after"),
            align: "end",
            cell: (entry) => <FormattedNumber value={entry.balance} />,
          },
        ]}
      />
    </Card>
  );
}
