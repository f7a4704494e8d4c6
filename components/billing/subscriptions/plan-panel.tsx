"use client";

import { useTranslations } from "next-intl";
import { OrderCard } from "./order-card";
import { PlanCards, PlanContact } from "./plan-cards";
import { SubscriptionCard } from "./subscription-card";
import type { Billing, Plan } from "./types";

export interface PlanPanelProps {
  billing: Billing;
  plans: readonly Plan[];
  email: string;
  viaReseller: boolean;
}

export function PlanPanel({ billing, plans, email, viaReseller }: PlanPanelProps) {
  const t = useTranslations("billing");
  const { subscriptions, orders, bank } = billing;
  const live = subscriptions.filter(isLive);
  const past = subscriptions.filter((subscription) => !isLive(subscription));
  return (
    <div className="flex flex-col gap-10">
      {orders.length > 0 ? (
        <Section title={t("order.heading")}>
          {orders.map((order) => (
            <OrderCard key={order.id} order={order} bank={bank} />
          ))}
        </Section>
      ) : null}
      {live.length > 0 ? (
        <Section title={t("subscription.heading")}>
          {live.map((subscription) => (
            <SubscriptionCard key={subscription.id} subscription={subscription} bank={bank} />
          ))}
        </Section>
      ) : null}
      <section className="flex flex-col gap-4">
        <h2 className="font-semibold text-h3">{t(live.length > 0 ? "plans.more" : "plans.first")}</h2>
        <PlanCards plans={plans} />
        <PlanContact email={email} viaReseller={viaReseller} />
      </section>
      {past.length > 0 ? (
        <Section title={t("subscription.past")}>
          {past.map((subscription) => (
            <SubscriptionCard key={subscription.id} subscription={subscription} bank={bank} />
          ))}
        </Section>
      ) : null}
    </div>
  );
}

const isLive = ({ status }: Billing["subscriptions"][number]) => status === "active" || status === "past_due";

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="flex flex-col gap-4">
      <h2 className="font-semibold text-h3">{title}</h2>
      <div className="grid items-start gap-4 xl:grid-cols-2">{children}</div>
    </section>
  );
}
