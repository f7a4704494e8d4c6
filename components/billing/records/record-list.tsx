"use client";

import { Inbox } from "lucide-react";
import { useTranslations } from "next-intl";
import { SavedViews } from "@/components/accounts/preferences/saved-views";
import { CsvLink } from "@/components/api/csv-link";
import { ListCard, type ListCardProps } from "@/components/api/list-card";
import { EmptyState } from "@/components/ui/empty-state";
import { CustomerCell } from "./customer-cell";
import { csvPath, type Parsers } from "./list-views";

interface Record {
  id: number;
  user: { id: number; name: string; email: string };
}

export interface RecordListProps<Row extends Record>
  extends Pick<ListCardProps<Row>, "list" | "columns" | "filters" | "period"> {
  of: "subscriptions" | "payments" | "licences";
  parsers: Parsers;
}

/** List for administrators: the first column is the customer; downloadable as CSV. */
export function RecordList<Row extends Record>({ of, parsers, columns, ...props }: RecordListProps<Row>) {
  const t = useTranslations("billingAdmin");
  const { view, table, narrow } = props.list;
  const account = (view as { user_id?: string | null }).user_id;
  const name = table.rows.find(({ user }) => String(user.id) === account)?.user.name;
  return (
    <ListCard
      {...props}
      chips={
        account
          ? [
              {
                id: "user_id",
                label: t("ofAccount", { name: name ?? account }),
                onRemove: () => narrow({ user_id: null }),
              },
            ]
          : []
      }
      words={{
        caption: t(`${of}.title`),
        search: t(`${of}.search`),
        found: (count) => t(`${of}.found`, { count }),
        noMatch: t("noMatch"),
        noMatchText: t("noMatchText"),
        clear: t("clear"),
      }}
      empty={<EmptyState icon={<Inbox />} title={t("nothing")} />}
      rowKey={({ id }) => String(id)}
      actions={
        <>
          <SavedViews list={of} />
          <CsvLink href={csvPath(`/api/admin/${of}.csv`, parsers, props.list.view)}>{t("csv")}</CsvLink>
        </>
      }
      columns={[
        {
          id: "user",
          header: t("customer"),
          primary: true,
          cell: ({ user }) => <CustomerCell link user={user} />,
        },
        ...columns,
      ]}
    />
  );
}
