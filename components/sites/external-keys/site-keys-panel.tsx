"use client";

import { KeyRound } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { KeyUseContent, KeyUseDrawer } from "@/components/accounts/key-use/key-use-drawer";
import { RecentUse, StaleKeyHint } from "@/components/accounts/key-use/recent-use";
import { api } from "@/components/api/client";
import { PageTable } from "@/components/api/page-table";
import { type PagedListOptions, usePagedList } from "@/components/api/use-paged-list";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { type Column, createActionColumn } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { StatusChip } from "@/components/ui/status-chip";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { listSiteKeys } from "@/server/domains/sites/external-keys/contract";
import { EndReplacedKeys } from "./end-replaced-keys";
import { siteKeyParsers } from "./list-view";

type SiteKey = Output<typeof listSiteKeys>["keys"][number];
type SiteKeyPages = PagedListOptions<typeof siteKeyParsers, SiteKey>;

const useSiteKeyRows: SiteKeyPages["useRows"] = ({ page }, options) =>
  api.externalKeys.list.useQuery({ query: { page } }, options);

export function SiteKeysPanel({ firstPage }: { firstPage: SiteKeyPages["firstPage"] }) {
  const t = useTranslations("keyUse");
  const { table } = usePagedList(siteKeyParsers, { firstPage, useRows: useSiteKeyRows });
  const columns: Column<SiteKey>[] = [
    {
      id: "site",
      header: t("sites.site"),
      isCardTitle: true,
      cell: (key) => (
        <span className="flex flex-col sm:py-2">
          <TextLink href={`/sites/${key.site_id}?tab=keys` as Route}>
            <bdi>{key.site_name}</bdi>
          </TextLink>
          <span className="text-fg-muted">
            <Ltr>{key.domain}</Ltr>
          </span>
        </span>
      ),
    },
    {
      id: "key",
      header: t("sites.key"),
      cell: (key) => (
        <span className="whitespace-nowrap">
          <Ltr mono>{`dse_…${key.last_four}`}</Ltr>
        </span>
      ),
    },
    {
      id: "state",
      header: t("sites.state"),
      cell: ({ valid_until: validUntil }) =>
        validUntil ? (
          <StatusChip tone="warning">
            {t.rich("sites.ending", { time: () => <Time value={validUntil} show="dateTime" /> })}
          </StatusChip>
        ) : (
          <StatusChip tone="success">{t("sites.current")}</StatusChip>
        ),
    },
    {
      id: "used",
      header: t("sites.used"),
      cell: (key) => (
        <span className="flex flex-col items-start gap-1">
          {key.last_used_at ? (
            <Time value={key.last_used_at} />
          ) : (
            <span className="text-fg-muted">{t("sites.unused")}</span>
          )}
          <StaleKeyHint since={key.last_used_at ?? key.created_at} />
        </span>
      ),
    },
    { id: "calls", header: t("column"), cell: (key) => <RecentUse {...key} /> },
    createActionColumn(t("sites.actions"), (key) => (
      <span className="flex items-center justify-end gap-2">
        {key.valid_until ? (
          <EndReplacedKeys siteId={key.site_id} siteName={key.site_name} recentUse={key} />
        ) : null}
        <KeyUseDrawer keyName={`${key.domain} …${key.last_four}`}>
          <SiteKeyUse siteKey={key} />
        </KeyUseDrawer>
      </span>
    )),
  ];
  const hasKeys = table.loading || table.rows.length > 0;
  return (
    <Card flush={hasKeys}>
      <PageTable
        caption={t("tabs.sites")}
        columns={columns}
        rowKey={(key) => String(key.id)}
        {...table}
        emptyState={
          <EmptyState
            icon={<KeyRound />}
            title={t("sites.emptyTitle")}
            action={<LinkButton href="/sites">{t("sites.toSites")}</LinkButton>}
          >
            {t("sites.emptyText")}
          </EmptyState>
        }
      />
    </Card>
  );
}

function SiteKeyUse({ siteKey: { site_id, last_four, created_at } }: { siteKey: SiteKey }) {
  const { data, error, refetch } = api.externalKeys.use.useQuery(
    { params: { id: String(site_id) } },
    { staleTime: 0 },
  );
  const keyUse = data?.keys.find((key) => key.last_four === last_four && key.created_at === created_at);
  return <KeyUseContent use={keyUse} error={error} refetch={refetch} />;
}
