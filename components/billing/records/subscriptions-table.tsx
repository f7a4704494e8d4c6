"use client";

import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { type PagedListOptions, usePagedList } from "@/components/api/use-paged-list";
import { SUBSCRIPTION_STATES, subscriptionParsers } from "./list-views";
import { RecordList } from "./record-list";
import { useSubscriptionColumns } from "./subscription-columns";
import type { Subscription } from "./types";

type SubscriptionPages = PagedListOptions<typeof subscriptionParsers, Subscription>;

const useSubscriptions: SubscriptionPages["useRows"] = (input, options) =>
  api.records.listSubscriptions.useQuery({ query: input }, options) as never;

export function SubscriptionsTable({ firstPage }: { firstPage: SubscriptionPages["firstPage"] }) {
  const t = useTranslations("billingAdmin");
  const tState = useTranslations("billingState.subscription");
  const list = usePagedList(subscriptionParsers, { firstPage, useRows: useSubscriptions });
  return (
    <RecordList
      recordType="subscriptions"
      list={list}
      parsers={subscriptionParsers}
      filters={[
        {
          name: "status",
          label: t("state"),
          allLabel: t("allStates"),
          options: SUBSCRIPTION_STATES.map((value) => ({ value, label: tState(value) })),
        },
      ]}
      columns={useSubscriptionColumns()}
    />
  );
}
