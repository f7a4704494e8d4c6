"use client";

import { KeyRound } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { RecentUse, StaleKeyHint } from "@/components/accounts/key-use/recent-use";
import { api } from "@/components/api/client";
import { EmptyList } from "@/components/api/empty-list";
import { PageTable } from "@/components/api/page-table";
import { type PagedListOptions, usePagedList } from "@/components/api/use-paged-list";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { type Column, createActionColumn } from "@/components/ui/data-table";
import { PageHeader } from "@/components/ui/page-header";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { useFormat } from "@/components/ui/use-format";
import { toAbilityMessageKeys } from "./abilities";
import { ApiKeyUseDrawer } from "./api-key-use-drawer";
import { CreateKey } from "./create-key";
import { KeyExpiry } from "./key-expiry";
import { KeyTabs } from "./key-tabs";
import { keyListParsers } from "./list-view";
import { RevokeKey } from "./revoke-key";
import type { ApiKey } from "./types";

type Page = PagedListOptions<typeof keyListParsers, ApiKey>;

const useKeys: Page["useRows"] = ({ page }, options) =>
  api.tokens.listKeys.useQuery({ query: { page } }, options);

export interface KeysPanelProps {
  firstPage: Page["firstPage"];
  origin: string;
  /** Undefined without calls. */
  chart: ReactNode;
  /** Calls of the last days, by key; none for a key without calls. */
  sparklines: Record<number, ReactNode>;
}

export function KeysPanel({ firstPage, origin, chart, sparklines }: KeysPanelProps) {
  const t = useTranslations("keys");
  const tUsage = useTranslations("keyUse");
  const { list } = useFormat();
  const { table } = usePagedList(keyListParsers, { firstPage, useRows: useKeys });

  const columns: Column<ApiKey>[] = [
    {
      id: "name",
      header: t("column.name"),
      isCardTitle: true,
      cell: (key) => (
        <span className="flex flex-col sm:py-2">
          <bdi className="font-medium">{key.name}</bdi>
          <span className="whitespace-nowrap text-fg-muted">
            <Ltr mono>{`dsu_…${key.last_four}`}</Ltr>
          </span>
        </span>
      ),
    },
    {
      id: "abilities",
      header: t("column.abilities"),
      cell: (key) =>
        list(toAbilityMessageKeys(key.abilities).map((abilityKey) => t(`ability.${abilityKey}`))),
    },
    {
      id: "used",
      header: t("column.used"),
      cell: (key) => (
        <span className="flex flex-col items-start gap-1 sm:py-2">
          {key.last_used_at ? (
            <span className="flex flex-wrap gap-x-2">
              <Time value={key.last_used_at} />
              {key.last_used_ip ? (
                <span className="text-fg-muted">
                  <Ltr>{key.last_used_ip}</Ltr>
                </span>
              ) : null}
            </span>
          ) : (
            <span className="text-fg-muted">{t("unused")}</span>
          )}
          <StaleKeyHint since={key.last_used_at ?? key.created_at} />
        </span>
      ),
    },
    {
      id: "calls",
      header: tUsage("column"),
      cell: (key) => (
        <span className="flex flex-col items-start gap-1 sm:py-2">
          <RecentUse {...key} />
          {sparklines[key.id]}
        </span>
      ),
    },
    {
      id: "created",
      header: t("column.created"),
      minTableWidth: "medium",
      cell: (key) => <Time value={key.created_at} show="date" />,
    },
    { id: "expires", header: t("column.expires"), cell: (key) => <KeyExpiry expiresAt={key.expires_at} /> },
    createActionColumn(t("column.actions"), (key) => (
      <span className="flex items-center justify-end gap-2">
        <ApiKeyUseDrawer apiKey={key} />
        <RevokeKey apiKey={key} />
      </span>
    )),
  ];

  const hasKeys = table.loading || table.rows.length > 0;
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t.rich("text", { docs: (text) => <TextLink href="/developers/docs">{text}</TextLink> })}
        actions={<CreateKey origin={origin} />}
      />
      <KeyTabs current="own" />
      {chart ? <div className="mb-6">{chart}</div> : null}
      <Card flush={hasKeys}>
        <PageTable
          caption={t("title")}
          columns={columns}
          rowKey={(key) => String(key.id)}
          {...table}
          emptyState={
            <EmptyList
              icon={<KeyRound />}
              title={t("empty.title")}
              createLabel={t("empty.action")}
              guide={"/developers/docs/guides/first-calls" as Route}
            >
              {t("empty.text")}
            </EmptyList>
          }
        />
      </Card>
    </>
  );
}
