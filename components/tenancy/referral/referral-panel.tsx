"use client";

import { HandCoins } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { Day } from "@/components/billing/records/day";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { Money, Num } from "@/components/ui/number";
import { StatusChip } from "@/components/ui/status-chip";
import { useFormat } from "@/components/ui/use-format";
import { ReferralForm } from "./referral-form";
import type { Found, Referral } from "./types";

/** Drawn in the browser, after everything else. */
const ReferralQr = dynamic(() => import("./referral-qr").then((file) => file.ReferralQr), { ssr: false });

/** The referral programme: taking part, the link, sign-ups and earnings. */
export function ReferralPanel({ initial }: { initial: Found }) {
  const t = useTranslations("referral");
  const { data } = api.referral.get.useQuery(undefined, { initialData: initial });
  const { referral } = data;
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <ReferralForm referral={initial.referral} />
      {referral.link ? (
        <div className="flex flex-col gap-4">
          <CodeBlock title={t("link")} code={referral.link} />
          <ReferralQr link={referral.link} />
        </div>
      ) : null}
      <Months months={referral.months} />
      <Earnings earnings={referral.earnings} />
    </div>
  );
}

/** Oldest last, and none before the first sign-up. */
function Months({ months }: { months: Referral["months"] }) {
  const t = useTranslations("referral");
  const format = useFormat();
  const first = months.findIndex(({ sign_ups }) => sign_ups > 0);
  return (
    <Card title={t("months")} flush>
      <DataTable
        caption={t("months")}
        rows={months.slice(first).toReversed()}
        rowKey={({ month }) => month}
        columns={[
          {
            id: "month",
            header: t("month"),
            primary: true,
            // In its middle it is the same month in every zone.
            cell: ({ month }) => format.month(`${month}-15T12:00:00Z`),
          },
          {
            id: "signUps",
            header: t("signUps"),
            align: "end",
            cell: ({ sign_ups }) => <Num value={sign_ups} />,
          },
        ]}
      />
    </Card>
  );
}

function Earnings({ earnings }: { earnings: Referral["earnings"] }) {
  const t = useTranslations("referral");
  return (
    <Card title={t("earnings")} flush>
      <DataTable
        caption={t("earnings")}
        rows={earnings}
        rowKey={({ id }) => String(id)}
        empty={
          <EmptyState icon={<HandCoins />} title={t("none")}>
            {t("noneText")}
          </EmptyState>
        }
        columns={[
          {
            id: "paid",
            header: t("paidAt"),
            primary: true,
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
            cell: ({ state }) => (
              <StatusChip tone={state === "earned" ? "success" : "neutral"}>
                {t(`states.${state}`)}
              </StatusChip>
            ),
          },
        ]}
      />
    </Card>
  );
}
