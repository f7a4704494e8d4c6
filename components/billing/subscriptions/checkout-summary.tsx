import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { KeyValue } from "@/components/ui/key-value";
import { Money } from "@/components/ui/number";
import { TextLink } from "@/components/ui/text-link";
import { PLANS_HREF } from "./paths";
import type { Checkout } from "./types";

/** Plan, period and price with VAT. */
export function CheckoutSummary({ checkout }: { checkout: Checkout }) {
  const t = useTranslations("billing.checkout");
  const { plan, currency } = checkout;
  return (
    <Card title={t("summary")} actions={<TextLink href={PLANS_HREF}>{t("change")}</TextLink>}>
      <KeyValue
        items={[
          { key: "plan", label: t("plan"), value: <bdi className="font-medium">{plan.name}</bdi> },
          { key: "period", label: t("period"), value: t("months", { count: checkout.period_months }) },
          { key: "sites", label: t("sites"), value: t("sitesCount", { count: plan.site_slots }) },
          {
            key: "net",
            label: t("net"),
            value: <Money amount={checkout.net_amount} currency={currency} exact />,
          },
          {
            key: "vat",
            label: t("vat", { rate: checkout.vat_rate }),
            value: <Money amount={checkout.vat_amount} currency={currency} exact />,
          },
          {
            key: "total",
            label: <span className="font-medium text-fg">{t("total")}</span>,
            value: (
              <span className="font-semibold text-base">
                <Money amount={checkout.amount} currency={currency} exact />
              </span>
            ),
          },
        ]}
      />
      <p className="mt-4 text-pretty text-fg-muted text-sm">{t("transferText")}</p>
    </Card>
  );
}
