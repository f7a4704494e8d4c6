import { Coins, FileKey2, Users } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { useFormat } from "@/components/ui/use-format";
import type { Output } from "@/server/core/contract";
import type { getResellerOverview } from "@/server/domains/tenancy/overview/contract";
import { FigureCard, FigureRows } from "./figure-card";

type ResellerOverview = Output<typeof getResellerOverview>;

export interface ResellerCardsProps {
  overview: ResellerOverview;
}

/** A reseller's customers by state, unpaid licences by customer, and earnings by month. */
export function ResellerCards({ overview }: ResellerCardsProps) {
  return (
    <div className="grid gap-6 md:grid-cols-2 xl:grid-cols-3">
      <CustomersCard overview={overview} />
      <LicencesCard overview={overview} />
      <EarningsCard overview={overview} />
    </div>
  );
}

const STATE_PATHS: Record<keyof ResellerOverview["customer_states"], string> = {
  active: "/reseller/customers?state=active",
  past_due: "/reseller/customers?state=past_due",
  offline: "/reseller/customers?state=offline",
  invited: "/reseller/customers#invitations",
  deactivated: "/reseller/customers?state=deactivated",
};

function CustomersCard({ overview }: ResellerCardsProps) {
  const t = useTranslations("dashboard.reseller");
  const { number: formatNumber } = useFormat();
  const { customers, new_customers: newCustomers, customer_states: states } = overview;
  const isEmpty = customers === 0 && states.invited === 0;
  return (
    <FigureCard
      icon={<Users />}
      title={t("customers")}
      figure={formatNumber(customers)}
      caption={customers > 0 ? t("newCustomers", { count: newCustomers }) : undefined}
      link={{ href: "/reseller/customers", label: t(isEmpty ? "invite" : "openCustomers") }}
    >
      {isEmpty ? (
        t("customersNone")
      ) : (
        <FigureRows
          rows={(Object.keys(STATE_PATHS) as Array<keyof typeof STATE_PATHS>).map((state) => ({
            key: state,
            label: t(`states.${state}`),
            value: formatNumber(states[state]),
            href: states[state] > 0 ? (STATE_PATHS[state] as Route) : undefined,
          }))}
        />
      )}
    </FigureCard>
  );
}

const UNPAID_LICENCES_PATH = "/reseller/licences?status=pending";

function LicencesCard({ overview }: ResellerCardsProps) {
  const t = useTranslations("dashboard.reseller");
  const { number: formatNumber, money: formatMoney, date: formatDate } = useFormat();
  const { licences_to_pay: licences, licences_by_customer: byCustomer } = overview;
  const hiddenCount = licences.count - byCustomer.reduce((sum, { count }) => sum + count, 0);
  return (
    <FigureCard
      icon={<FileKey2 />}
      title={t("licences")}
      figure={formatNumber(licences.count)}
      caption={
        licences.count > 0 ? t("licencesAmount", { amount: formatMoney(licences.amount, "TRY") }) : undefined
      }
      link={{ href: UNPAID_LICENCES_PATH as Route, label: t("openLicences") }}
    >
      {licences.count === 0 ? (
        t("licencesNone")
      ) : (
        <>
          <FigureRows
            rows={byCustomer.map(({ customer_id, customer_name: name, count, amount, pay_by }) => ({
              key: String(customer_id),
              label: name === null ? t("licencesOwn") : <bdi>{name}</bdi>,
              hint: t("licencesBy", { count, date: formatDate(pay_by) }),
              value: formatMoney(amount, "TRY"),
              href: (name === null
                ? UNPAID_LICENCES_PATH
                : `${UNPAID_LICENCES_PATH}&q=${encodeURIComponent(name)}`) as Route,
            }))}
          />
          {hiddenCount > 0 ? <p className="mt-3">{t("licencesMore", { count: hiddenCount })}</p> : null}
        </>
      )}
    </FigureCard>
  );
}

function EarningsCard({ overview }: ResellerCardsProps) {
  const t = useTranslations("dashboard.reseller");
  const { money: formatMoney, list: formatList } = useFormat();
  const { earnings, earning_months: months, referral_rate: rate } = overview;
  const formatSums = (key: "open" | "paid") =>
    formatList(earnings.map((sum) => formatMoney(sum[key], sum.currency))) || formatMoney(0, "TRY");
  const [thisMonth] = months.map(({ month }) => month);
  const formatMonth = (isThisMonth: boolean) =>
    formatList(
      months
        .filter(({ month }) => (month === thisMonth) === isThisMonth)
        .map(({ amount, currency }) => formatMoney(amount, currency)),
    );
  return (
    <FigureCard
      icon={<Coins />}
      title={t("earnings")}
      figure={<bdi>{formatSums("open")}</bdi>}
      caption={t("earningsOpen")}
      link={{ href: "/reseller/referral", label: t("openEarnings") }}
    >
      {earnings.length === 0 ? (
        t(rate > 0 ? "earningsNone" : "earningsNoRate")
      ) : (
        <FigureRows
          rows={[
            { key: "this", label: t("thisMonth"), value: formatMonth(true) },
            { key: "last", label: t("lastMonth"), value: formatMonth(false) },
            { key: "paid", label: t("earningsPaid"), value: formatSums("paid") },
          ]}
        />
      )}
    </FigureCard>
  );
}
