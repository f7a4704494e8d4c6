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
type WaitingRequest = Output<typeof getOverview>["requests"][number];

/** Most urgent first. Failed jobs and mails are on the card of failed work. */
const TASK_PAGES = {
  late_invoices: "/admin/accounting?due=late",
  orders: "/admin/subscriptions?status=pending",
  factor_resets: "/admin/users",
  failed_invoices: "/admin/accounting?state=failed",
  due_invoices: "/admin/accounting?due=2d",
  licences: "/admin/licences?status=pending",
  past_due: "/admin/subscriptions?status=past_due",
  failing_portals: "/admin/health",
  no_bank: "/admin/settings",
  no_legal_texts: "/admin/legal-texts",
  refused_sign_ups: "/admin/sign-ups",
} as const satisfies Record<Exclude<keyof Overview, "failed_jobs" | "failed_mails">, string>;

export interface OverviewCardProps {
  overview: Overview;
  waiting: readonly WaitingItem[];
  requests: readonly WaitingRequest[];
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
export function OverviewCard({ overview, waiting, requests }: OverviewCardProps) {
  const t = useTranslations("overview");
  const tasks = (Object.keys(TASK_PAGES) as Array<keyof typeof TASK_PAGES>).filter((key) => overview[key]);
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
                <WaitingRequests requests={requests.filter(({ kind }) => kind === task)} />
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
          <AccountLink id={user_id} name={user_name} />
          {subject ? <bdi>{subject}</bdi> : null}
          <bdi className="tabular-nums">{formatMoney(amount, currency)}</bdi>
          <span>{t(kind === "past_due" ? "worksUntil" : "until", { date: formatDate(until) })}</span>
        </li>
      ))}
    </ul>
  );
}

function WaitingRequests({ requests }: { requests: readonly WaitingRequest[] }) {
  const t = useTranslations("overview");
  const { dateTime: formatMoment } = useFormat();
  if (requests.length === 0) return null;
  return (
    <ul className="mt-1 flex flex-col text-compact text-fg-muted">
      {requests.map(({ id, user_id, user_name, requested_by: requestedBy, run_at, needs_approval }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-2">
          <AccountLink id={user_id} name={user_name} />
          {requestedBy ? (
            <span>{t.rich("requestedBy", { name: () => <bdi>{requestedBy}</bdi> })}</span>
          ) : null}
          <span>{t(needs_approval ? "needsApproval" : "runsAt", { date: formatMoment(run_at) })}</span>
        </li>
      ))}
    </ul>
  );
}

function AccountLink({ id, name }: { id: number; name: string }) {
  return (
    <AppLink
      href={`/admin/users/${id}` as Route}
      className="inline-flex min-h-6 items-center text-fg underline decoration-fg/25 underline-offset-4 hover:decoration-fg"
    >
      <bdi>{name}</bdi>
    </AppLink>
  );
}
