"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { SavedViews } from "@/components/accounts/preferences/saved-views";
import { api } from "@/components/api/client";
import { ListCard, listTexts } from "@/components/api/list-card";
import { type PageOptions, usePage } from "@/components/api/use-page";
import { actionColumn } from "@/components/ui/data-table";
import type { FilterChip } from "@/components/ui/filter-chips";
import { Time } from "@/components/ui/time";
import { CHANNELS } from "@/server/domains/sites/connections/policy";
import { ConnectionMenu } from "./connection-menu";
import { ConnectionState } from "./connection-state";
import { connectionParsers } from "./list-view";
import type { Connection, OwnSite } from "./types";

type ConnectionPages = PageOptions<typeof connectionParsers, Connection>;

const useConnections: ConnectionPages["useRows"] = (input, options) =>
  api.connections.list.useQuery({ query: input }, options) as ReturnType<ConnectionPages["useRows"]>;

export interface ConnectionsTableProps {
  first: ConnectionPages["firstPage"];
  sites: readonly OwnSite[];
  viewerId: number;
  empty: ReactNode;
}

export function ConnectionsTable({ first, sites, viewerId, empty }: ConnectionsTableProps) {
  const t = useTranslations("connections");
  const list = usePage(connectionParsers, { firstPage: first, useRows: useConnections });
  const { view, setFilters } = list;
  const chips: FilterChip[] = [];
  if (view.channel)
    chips.push({
      id: "channel",
      label: t(`channel.${view.channel}`),
      onRemove: () => setFilters({ channel: null }),
    });
  if (view.state)
    chips.push({
      id: "state",
      label: t(`filter.${view.state}`),
      onRemove: () => setFilters({ state: null }),
    });
  return (
    <ListCard
      list={list}
      actions={<SavedViews list="connections" />}
      texts={listTexts(t)}
      rowKey={(row) => String(row.id)}
      filters={[
        {
          name: "channel",
          label: t("column.channel"),
          all: t("filter.allChannels"),
          options: CHANNELS.map((value) => ({ value, label: t(`channel.${value}`) })),
        },
        {
          name: "state",
          label: t("column.state"),
          all: t("filter.allStates"),
          options: (["active", "idle", "dead"] as const).map((value) => ({
            value,
            label: t(`filter.${value}`),
          })),
        },
      ]}
      chips={chips}
      empty={empty}
      columns={[
        {
          id: "label",
          header: t("column.label"),
          sortable: true,
          primary: true,
          cell: ({ label }) => <bdi className="wrap-anywhere line-clamp-2">{label}</bdi>,
        },
        { id: "channel", header: t("column.channel"), cell: ({ channel }) => t(`channel.${channel}`) },
        {
          id: "state",
          header: t("column.state"),
          cell: (connection) => <ConnectionState connection={connection} />,
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
        actionColumn(t("column.menu"), (connection: Connection) =>
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
