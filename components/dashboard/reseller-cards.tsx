import { Coins, FileKey2, Users } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { useFormat } from "@/components/ui/use-format";
import type { Output } from "@/server/core/contract";
import type { getResellerOverview } from "@/server/domains/tenancy/overview/contract";
import { FigureCard } from "./figure-card";

export interface ResellerCardsProps {
  overview: Output<typeof getResellerOverview>;
}

/** A reseller's customers, debts and earnings. */
export function ResellerCards({ overview }: ResellerCardsProps) {
  const t = useTranslations("dashboard.reseller");
  const { number: formatNumber, money: formatMoney, list: formatList } = useFormat();
  const { customers, new_customers: newCustomers, licences_to_pay: licences, earnings } = overview;
  const formatSums = (key: "open" | "paid") =>
    formatList(earnings.map((sum) => formatMoney(sum[key], sum.currency))) || formatMoney(0, "TRY");
  return (
    <div className="grid gap-6 md:grid-cols-2 xl:grid-cols-3">
      <FigureCard
        icon={<Users />}
        title={t("customers")}
        figure={formatNumber(customers)}
        link={{ href: "/reseller/customers", label: t(customers > 0 ? "openCustomers" : "invite") }}
      >
        {customers > 0 ? t("newCustomers", { count: newCustomers }) : null}
      </FigureCard>
      <FigureCard
        icon={<FileKey2 />}
        title={t("licences")}
        figure={formatNumber(licences.count)}
        link={{ href: "/reseller/licences?status=pending" as Route, label: t("openLicences") }}
      >
        {licences.count > 0
          ? t("licencesAmount", { amount: formatMoney(licences.amount, "TRY") })
          : t("licencesNone")}
      </FigureCard>
      <FigureCard
        icon={<Coins />}
        title={t("earnings")}
        figure={<bdi>{formatSums("open")}</bdi>}
        link={{ href: "/reseller/referral", label: t("openEarnings") }}
      >
        {earnings.length > 0
          ? t("earningsPaid", { amount: formatSums("paid") })
          : t(overview.referral_rate > 0 ? "earningsNone" : "earningsNoRate")}
      </FigureCard>
    </div>
  );
}
