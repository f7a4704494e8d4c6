"use client";

import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { useFormat } from "@/components/ui/use-format";
import { getPaymentHref } from "./paths";
import type { OpenOrder } from "./types";
import { WithdrawOrder } from "./withdraw-order";

export function OrderCard({ order }: { order: OpenOrder }) {
  const t = useTranslations("billing.order");
  const { date: formatDate, money: formatMoney } = useFormat();
  return (
    <Card
      title={t("title", { plan: order.plan })}
      description={t("text", { date: formatDate(order.expires_at) })}
      heading="h3"
    >
      <p className="mb-4 text-sm">
        {t.rich("amount", {
          amount: formatMoney(order.amount, order.currency),
          ref: () => <Ltr mono>{order.reference}</Ltr>,
        })}
      </p>
      <div className="flex flex-wrap gap-2">
        <LinkButton variant="primary" href={getPaymentHref(order.reference)} labelSuffix={order.plan}>
          {t("pay")}
        </LinkButton>
        <WithdrawOrder order={order} />
      </div>
    </Card>
  );
}
