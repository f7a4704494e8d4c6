"use client";

import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { Disclosure } from "@/components/ui/disclosure";
import { FormAlert } from "@/components/ui/form-alert";
import { KeyValue } from "@/components/ui/key-value";
import { LinkButton } from "@/components/ui/link-button";
import { FormattedNumber, Money } from "@/components/ui/number";
import { SlotBar } from "@/components/ui/slot-bar";
import { Time } from "@/components/ui/time";
import { useFormat } from "@/components/ui/use-format";
import { useNow } from "@/components/ui/use-now";
import { getPaymentHref, PLANS_HREF } from "./paths";
import { RenewalTimeline } from "./renewal-timeline";
import { SubscriptionState } from "./states";
import type { BilledSubscription } from "./types";

export function SubscriptionCard({ subscription }: { subscription: BilledSubscription }) {
  const t = useTranslations("billing.subscription");
  const { plan, status, site_slots: total, used_slots: used } = subscription;
  const isLive = status === "active" || status === "past_due";
  return (
    <Card
      title={<bdi>{plan}</bdi>}
      heading="h3"
      actions={<SubscriptionState status={status} isTrial={subscription.is_trial} />}
    >
      <div className="flex flex-col gap-5">
        {isLive ? <SlotBar used={used} total={total} label={t("slots", { used, total })} /> : null}
        <KeyValue
          items={[
            { key: "from", label: t("from"), value: <Time value={subscription.starts_at} show="date" /> },
            {
              key: "until",
              label: t(isLive ? "until" : "ended"),
              value: <Time value={subscription.ends_at} show="date" />,
            },
            ...(subscription.is_trial
              ? []
              : [
                  {
                    key: "price",
                    label: t("price"),
                    value: <Money amount={subscription.amount} currency={subscription.currency} />,
                  },
                  {
                    key: "credits",
                    label: t("credits"),
                    value: <FormattedNumber value={subscription.monthly_credits} />,
                  },
                ]),
          ]}
        />
        {status === "past_due" ? <PastDue subscription={subscription} /> : null}
        {isLive ? <Renewal subscription={subscription} /> : null}
        {isLive && !subscription.is_trial ? <EndEffects subscription={subscription} /> : null}
      </div>
    </Card>
  );
}

function PastDue({ subscription }: { subscription: BilledSubscription }) {
  const t = useTranslations("billing.subscription");
  const { date: formatDate } = useFormat();
  const date = formatDate(subscription.slots_until ?? subscription.ends_at);
  const isTrial = subscription.is_trial;
  return (
    <FormAlert tone="danger" title={t(isTrial ? "trialEnded" : "pastDue")}>
      {t(isTrial ? "trialEndedText" : "pastDueText", { date })}
    </FormAlert>
  );
}

/** The way to the payment, and the timeline: open when the end is near. */
function Renewal({ subscription }: { subscription: BilledSubscription }) {
  const t = useTranslations("billing.subscription");
  const now = useNow(60_000) ?? Date.now();
  const { ends_at: endsAt, reminder_days: reminderDays, is_trial: isTrial, reference, plan } = subscription;
  const [firstReminder] = reminderDays;
  const isNear = Date.parse(firstReminder ?? endsAt) <= now;
  const timeline = <RenewalTimeline subscription={subscription} />;
  return (
    <div className="flex flex-col items-start gap-5">
      <LinkButton
        variant={isNear ? "primary" : undefined}
        href={isTrial ? PLANS_HREF : getPaymentHref(reference)}
        labelSuffix={isTrial ? undefined : plan}
      >
        {t(isTrial ? "choosePlan" : "renewNow")}
      </LinkButton>
      {isNear ? (
        timeline
      ) : (
        <Disclosure label={t("timeline")}>
          <div className="mt-3">{timeline}</div>
        </Disclosure>
      )}
    </div>
  );
}

function EndEffects({ subscription }: { subscription: BilledSubscription }) {
  const t = useTranslations("billing.subscription.atEnd");
  const { date: formatDate } = useFormat();
  const { at_end: effects, slots_until: until } = subscription;
  if (!effects || !until) return null;
  if (effects.moved_count + effects.suspended_count === 0)
    return <p className="text-fg-muted text-sm">{t("none", { date: formatDate(until) })}</p>;
  return (
    <Disclosure label={t("title", { date: formatDate(until) })}>
      <div className="mt-3 flex flex-col gap-4">
        <SiteList
          title={t("suspended", { count: effects.suspended_count })}
          sites={effects.suspended}
          count={effects.suspended_count}
        />
        <SiteList
          title={t("moved", { count: effects.moved_count })}
          sites={effects.moved}
          count={effects.moved_count}
        />
      </div>
    </Disclosure>
  );
}

function SiteList({
  title,
  sites,
  count,
}: {
  title: string;
  sites: readonly { id: number; name: string; domain: string }[];
  count: number;
}) {
  const t = useTranslations("billing.subscription.atEnd");
  if (count === 0) return null;
  return (
    <div>
      <p>{title}</p>
      <ul className="mt-1 list-disc ps-5 text-fg-muted">
        {sites.map((site) => (
          <li key={site.id} className="wrap-anywhere">
            <bdi className="text-fg">{site.name}</bdi> <bdi>{site.domain}</bdi>
          </li>
        ))}
        {count > sites.length ? <li>{t("more", { count: count - sites.length })}</li> : null}
      </ul>
    </div>
  );
}
