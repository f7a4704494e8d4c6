"use client";

import { PanelRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { getAccountPath } from "@/components/billing/records/admin-paths";
import { type Column, createActionColumn } from "@/components/ui/data-table";
import { IconButton } from "@/components/ui/icon-button";
import { FormattedNumber } from "@/components/ui/number";
import { PersonName } from "@/components/ui/person-name";
import { RowLink } from "@/components/ui/row-link";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { UserRow } from "./types";

export function UserStatusChip({ user }: { user: UserRow }) {
  const t = useTranslations("admin.state");
  if (!user.is_active) return <StatusChip tone="neutral">{t("passive")}</StatusChip>;
  if (!user.email_verified_at) return <StatusChip tone="warning">{t("unverified")}</StatusChip>;
  return <StatusChip tone="success">{t("active")}</StatusChip>;
}

export function useUserColumns(onPeek: (user: UserRow) => void): Column<UserRow>[] {
  const t = useTranslations("admin");
  const tPeek = useTranslations("ui.peek");
  return [
    {
      id: "email",
      header: t("column.account"),
      sortable: true,
      isCardTitle: true,
      cell: (user) => (
        <PersonName email={user.email}>
          <RowLink href={getAccountPath(user.id)}>
            <bdi>{user.name}</bdi>
          </RowLink>
        </PersonName>
      ),
    },
    {
      id: "role",
      header: t("column.role"),
      minTableWidth: "narrow",
      cell: (user) => t(user.is_agent_only ? "role.agent" : `role.${user.role}`),
    },
    { id: "state", header: t("column.state"), cell: (user) => <UserStatusChip user={user} /> },
    {
      id: "reseller",
      header: t("user.reseller"),
      hideOnCard: true,
      minTableWidth: "medium",
      cell: ({ reseller }) => (reseller ? <bdi>{reseller.name}</bdi> : null),
    },
    {
      id: "two_factor",
      header: t("column.twoFactor"),
      hideOnCard: true,
      minTableWidth: "wide",
      cell: (user) => t(user.two_factor ? "filter.twoFactorYes" : "filter.twoFactorNo"),
    },
    {
      id: "sites",
      header: t("column.sites"),
      align: "end",
      minTableWidth: "narrow",
      cell: (user) => <FormattedNumber value={user.sites_count} />,
    },
    {
      id: "created_at",
      header: t("column.created"),
      sortable: true,
      hideOnCard: true,
      minTableWidth: "medium",
      cell: (user) => <Time value={user.created_at} show="date" />,
    },
    createActionColumn(t("column.menu"), (user) => (
      <IconButton
        data-peek
        label={tPeek("show", { name: user.name })}
        icon={<PanelRight className="mirror" />}
        size="sm"
        tooltip={false}
        onClick={() => onPeek(user)}
      />
    )),
  ];
}
