"use client";

import { Users } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { api } from "@/components/api/client";
import { Card } from "@/components/ui/card";
import { type Column, createActionColumn, DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { PersonName } from "@/components/ui/person-name";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import { InvitationsCard } from "./invitations-card";
import { InviteMember } from "./invite-member";
import { MemberMenu } from "./member-menu";
import { RightsTable } from "./rights-table";
import type { Assignable, Member, Team } from "./types";

interface TeamPanelProps {
  initialTeam: Team;
  assignable: Assignable;
  chart: ReactNode;
}

export function TeamPanel({ initialTeam, assignable, chart }: TeamPanelProps) {
  const t = useTranslations("team");
  const { data } = api.team.list.useQuery(undefined, { initialData: initialTeam });

  const columns: Column<Member>[] = [
    {
      id: "name",
      header: t("column.name"),
      isCardTitle: true,
      cell: ({ name, email }) => (
        <PersonName email={email}>
          <bdi className="font-medium">{name}</bdi>
        </PersonName>
      ),
    },
    {
      id: "role",
      header: t("column.role"),
      cell: ({ is_agent_only: isAgent, site }) =>
        isAgent ? (
          site ? (
            <bdi>{t("agentOf", { site: site.name })}</bdi>
          ) : (
            <span className="text-fg-muted">{t("role.agentWithoutSite")}</span>
          )
        ) : (
          t("role.subUser")
        ),
    },
    {
      id: "state",
      header: t("column.state"),
      cell: ({ is_active: isActive, is_held: isHeld, two_factor: hasTwoFactor }) => (
        <span className="flex flex-wrap gap-1.5">
          <StatusChip tone={isActive ? "success" : "neutral"}>
            {t(isActive ? "active" : "passive")}
          </StatusChip>
          {hasTwoFactor ? <StatusChip tone="info">{t("twoFactor")}</StatusChip> : null}
          {isHeld ? <span className="w-full text-compact text-fg-muted">{t("held")}</span> : null}
        </span>
      ),
    },
    {
      id: "seen",
      header: t("column.seen"),
      cell: ({ last_seen_at: lastSeenAt }) =>
        lastSeenAt ? <Time value={lastSeenAt} /> : <span className="text-fg-muted">{t("never")}</span>,
    },
    createActionColumn(t("column.actions"), (member) => (
      <MemberMenu member={member} assignable={assignable} />
    )),
  ];

  const hasMembers = data.members.length > 0;
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("text")}
        actions={
          hasMembers || data.invitations.length > 0 ? <InviteMember assignable={assignable} /> : undefined
        }
      />
      <div className="flex flex-col gap-6">
        {hasMembers ? chart : null}
        {data.invitations.length > 0 ? <InvitationsCard invitations={data.invitations} /> : null}
        {hasMembers || data.invitations.length === 0 ? (
          <Card title={hasMembers ? t("members") : undefined} flush={hasMembers}>
            <DataTable
              caption={t("members")}
              columns={columns}
              rows={data.members}
              rowKey={({ id }) => String(id)}
              emptyState={
                <EmptyState
                  icon={<Users />}
                  title={t("empty.title")}
                  action={<InviteMember assignable={assignable} />}
                >
                  {t("empty.text")}
                </EmptyState>
              }
            />
          </Card>
        ) : null}
        {hasMembers ? null : <RightsTable />}
      </div>
    </>
  );
}
