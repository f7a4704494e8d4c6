import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { useFormat } from "@/components/ui/use-format";
import type { DueItem } from "./types";

export function DueText({ due }: { due: DueItem }) {
  const t = useTranslations("dashboard.due");
  const { date: formatDate } = useFormat();
  const date = formatDate(due.until);
  if (due.kind === "expired") {
    const plan = () => <bdi>{due.name}</bdi>;
    if (due.is_trial) return <span>{t("trial.expired", { count: due.sites_count ?? 0, date })}</span>;
    return due.site_name
      ? t.rich("expired", { name: () => <bdi>{due.site_name}</bdi>, plan, date })
      : t.rich("expiredMany", { count: due.sites_count ?? 0, plan, date });
  }
  if (due.is_trial) return <span>{t(due.kind === "ends" ? "trial.ends" : "trial.past_due", { date })}</span>;
  return t.rich(due.kind === "licence" && due.overdue ? "late" : due.kind, {
    name: () => <bdi>{due.name}</bdi>,
    date,
  });
}

/** Amount and reference of the payment, or the contact who has to pay it. */
export function DuePayment({ due }: { due: DueItem }) {
  const t = useTranslations("dashboard.due");
  const { money: formatMoney } = useFormat();
  const { contact, amount, reference } = due;
  if (contact) return <ContactHint {...contact} />;
  if (amount === null) return null;
  const formattedAmount = formatMoney(amount, due.currency);
  if (due.is_trial) return <span>{t("trial.plan", { plan: due.name, amount: formattedAmount })}</span>;
  if (due.kind === "expired")
    return <span>{t(due.plan_id ? "again" : "other", { amount: formattedAmount })}</span>;
  if (reference === null) return null;
  return t.rich("reference", { amount: formattedAmount, ref: () => <Ltr mono>{reference}</Ltr> });
}

/** Names who can settle something that the viewer may not. */
export function ContactHint({ name, email }: { name: string; email: string }) {
  const t = useTranslations("dashboard.due");
  return t.rich("ask", {
    person: () => <bdi>{name}</bdi>,
    mail: () => (
      <a
        href={`mailto:${email}`}
        className="text-primary-text underline decoration-primary-text/35 underline-offset-4"
      >
        <Ltr>{email}</Ltr>
      </a>
    ),
  });
}
