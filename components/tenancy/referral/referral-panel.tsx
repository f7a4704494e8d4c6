"use client";

import { HandCoins } from "lucide-react";
import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { Day } from "@/components/billing/records/day";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { KeyValue } from "@/components/ui/key-value";
import { lazyPart } from "@/components/ui/lazy-part";
import { FormattedNumber, Money } from "@/components/ui/number";
import { StatusChip } from "@/components/ui/status-chip";
import { useFormat } from "@/components/ui/use-format";
import { useRowPages } from "@/components/ui/use-row-pages";
import { ReferralForm } from "./referral-form";
import type { Referral, ReferralResponse } from "./types";

const QrCode = lazyPart(() => import("@/components/ui/qr-code").then((file) => file.QrCode));

export function ReferralPanel({ initialData }: { initialData: ReferralResponse }) {
  const t = useTranslations("referral");
  const { data } = api.referral.get.useQuery(undefined, { initialData });
  const { referral } = data;
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <ReferralForm referral={initialData.referral} />
      {referral.link ? (
        <div className="flex flex-col gap-4">
          <CodeBlock title={t("link")} code={referral.link} />
          <QrCode text={referral.link} label={t("qr")} />
        </div>
      ) : null}
      <MonthsCard months={referral.months} />
      <SumsCard sums={referral.sums} />
      {referral.payouts.length > 0 ? <PayoutsCard payouts={referral.payouts} /> : null}
      <EarningsCard earnings={referral.earnings} rate={referral.rate_percent} />
    </div>
  );
}

/** Newest first, from the month of the first sign-up. If there was none, only the current month. */
function MonthsCard({ months }: { months: Referral["months"] }) {
  const t = useTranslations("referral");
  const format = useFormat();
  const firstIndex = months.findIndex(({ sign_ups }) => sign_ups > 0);
  return (
    <Card title={t("months")} flush>
      <DataTable
        caption={t("months")}
        rows={months.slice(firstIndex).toReversed()}
        rowKey={({ month }) => month}
        columns={[
          {
            id: "month",
            header: t("month"),
            isCardTitle: true,
            // The middle of the month is in the same month in every time zone.
            cell: ({ month }) => format.month(`${month}-15T12:00:00Z`),
          },
          {
            id: "signUps",
            header: t("signUps"),
            align: "end",
            cell: ({ sign_ups }) => <FormattedNumber value={sign_ups} />,
          },
        ]}
      />
    </Card>
  );
}

function SumsCard({ sums }: { sums: Referral["sums"] }) {
  const t = useTranslations("referral");
  if (sums.length === 0) return null;
  return (
    <Card title={t("sums")}>
      {sums.map(({ currency, open, paid }) => (
        <div key={currency} className="flex flex-col gap-3">
          <KeyValue
            items={[
              { key: "open", label: t("open"), value: <Money amount={open} currency={currency} exact /> },
              { key: "paid", label: t("paid"), value: <Money amount={paid} currency={currency} exact /> },
            ]}
          />
          {open < 0 ? <p className="text-fg-muted text-sm">{t("debt")}</p> : null}
        </div>
      ))}
    </Card>
  );
}

function PayoutsCard({ payouts }: { payouts: Referral["payouts"] }) {
  const t = useTranslations("referral");
  const pages = useRowPages(payouts);
  return (
    <Card title={t("payouts")} flush>
      <DataTable
        caption={t("payouts")}
        {...pages}
        rowKey={({ id }) => String(id)}
        columns={[
          {
            id: "day",
            header: t("payoutDay"),
            isCardTitle: true,
            cell: ({ paid_at }) => <Day value={paid_at} />,
          },
          { id: "until", header: t("payoutUntil"), cell: ({ until }) => <Day value={until} /> },
          {
            id: "amount",
            header: t("paid"),
            align: "end",
            cell: ({ amount, currency }) => <Money amount={amount} currency={currency} exact />,
          },
          {
            id: "reference",
            header: t("reference"),
            cell: ({ reference, note }) => (
              <span className="wrap-anywhere flex flex-col sm:py-2">
                {reference ? <Ltr mono>{reference}</Ltr> : null}
                {note ? <bdi className="text-fg-muted">{note}</bdi> : null}
              </span>
            ),
          },
        ]}
      />
    </Card>
  );
}

const EARNING_TONES = { earned: "info", paid: "success", void: "neutral", deducted: "warning" } as const;

function getEarningState({
  state,
  paid_out: isPaidOut,
}: Referral["earnings"][number]): keyof typeof EARNING_TONES {
  if (state === "earned") return isPaidOut ? "paid" : "earned";
  return isPaidOut ? "deducted" : "void";
}

function EarningsCard({ earnings, rate }: { earnings: Referral["earnings"]; rate: number }) {
  const t = useTranslations("referral");
  const pages = useRowPages(earnings);
  return (
    <Card title={t("earnings")} flush>
      <DataTable
        caption={t("earnings")}
        {...pages}
        rowKey={({ id }) => String(id)}
        emptyState={
          <EmptyState icon={<HandCoins />} title={t("none")}>
            {t(rate > 0 ? "noneText" : "noRate")}
          </EmptyState>
        }
        columns={[
          {
            id: "paid",
            header: t("paidAt"),
            isCardTitle: true,
            cell: ({ paid_at }) => <Day value={paid_at} />,
          },
          {
            id: "amount",
            header: t("amount"),
            align: "end",
            cell: ({ amount, currency }) => <Money amount={amount} currency={currency} exact />,
          },
          {
            id: "state",
            header: t("state"),
            cell: (earning) => {
              const state = getEarningState(earning);
              return <StatusChip tone={EARNING_TONES[state]}>{t(`states.${state}`)}</StatusChip>;
            },
          },
        ]}
      />
    </Card>
  );
}
