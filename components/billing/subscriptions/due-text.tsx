import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { useFormat } from "@/components/ui/use-format";
import type { DueItem } from "./types";

export function DueText({ due }: { due: DueItem }) {
  const t = useTranslations("dashboard.due");
  const { date: formatDate } = useFormat();
  return t.rich(due.kind === "licence" && due.overdue ? "late" : due.kind, {
    name: () => <bdi>{due.name}</bdi>,
    date: formatDate(due.until),
  });
}

/** Amount and reference of the payment, or the contact who has to pay it. */
export function DuePayment({ due }: { due: DueItem }) {
  const t = useTranslations("dashboard.due");
  const { money: formatMoney } = useFormat();
  const { contact, amount, reference } = due;
  if (contact)
    return t.rich("ask", {
      person: () => <bdi>{contact.name}</bdi>,
      mail: () => (
        <a
          href={`mailto:${contact.email}`}
          className="text-primary-text underline decoration-primary-text/35 underline-offset-4"
        >
          <Ltr>{contact.email}</Ltr>
        </a>
      ),
    });
  if (amount === null || reference === null) return null;
  return t.rich("reference", {
    amount: formatMoney(amount, due.currency),
    ref: () => <Ltr mono>{reference}</Ltr>,
  });
}
