"use client";

import type { Route } from "next";
import { useTranslations } from "next-intl";
import { PhoneNumber } from "@/components/access/verification/phone-number";
import { SubscriptionState } from "@/components/billing/subscriptions/states";
import { ConnectionItems } from "@/components/sites/connections/connection-items";
import { SiteStateChip } from "@/components/sites/sites/site-facts";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { KeyValue } from "@/components/ui/key-value";
import { StatusChip } from "@/components/ui/status-chip";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { CustomerDetail } from "./types";
import { ActiveStatusChip } from "./use-customer-columns";

export function CustomerFactsCard({ customer }: { customer: CustomerDetail }) {
  const t = useTranslations("customers");
  const { email, phone } = customer;
  return (
    <Card title={t("facts")}>
      <KeyValue
        items={[
          {
            key: "email",
            label: t("column.email"),
            value: <Ltr>{email}</Ltr>,
            action: <CopyButton compact text={email} />,
          },
          {
            key: "phone",
            label: t("column.phone"),
            value: phone ? <PhoneNumber value={phone} /> : "–",
            ...(phone && { action: <CopyButton compact text={phone} /> }),
          },
          { key: "state", label: t("column.state"), value: <ActiveStatusChip active={customer.is_active} /> },
          { key: "since", label: t("since"), value: <Time value={customer.created_at} show="date" /> },
        ]}
      />
    </Card>
  );
}

export function CustomerGatesCard({ gates }: { gates: CustomerDetail["gates"] }) {
  const t = useTranslations("customers.gates");
  return (
    <Card title={t("title")}>
      <ol className="divide-y divide-border">
        {gates.map(({ gate, open, reason }) => (
          <li key={gate} className="flex flex-col gap-1 py-2.5 text-sm first:pt-0 last:pb-0">
            <span className="flex flex-wrap items-center justify-between gap-2">
              <span>{t(gate)}</span>
              <StatusChip tone={open ? "success" : "warning"}>{t(open ? "open" : "closed")}</StatusChip>
            </span>
            {reason ? <span className="text-compact text-fg-muted">{reason}</span> : null}
          </li>
        ))}
      </ol>
    </Card>
  );
}

export function CustomerBillingCard({ customer }: { customer: CustomerDetail }) {
  const t = useTranslations("customers");
  return (
    <Card title={t("subscriptions.title")}>
      {customer.subscriptions.length === 0 ? (
        <p className="text-fg-muted text-sm">{t("subscriptions.none")}</p>
      ) : (
        <KeyValue
          items={customer.subscriptions.map(
            ({ id, plan, status, is_trial: isTrial, used_slots, site_slots, ends_at }) => ({
              key: String(id),
              label: <bdi>{plan}</bdi>,
              action: <SubscriptionState status={status} isTrial={isTrial} />,
              value: t.rich("subscriptions.slots", {
                used: used_slots,
                slots: site_slots,
                ends: () => <Time value={ends_at} show="date" />,
              }),
            }),
          )}
        />
      )}
    </Card>
  );
}

export function CustomerSitesCard({ customer }: { customer: CustomerDetail }) {
  const t = useTranslations("customers");
  return (
    <Card
      title={t("sites.title")}
      footer={<TextLink href={`/sites/new?customer_id=${customer.id}` as Route}>{t("sites.add")}</TextLink>}
    >
      {customer.sites.length === 0 ? (
        <p className="text-fg-muted text-sm">{t("sites.none")}</p>
      ) : (
        <ul className="flex flex-col gap-2 text-sm">
          {customer.sites.map(({ id, name, domain, ...site }) => (
            <li key={id} className="wrap-anywhere flex flex-wrap items-center justify-between gap-2">
              <span>
                <TextLink href={`/sites/${id}` as Route}>
                  <bdi>{name}</bdi>
                </TextLink>{" "}
                <span className="text-fg-muted">
                  <Ltr>{domain}</Ltr>
                </span>
              </span>
              <SiteStateChip site={site} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

export function CustomerConnectionsCard({ customer }: { customer: CustomerDetail }) {
  const t = useTranslations("customers.connections");
  return (
    <Card title={t("title")}>
      <ConnectionItems connections={customer.connections} emptyText={t("none")} />
    </Card>
  );
}
