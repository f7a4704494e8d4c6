"use client";

import { Mail as MailIcon } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { SavedViewTabs } from "@/components/accounts/preferences/saved-view-tabs";
import { api } from "@/components/api/client";
import { buildListTexts, buildStateFilter, ListCard } from "@/components/api/list-card";
import { type PagedListOptions, usePagedList } from "@/components/api/use-paged-list";
import type { Column } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { RowLink } from "@/components/ui/row-link";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { listMailLog } from "@/server/domains/platform/mail/contract";
import { MAIL_STATES } from "@/server/domains/platform/mail/policy";
import { mailParsers } from "./list-view";
import { MAIL_STATE_TONE } from "./mail-state-tone";

type Mail = Output<typeof listMailLog>["data"][number];
type MailPages = PagedListOptions<typeof mailParsers, Mail>;

const useMails: MailPages["useRows"] = (input, options) => api.mail.list.useQuery({ query: input }, options);

export function MailsTable({ firstPage }: { firstPage: MailPages["firstPage"] }) {
  const t = useTranslations("mailLog");
  const list = usePagedList(mailParsers, { firstPage, useRows: useMails });
  const columns: Column<Mail>[] = [
    {
      id: "mail",
      header: t("column.mail"),
      isCardTitle: true,
      cell: ({ id, subject, template }) => (
        <span className="wrap-anywhere flex flex-col items-start gap-0.5 sm:py-2">
          <RowLink href={`/admin/mails/${id}` as Route}>{subject ?? t("erased")}</RowLink>
          <bdi className="font-normal text-compact text-fg-muted">{template}</bdi>
        </span>
      ),
    },
    { id: "to", header: t("column.to"), cell: ({ to }) => <bdi className="wrap-anywhere">{to}</bdi> },
    {
      id: "state",
      header: t("column.state"),
      cell: ({ state }) => <StatusChip tone={MAIL_STATE_TONE[state]}>{t(`state.${state}`)}</StatusChip>,
    },
    {
      id: "created_at",
      header: t("column.at"),
      sortable: true,
      cell: ({ created_at: at }) => <Time value={at} />,
    },
  ];
  return (
    <ListCard
      list={list}
      views={<SavedViewTabs list="mails" />}
      texts={buildListTexts(t)}
      columns={columns}
      rowKey={({ id }) => String(id)}
      emptyState={
        <EmptyState icon={<MailIcon />} title={t("empty")}>
          {t("emptyText")}
        </EmptyState>
      }
      filters={[buildStateFilter(t, MAIL_STATES)]}
    />
  );
}
