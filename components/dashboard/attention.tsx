import { CircleAlert, Clock, Unplug } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { toTurkishDay } from "@/components/billing/records/day";
import { DueButton } from "@/components/billing/subscriptions/due-button";
import { ContactHint, DuePayment, DueText } from "@/components/billing/subscriptions/due-text";
import type { Due, DueItem } from "@/components/billing/subscriptions/types";
import { DeadConnectionText, ReconnectButton } from "@/components/sites/connections/dead-connection";
import type { DeadConnections } from "@/components/sites/connections/types";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import { LinkButton } from "@/components/ui/link-button";
import { useFormat } from "@/components/ui/use-format";
import { TaskList, TaskRow } from "./task-row";

export interface AttentionProps {
  due: Due;
  deadConnections: DeadConnections;
}

/** Lists unpaid items, dead connections and waiting invoices. Sites that are offline come first. */
export function Attention({ due, deadConnections }: AttentionProps) {
  const t = useTranslations("dashboard");
  const tBanner = useTranslations("connections.banner");
  const expiredItems = due.due.filter(({ kind }) => kind === "expired");
  const dueItems = due.due.filter(({ kind }) => kind !== "expired");
  const { waiting_invoices: waitingInvoices } = due;
  const hiddenDueCount = due.count - due.due.length;
  const hiddenConnectionCount = deadConnections.count - deadConnections.connections.length;
  return (
    <>
      {expiredItems.map((item) => (
        <FormAlert key={item.id} title={<DueText due={item} />} action={<DueButton due={item} />}>
          <DuePayment due={item} />
        </FormAlert>
      ))}
      {dueItems.length > 0 || waitingInvoices || deadConnections.count > 0 ? (
        <Card title={t("attention.title")} flush>
          <TaskList>
            {deadConnections.connections.map((connection) => (
              <TaskRow
                key={`connection${connection.id}`}
                tone="danger"
                icon={<Unplug />}
                title={<DeadConnectionText connection={connection} />}
                action={<ReconnectButton connection={connection} />}
              >
                {connection.contact ? <ContactHint {...connection.contact} /> : null}
              </TaskRow>
            ))}
            {hiddenConnectionCount > 0 ? (
              <More href="/connections?state=dead" label={tBanner("reconnect")}>
                {tBanner("more", { count: hiddenConnectionCount })}
              </More>
            ) : null}
            {dueItems.map((item) => (
              <DueRow key={`${item.kind}${item.id}`} item={item} />
            ))}
            {hiddenDueCount > 0 ? (
              <More href="/billing" label={t("due.all")}>
                {t("due.more", { count: hiddenDueCount })}
              </More>
            ) : null}
            {waitingInvoices ? <WaitingInvoicesRow waitingInvoices={waitingInvoices} /> : null}
          </TaskList>
        </Card>
      ) : null}
    </>
  );
}

function DueRow({ item }: { item: DueItem }) {
  return (
    <TaskRow
      tone={item.overdue ? "danger" : "neutral"}
      icon={item.overdue ? <CircleAlert /> : <Clock />}
      title={<DueText due={item} />}
      action={<DueButton due={item} labelSuffix={item.name} />}
    >
      <DuePayment due={item} />
    </TaskRow>
  );
}

function WaitingInvoicesRow({ waitingInvoices }: { waitingInvoices: NonNullable<Due["waiting_invoices"]> }) {
  const t = useTranslations("dashboard.attention");
  const tInvoices = useTranslations("billing.documents");
  const { list: formatList, date: formatDate } = useFormat();
  const { count, missing, deadline_at: deadlineAt } = waitingInvoices;
  const fields =
    formatList(missing.map((field) => tInvoices(`missing.${field as "title"}`))) || tInvoices("refused");
  return (
    <TaskRow
      tone="warning"
      title={tInvoices("needsTitle", { count })}
      action={
        <LinkButton size="sm" href={"/billing?tab=profile" as Route}>
          {tInvoices("needsAction")}
        </LinkButton>
      }
    >
      {t("invoice", { fields, date: formatDate(`${toTurkishDay(deadlineAt)}T12:00:00Z`) })}
    </TaskRow>
  );
}

function More({ href, label, children }: { href: string; label: string; children: string }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-5 py-3.5 text-sm">
      <span>{children}</span>
      <LinkButton size="sm" href={href as Route}>
        {label}
      </LinkButton>
    </li>
  );
}
