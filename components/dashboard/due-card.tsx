import { CircleAlert, Clock } from "lucide-react";
import { useTranslations } from "next-intl";
import { getDuePath } from "@/components/billing/subscriptions/due-banner";
import { DuePayment, DueText } from "@/components/billing/subscriptions/due-text";
import type { DueItem } from "@/components/billing/subscriptions/types";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";

export interface DueCardProps {
  dueItems: readonly DueItem[];
  /** Total number; `dueItems` contains the most urgent ones. */
  totalCount: number;
}

/** Due payments and renewals. Each has a link, or a contact for accounts that cannot pay. */
export function DueCard({ dueItems, totalCount }: DueCardProps) {
  const t = useTranslations("dashboard.due");
  return (
    <Card title={t("title")} flush>
      <ul className="divide-y divide-border border-border border-t">
        {dueItems.map((dueItem) => (
          <li
            key={`${dueItem.kind}${dueItem.id}`}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5"
          >
            <span
              className={`grid size-7 shrink-0 place-items-center rounded-full ${dueItem.overdue ? "bg-danger-soft text-danger-text" : "bg-sunken text-fg-muted"}`}
            >
              {dueItem.overdue ? <CircleAlert /> : <Clock />}
            </span>
            <span className="wrap-anywhere min-w-48 flex-1">
              <span className="block font-medium text-sm">
                <DueText due={dueItem} />
              </span>
              <span className="block text-compact text-fg-muted">
                <DuePayment due={dueItem} />
              </span>
            </span>
            {dueItem.contact ? null : (
              <LinkButton size="sm" href={getDuePath(dueItem)} labelSuffix={dueItem.name}>
                {t(dueItem.kind === "past_due" || dueItem.kind === "ends" ? "renew" : "pay")}
              </LinkButton>
            )}
          </li>
        ))}
        {totalCount > dueItems.length ? (
          <li className="flex flex-wrap items-center justify-between gap-3 px-5 py-3.5 text-sm">
            <span>{t("more", { count: totalCount - dueItems.length })}</span>
            <LinkButton size="sm" href="/billing">
              {t("all")}
            </LinkButton>
          </li>
        ) : null}
      </ul>
    </Card>
  );
}
