"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { SavedViewTabs } from "@/components/accounts/preferences/saved-view-tabs";
import { api } from "@/components/api/client";
import { buildListTexts, ListCard } from "@/components/api/list-card";
import { type PagedListOptions, usePagedList } from "@/components/api/use-paged-list";
import { createActionColumn } from "@/components/ui/data-table";
import { Time } from "@/components/ui/time";
import { CHANNELS } from "@/server/domains/sites/connections/policy";
import { ChannelLogo } from "./channel-logo";
import { ConnectionMenu } from "./connection-menu";
import { ConnectionState } from "./connection-state";
import { ReconnectButton } from "./dead-connection";
import { connectionParsers } from "./list-view";
import type { Connection, OwnSite } from "./types";

type ConnectionPages = PagedListOptions<typeof connectionParsers, Connection>;

const useConnections: ConnectionPages["useRows"] = (input, options) =>
  api.connections.list.useQuery({ query: input }, options) as ReturnType<ConnectionPages["useRows"]>;

export interface ConnectionsTableProps {
  firstPage: ConnectionPages["firstPage"];
  sites: readonly OwnSite[];
  viewerId: number;
  empty: ReactNode;
}

export function ConnectionsTable({ firstPage, sites, viewerId, empty }: ConnectionsTableProps) {
  const t = useTranslations("connections");
  const list = usePagedList(connectionParsers, { firstPage, useRows: useConnections });
  return (
    <ListCard
      list={list}
      views={<SavedViewTabs list="connections" />}
      texts={buildListTexts(t)}
      rowKey={(row) => String(row.id)}
      filters={[
        {
          name: "channel",
          label: t("column.channel"),
          allLabel: t("filter.allChannels"),
          options: CHANNELS.map((channelOption) => ({
            value: channelOption,
            label: t(`channel.${channelOption}`),
          })),
        },
        {
          name: "state",
          label: t("column.state"),
          allLabel: t("filter.allStates"),
          options: (["active", "idle", "dead"] as const).map((stateOption) => ({
            value: stateOption,
            label: t(`filter.${stateOption}`),
          })),
        },
      ]}
      emptyState={empty}
      columns={[
        {
          id: "label",
          header: t("column.label"),
          sortable: true,
          isCardTitle: true,
          cell: ({ channel, label }) => (
            <span className="flex min-w-0 items-center gap-2.5">
              <ChannelLogo channel={channel} />
              <bdi className="wrap-anywhere line-clamp-2">{label}</bdi>
            </span>
          ),
        },
        { id: "channel", header: t("column.channel"), cell: ({ channel }) => t(`channel.${channel}`) },
        {
          id: "state",
          header: t("column.state"),
          cell: (connection) => (
            <span className="flex flex-wrap items-center gap-2 sm:py-1.5">
              <ConnectionState connection={connection} />
              {connection.token_dead && connection.can_manage ? (
                <ReconnectButton connection={connection} />
              ) : null}
            </span>
          ),
        },
        {
          id: "sites",
          header: t("column.sites"),
          cell: ({ linked_sites: linkedSites }) =>
            linkedSites.length === 0 ? (
              t("noSites")
            ) : (
              <bdi className="wrap-anywhere">{linkedSites.map(({ name }) => name).join(", ")}</bdi>
            ),
        },
        {
          id: "owner",
          header: t("column.owner"),
          minTableWidth: "medium",
          hideOnCard: true,
          cell: ({ owner }) => <bdi>{owner.name}</bdi>,
        },
        {
          id: "lastOk",
          header: t("column.lastOk"),
          minTableWidth: "medium",
          cell: ({ last_ok_at: lastOkAt }) => (lastOkAt ? <Time value={lastOkAt} /> : t("never")),
        },
        createActionColumn(t("column.menu"), (connection: Connection) =>
          connection.can_manage ? (
            <ConnectionMenu
              connection={connection}
              sites={connection.owner.id === viewerId ? sites : undefined}
            />
          ) : null,
        ),
      ]}
    />
  );
}
