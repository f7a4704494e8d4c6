import { CircleAlert, Clock } from "lucide-react";
import { useTranslations } from "next-intl";
import { duePath } from "@/components/billing/subscriptions/due-banner";
import { DuePayment, DueText } from "@/components/billing/subscriptions/due-text";
import type { Due } from "@/components/billing/subscriptions/types";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";

export interface DueCardProps {
  due: readonly Due[];
  /** Total number; `due` contains the most urgent ones. */
  count: number;
}

/** Due payments and renewals, each with a link, or with a contact for accounts that cannot pay. */
export function DueCard({ due, count }: DueCardProps) {
  const t = useTranslations("dashboard.due");
  return (
    <Card title={t("title")} flush>
      <ul className="divide-y divide-border border-border border-t">
        {due.map((each) => (
          <li
            key={`${each.kind}${each.id}`}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5"
          >
            <span
              className={`grid size-7 shrink-0 place-items-center rounded-full ${each.overdue ? "bg-danger-soft text-danger-text" : "bg-sunken text-fg-muted"}`}
            >
              {each.overdue ? <CircleAlert /> : <Clock />}
            </span>
            <span className="wrap-anywhere min-w-48 flex-1">
              <span className="block font-medium text-sm">
                <DueText due={each} />
              </span>
              <span className="block text-compact text-fg-muted">
                <DuePayment due={each} />
              </span>
            </span>
            {each.contact ? null : (
              <LinkButton size="sm" href={duePath(each)} about={each.name}>
                {t(each.kind === "past_due" || each.kind === "ends" ? "renew" : "pay")}
              </LinkButton>
            )}
          </li>
        ))}
        {count > due.length ? (
          <li className="flex flex-wrap items-center justify-between gap-3 px-5 py-3.5 text-sm">
            <span>{t("more", { count: count - due.length })}</span>
            <LinkButton size="sm" href="/billing">
              {t("all")}
            </LinkButton>
          </li>
        ) : null}
      </ul>
    </Card>
  );
}
