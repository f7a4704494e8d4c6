"use client";

import { Globe } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { useRowPreview } from "@/components/api/row-preview";
import { Card } from "@/components/ui/card";
import { DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import type { Output } from "@/server/core/contract";
import type { listSites } from "@/server/domains/sites/sites/contract";
import { SitesPeek } from "./peek-sites";
import { useSiteColumns } from "./use-site-columns";

export function AccountSites({
  userId,
  initialList,
}: {
  userId: number;
  initialList: Output<typeof listSites>;
}) {
  const t = useTranslations("sites");
  const { data } = api.sites.list.useQuery(
    { query: { user_id: String(userId), per_page: "10" } },
    { initialData: initialList },
  );
  const [previewKey, openPreview] = useRowPreview();
  const { columns } = useSiteColumns({
    canChange: true,
    onFilterOwner: () => {},
    onPeek: (id) => openPreview(String(id)),
  });
  const total = data.meta?.total ?? data.data.length;
  return (
    <Card
      flush
      title={t("title")}
      actions={
        total > data.data.length ? (
          <LinkButton size="sm" href={`/sites?user_id=${userId}` as Route}>
            {t("account.all", { count: total })}
          </LinkButton>
        ) : undefined
      }
    >
      <DataTable
        caption={t("title")}
        rows={data.data}
        rowKey={({ id }) => String(id)}
        columns={columns}
        currentKey={previewKey}
        emptyState={<EmptyState icon={<Globe />} title={t("account.none")} />}
      />
      <SitesPeek sites={data.data} />
    </Card>
  );
}
