"use client";

import { Coins } from "lucide-react";
import { useParams } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { api } from "@/components/api/client";
import { CsvLink } from "@/components/api/csv-link";
import { PageTable } from "@/components/api/page-table";
import { type PageOptions, usePage } from "@/components/api/use-page";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { NativeSelect } from "@/components/ui/native-select";
import { FormattedNumber } from "@/components/ui/number";
import { Time } from "@/components/ui/time";
import { useFormat } from "@/components/ui/use-format";
import { buildCreditsCsvPath, CREDIT_REASONS, creditParsers } from "./list-view";
import type { CreditEntry } from "./types";

type Credits = PageOptions<typeof creditParsers, CreditEntry>;

const useCredits: Credits["useRows"] = ({ q: _, ...input }, options) =>
  api.credits.list.useQuery({ query: input }, options) as never;

export function CreditsTable({ firstPage, balance }: { firstPage: Credits["firstPage"]; balance: number }) {
  const t = useTranslations("billing.credits");
  return (
    <Ledger
      firstPage={firstPage}
      useRows={useCredits}
      texts={{ balance: t("balance", { credits: balance }), none: t("none") }}
      actions={(view) => <CsvLink href={buildCreditsCsvPath(view)}>{t("csv")}</CsvLink>}
    />
  );
}

const useUserCredits: Credits["useRows"] = ({ q: _, ...query }, options) => {
  const params = useParams<{ id: string }>();
  return api.credits.listOf.useQuery({ params, query }, options) as never;
};

export function UserCreditsTable({
  firstPage,
  balance,
}: {
  firstPage: Credits["firstPage"];
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

interface LedgerProps extends Credits {
  texts: { balance: string; none: string };
  actions?: (view: Parameters<typeof buildCreditsCsvPath>[0]) => ReactNode;
}

function Ledger({ firstPage, useRows, texts, actions }: LedgerProps) {
  const t = useTranslations("billing.credits");
  const { view, total, table, setFilters } = usePage(creditParsers, { firstPage, useRows });
  const { number } = useFormat();
  const formatSigned = (amount: number) => number(amount, { signDisplay: "exceptZero" });
  return (
    <Card flush title={t("title")} description={texts.balance} actions={actions?.(view)}>
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
        empty={
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
            primary: true,
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
