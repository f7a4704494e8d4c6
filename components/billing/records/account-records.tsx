"use client";

import { Inbox } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { Card } from "@/components/ui/card";
import { type Column, DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import type { Output } from "@/server/core/contract";
import type {
  listLicences,
  listPayments,
  listSubscriptions,
} from "@/server/domains/billing/records/contract";
import { useLicenceColumns } from "./licence-columns";
import { getNewestQuery } from "./list-views";
import { usePaymentColumns } from "./payment-columns";
import { useSubscriptionColumns } from "./subscription-columns";

interface AccountRecordsProps<Page> {
  userId: number;
  initial: Page;
}

export function AccountSubscriptions({
  userId,
  initial,
}: AccountRecordsProps<Output<typeof listSubscriptions>>) {
  const { data } = api.records.listSubscriptions.useQuery(
    { query: getNewestQuery(userId) },
    { initialData: initial },
  );
  return (
    <NewestRecordsCard
      recordType="subscriptions"
      userId={userId}
      page={data}
      columns={useSubscriptionColumns()}
    />
  );
}

export function AccountPayments({ userId, initial }: AccountRecordsProps<Output<typeof listPayments>>) {
  const { data } = api.records.listPayments.useQuery(
    { query: getNewestQuery(userId) },
    { initialData: initial },
  );
  const { columns, currentKey, preview } = usePaymentColumns(data.data);
  return (
    <>
      <NewestRecordsCard
        recordType="payments"
        userId={userId}
        page={data}
        columns={columns}
        currentKey={currentKey}
      />
      {preview}
    </>
  );
}

export function AccountLicences({ userId, initial }: AccountRecordsProps<Output<typeof listLicences>>) {
  const { data } = api.records.listLicences.useQuery(
    { query: getNewestQuery(userId) },
    { initialData: initial },
  );
  const { columns, drawer } = useLicenceColumns();
  return (
    <>
      <NewestRecordsCard recordType="licences" userId={userId} page={data} columns={columns} />
      {drawer}
    </>
  );
}

interface NewestRecordsProps<Row> {
  recordType: "subscriptions" | "payments" | "licences";
  userId: number;
  page: { data: Row[]; meta: { total: number } };
  columns: Column<Row>[];
  currentKey?: string | null;
}

function NewestRecordsCard<Row extends { id: number }>({
  recordType,
  userId,
  page,
  columns,
  currentKey,
}: NewestRecordsProps<Row>) {
  const t = useTranslations("billingAdmin");
  const { total } = page.meta;
  return (
    <Card
      flush
      title={t(`${recordType}.title`)}
      actions={
        total > page.data.length ? (
          <LinkButton size="sm" href={`/admin/${recordType}?user_id=${userId}` as Route}>
            {t("all", { count: total })}
          </LinkButton>
        ) : undefined
      }
    >
      <DataTable
        caption={t(`${recordType}.title`)}
        rows={page.data}
        rowKey={({ id }) => String(id)}
        columns={columns}
        currentKey={currentKey}
        emptyState={<EmptyState icon={<Inbox />} title={t("nothing")} />}
      />
    </Card>
  );
}
