"use client";

import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { KeyValue } from "@/components/ui/key-value";
import { Money } from "@/components/ui/number";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { getAccountPath } from "../records/admin-paths";
import { Day, toTurkishDay } from "../records/day";
import { DeadlineChip, hasRunningDeadline } from "./deadline-chip";
import type { InvoiceDetails } from "./types";

export function InvoiceFacts({ invoice }: { invoice: InvoiceDetails }) {
  const t = useTranslations("accounting.details");
  const accountingTexts = useTranslations("accounting");
  const { user, currency, kind } = invoice;
  const isDeadlineRunning = hasRunningDeadline(invoice);
  const facts = [
    {
      key: "customer",
      label: t("customer"),
      value: (
        <TextLink href={getAccountPath(user.id)}>
          <bdi>{user.name}</bdi>
        </TextLink>
      ),
    },
    { key: "amount", label: t("amount"), value: <Money amount={invoice.amount} currency={currency} exact /> },
    {
      key: "vat",
      label: t("vat", { rate: invoice.vat_rate }),
      value: <Money amount={invoice.vat} currency={currency} exact />,
    },
    { key: "paid", label: t("paid"), value: <Day value={invoice.paid_at} /> },
    {
      key: "due",
      label: accountingTexts("due"),
      value:
        isDeadlineRunning || invoice.state === "done" ? (
          <span className="flex flex-wrap items-center gap-2">
            <Day value={toTurkishDay(invoice.deadline_at)} />
            {isDeadlineRunning ? <DeadlineChip invoice={invoice} /> : null}
            <span className="text-fg-muted">{t("law")}</span>
          </span>
        ) : (
          <DeadlineChip invoice={invoice} />
        ),
    },
    invoice.issue_date && { key: "issued", label: t("issued"), value: <Day value={invoice.issue_date} /> },
    invoice.number && {
      key: "number",
      label: accountingTexts("number"),
      value: <Ltr mono>{invoice.number}</Ltr>,
    },
    kind && { key: "kind", label: t("kind"), value: t(kind) },
    invoice.cancellable_until && {
      key: "until",
      label: t("cancellable"),
      value: <Time value={invoice.cancellable_until} show="dateTime" showZone />,
    },
    {
      key: "marker",
      label: t("marker"),
      value: (
        <span className="flex flex-wrap gap-x-2">
          <Ltr mono>{invoice.marker}</Ltr>
          <span className="text-fg-muted">{t("markerHint")}</span>
        </span>
      ),
    },
  ];
  return (
    <Card title={t("facts")}>
      <KeyValue items={facts.filter((fact) => typeof fact === "object" && fact !== null)} />
    </Card>
  );
}

/** Billing details as stored with the payment. */
export function RecipientCard({ invoice }: { invoice: InvoiceDetails }) {
  const t = useTranslations("accounting.details");
  const profileTexts = useTranslations("billing.profile");
  const recipient = invoice.bill_to;
  const isCompany = recipient.kind === "company";
  const digits = recipient.tax_number_last_four;
  const isolateText = (value: string) => <bdi>{value}</bdi>;
  const items = [
    recipient.title && {
      key: "title",
      label: profileTexts(isCompany ? "companyTitle" : "personTitle"),
      value: isolateText(recipient.title),
    },
    {
      key: "number",
      label: profileTexts(isCompany ? "vkn" : "tckn"),
      value: digits ? <Ltr mono>{t("ends", { digits })}</Ltr> : isCompany ? "–" : t("noNumber"),
    },
    recipient.tax_office && {
      key: "office",
      label: profileTexts("taxOffice"),
      value: isolateText(recipient.tax_office),
    },
    recipient.address && {
      key: "address",
      label: profileTexts("address"),
      value: isolateText(recipient.address),
    },
    recipient.district && {
      key: "district",
      label: profileTexts("district"),
      value: isolateText(recipient.district),
    },
    recipient.city && { key: "city", label: profileTexts("city"), value: isolateText(recipient.city) },
    recipient.email && { key: "email", label: profileTexts("email"), value: <Ltr>{recipient.email}</Ltr> },
  ];
  return (
    <Card title={t("billTo")}>
      <KeyValue items={items.filter((item) => typeof item === "object" && item !== null)} />
    </Card>
  );
}
