"use client";

import { useTranslations } from "next-intl";
import { SubscriptionState } from "@/components/billing/subscriptions/states";
import { type Column, createActionColumn } from "@/components/ui/data-table";
import { LinkButton } from "@/components/ui/link-button";
import { Money } from "@/components/ui/number";
import { Time } from "@/components/ui/time";
import { getActivationPath } from "../payments/activation-path";
import { ReferenceLine } from "./reference-line";
import type { Subscription } from "./types";

/** Returns the columns. Orders and expired subscriptions link to an activation, running ones to their renewal. */
export function useSubscriptionColumns(): Column<Subscription>[] {
  const t = useTranslations("billingAdmin");
  return [
    {
      id: "plan",
      header: t("plan"),
      cell: ({ plan, used_slots: used, site_slots: total, status, reference }) => (
        <span className="flex flex-col items-start sm:py-2">
          <bdi>{plan}</bdi>
          {status === "pending" ? null : (
            <span className="text-fg-muted">{t("subscriptions.slots", { used, total })}</span>
          )}
          <ReferenceLine>{reference}</ReferenceLine>
        </span>
      ),
    },
    {
      id: "status",
      header: t("state"),
      cell: ({ status, is_trial: isTrial }) => <SubscriptionState status={status} isTrial={isTrial} />,
    },
    {
      id: "ends_at",
      header: t("subscriptions.ends"),
      sortable: true,
      cell: ({ ends_at }) => <Time value={ends_at} show="date" />,
    },
    {
      id: "price",
      header: t("amount"),
      align: "end",
      cell: ({ price, currency }) => <Money amount={price} currency={currency} />,
    },
    createActionColumn(t("actions"), (row) =>
      row.status === "pending" ? (
        <LinkButton
          size="sm"
          href={getActivationPath({ user: row.user_id, order: row.id })}
          labelSuffix={row.user.name}
        >
          {t("subscriptions.activate")}
        </LinkButton>
      ) : row.status === "active" || row.status === "past_due" ? (
        <LinkButton
          size="sm"
          href={getActivationPath({ user: row.user_id, renews: row.id })}
          labelSuffix={row.user.name}
        >
          {t("subscriptions.renew")}
        </LinkButton>
      ) : row.status === "expired" ? (
        <LinkButton
          size="sm"
          href={getActivationPath({ user: row.user_id, plan: row.plan_id })}
          labelSuffix={row.user.name}
        >
          {t("subscriptions.activateAgain")}
        </LinkButton>
      ) : null,
    ),
  ];
}
