"use client";

import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { KeyValue } from "@/components/ui/key-value";
import { Money } from "@/components/ui/number";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { accountPath } from "../records/account-path";
import { Day } from "../records/day";
import { DeadlineChip } from "./deadline-chip";
import type { InvoiceDetails } from "./types";

export function InvoiceFacts({ invoice }: { invoice: InvoiceDetails }) {
  const t = useTranslations("accounting.details");
  const list = useTranslations("accounting");
  const { user, currency, kind } = invoice;
  const facts = [
    {
      key: "customer",
      label: t("customer"),
      value: (
        <TextLink href={accountPath(user.id)}>
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
      label: list("due"),
      value: (
        <span className="flex flex-wrap items-center gap-2">
          <Time value={invoice.deadline_at} show="dateTime" zone />
          <DeadlineChip invoice={invoice} />
          <span className="text-fg-muted">{t("law")}</span>
        </span>
      ),
    },
    invoice.issue_date && { key: "issued", label: t("issued"), value: <Day value={invoice.issue_date} /> },
    invoice.number && { key: "number", label: list("number"), value: <Ltr mono>{invoice.number}</Ltr> },
    kind && { key: "kind", label: t("kind"), value: t(kind) },
    invoice.cancellable_until && {
      key: "until",
      label: t("cancellable"),
      value: <Time value={invoice.cancellable_until} show="dateTime" zone />,
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
  const words = useTranslations("billing.profile");
  const to = invoice.bill_to;
  const company = to.kind === "company";
  const digits = to.tax_number_last_four;
  const text = (value: string) => <bdi>{value}</bdi>;
  const items = [
    to.title && {
      key: "title",
      label: words(company ? "companyTitle" : "personTitle"),
      value: text(to.title),
    },
    {
      key: "number",
      label: words(company ? "vkn" : "tckn"),
      value: digits ? <Ltr mono>{t("ends", { digits })}</Ltr> : company ? "–" : t("noNumber"),
    },
    to.tax_office && { key: "office", label: words("taxOffice"), value: text(to.tax_office) },
    to.address && { key: "address", label: words("address"), value: text(to.address) },
    to.district && { key: "district", label: words("district"), value: text(to.district) },
    to.city && { key: "city", label: words("city"), value: text(to.city) },
    to.email && { key: "email", label: words("email"), value: <Ltr>{to.email}</Ltr> },
  ];
  return (
    <Card title={t("billTo")}>
      <KeyValue items={items.filter((item) => typeof item === "object" && item !== null)} />
    </Card>
  );
}
