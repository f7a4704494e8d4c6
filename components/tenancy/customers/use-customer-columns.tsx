"use client";

import type { Route } from "next";
import { useTranslations } from "next-intl";
import { PhoneNumber } from "@/components/access/verification/phone-number";
import type { Column } from "@/components/ui/data-table";
import { FormattedNumber } from "@/components/ui/number";
import { PersonName } from "@/components/ui/person-name";
import { RowLink } from "@/components/ui/row-link";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { Customer } from "./types";

export function ActiveStatusChip({ active }: { active: boolean }) {
  const t = useTranslations("customers.state");
  return <StatusChip tone={active ? "success" : "neutral"}>{t(active ? "active" : "passive")}</StatusChip>;
}

export function useCustomerColumns(): Column<Customer>[] {
  const t = useTranslations("customers.column");
  return [
    {
      id: "name",
      header: t("name"),
      sortable: true,
      isCardTitle: true,
      cell: ({ id, name, email }) => (
        <PersonName email={email}>
          <RowLink href={`/reseller/customers/${id}` as Route}>
            <bdi>{name}</bdi>
          </RowLink>
        </PersonName>
      ),
    },
    {
      id: "phone",
      header: t("phone"),
      minTableWidth: "medium",
      cell: ({ phone }) => (phone ? <PhoneNumber value={phone} /> : "–"),
    },
    { id: "state", header: t("state"), cell: ({ is_active }) => <ActiveStatusChip active={is_active} /> },
    {
      id: "sites",
      header: t("sites"),
      align: "end",
      cell: ({ sites_count }) => <FormattedNumber value={sites_count} />,
    },
    {
      id: "licences",
      header: t("licences"),
      align: "end",
      cell: ({ active_licenses_count }) => <FormattedNumber value={active_licenses_count} />,
    },
    {
      id: "created_at",
      header: t("created"),
      sortable: true,
      hideOnCard: true,
      minTableWidth: "medium",
      cell: ({ created_at }) => <Time value={created_at} show="date" />,
    },
  ];
}
