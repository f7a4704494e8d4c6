import { CircleAlert, Clock } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { TaskList, TaskRow } from "@/components/dashboard/task-row";
import { AppLink } from "@/components/ui/app-link";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { useFormat } from "@/components/ui/use-format";
import type { Output } from "@/server/core/contract";
import type { getOverview } from "@/server/domains/tenancy/overview/contract";

type Overview = Output<typeof getOverview>["overview"];
type WaitingItem = Output<typeof getOverview>["waiting"][number];

const TASK_PAGES = {
  no_bank: "/admin/settings",
  no_legal_texts: "/admin/legal-texts",
  failing_portals: "/admin/health",
  failed_mails: "/admin/health",
  late_invoices: "/admin/accounting?due=late",
  due_invoices: "/admin/accounting?due=2d",
  failed_invoices: "/admin/accounting?state=failed",
  failed_jobs: "/admin/jobs?state=given_up",
  factor_resets: "/admin/users",
  orders: "/admin/subscriptions?status=pending",
  licences: "/admin/licences?status=pending",
  past_due: "/admin/subscriptions?status=past_due",
  refused_sign_ups: "/admin/sign-ups",
} as const satisfies Record<keyof Overview, string>;

export interface OverviewCardProps {
  overview: Overview;
  waiting: readonly WaitingItem[];
}

/** Tasks that wait for a customer's payment or a decision. The others are missing settings and failures. */
const WAITING_TASKS = new Set<keyof Overview>([
  "factor_resets",
  "orders",
  "licences",
  "past_due",
  "refused_sign_ups",
]);

/** Open tasks of administrators with links. */
export function OverviewCard({ overview, waiting }: OverviewCardProps) {
  const t = useTranslations("overview");
  const tasks = (Object.keys(TASK_PAGES) as Array<keyof Overview>).filter((key) => overview[key]);
  return (
    <Card title={t("title")} flush={tasks.length > 0}>
      {tasks.length === 0 ? (
        <p className="text-fg-muted text-sm">{t("nothing")}</p>
      ) : (
        <TaskList>
          {tasks.map((task) => {
            const countOrFlag = overview[task];
            const isWaiting = WAITING_TASKS.has(task);
            return (
              <TaskRow
                key={task}
                tone={isWaiting ? "neutral" : "danger"}
                icon={isWaiting ? <Clock /> : <CircleAlert />}
                title={
                  <>
                    <span>{t(task)}</span>
                    {typeof countOrFlag === "boolean" ? null : (
                      <span className="ms-2 font-semibold tabular-nums">{countOrFlag}</span>
                    )}
                  </>
                }
                action={
                  <LinkButton size="sm" href={TASK_PAGES[task] as Route} labelSuffix={t(task)}>
                    {t("show")}
                  </LinkButton>
                }
              >
                <WaitingItems items={waiting.filter(({ kind }) => kind === task)} />
              </TaskRow>
            );
          })}
        </TaskList>
      )}
    </Card>
  );
}

function WaitingItems({ items }: { items: readonly WaitingItem[] }) {
  const t = useTranslations("overview");
  const { money: formatMoney, date: formatDate } = useFormat();
  if (items.length === 0) return null;
  return (
    <ul className="mt-1 flex flex-col text-compact text-fg-muted">
      {items.map(({ id, kind, user_id, user_name, subject, amount, currency, until }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-2">
          <AppLink
            href={`/admin/users/${user_id}` as Route}
            className="inline-flex min-h-6 items-center text-fg underline decoration-fg/25 underline-offset-4 hover:decoration-fg"
          >
            <bdi>{user_name}</bdi>
          </AppLink>
          {subject ? <bdi>{subject}</bdi> : null}
          <bdi className="tabular-nums">{formatMoney(amount, currency)}</bdi>
          <span>{t(kind === "past_due" ? "worksUntil" : "until", { date: formatDate(until) })}</span>
        </li>
      ))}
    </ul>
  );
}
