"use client";

import { Inbox } from "lucide-react";
import { useTranslations } from "next-intl";
import { SavedViewTabs } from "@/components/accounts/preferences/saved-view-tabs";
import { CsvLink } from "@/components/api/csv-link";
import { ListCard, type ListCardProps } from "@/components/api/list-card";
import { EmptyState } from "@/components/ui/empty-state";
import { getAccountPath } from "./admin-paths";
import { CustomerCell } from "./customer-cell";
import { getCsvPath, type RecordListParsers } from "./list-views";

interface BillingRecord {
  id: number;
  user: { id: number; name: string; email: string };
}

export interface RecordListProps<Row extends BillingRecord>
  extends Pick<ListCardProps<Row>, "list" | "columns" | "currentKey" | "filters" | "periodFilter"> {
  recordType: "subscriptions" | "payments" | "licences";
  parsers: RecordListParsers;
}

/** Billing records for administrators: customer as the first column, saved views and CSV download. */
export function RecordList<Row extends BillingRecord>({
  recordType,
  parsers,
  columns,
  ...props
}: RecordListProps<Row>) {
  const t = useTranslations("billingAdmin");
  const { view, table, setFilters } = props.list;
  const userId = (view as { user_id?: string | null }).user_id;
  const customerName = table.rows.find(({ user }) => String(user.id) === userId)?.user.name;
  return (
    <ListCard
      {...props}
      chips={
        userId
          ? [
              {
                id: "user_id",
                label: t("ofAccount", { name: customerName ?? userId }),
                onRemove: () => setFilters({ user_id: null }),
              },
            ]
          : []
      }
      texts={{
        caption: t(`${recordType}.title`),
        search: t(`${recordType}.search`),
        found: (count) => t(`${recordType}.found`, { count }),
        noMatch: t("noMatch"),
        noMatchText: t("noMatchText"),
        clear: t("clear"),
      }}
      emptyState={<EmptyState icon={<Inbox />} title={t("nothing")} />}
      rowKey={({ id }) => String(id)}
      views={<SavedViewTabs list={recordType} />}
      actions={
        <CsvLink href={getCsvPath(`/api/admin/${recordType}.csv`, parsers, props.list.view)}>
          {t("csv")}
        </CsvLink>
      }
      columns={[
        {
          id: "user",
          header: t("customer"),
          isCardTitle: true,
          cell: ({ user }) => <CustomerCell user={user} href={getAccountPath(user.id)} />,
        },
        ...columns,
      ]}
    />
  );
}
