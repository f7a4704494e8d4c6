import { useTranslations } from "next-intl";
import { ChannelLogo } from "./channel-logo";
import { ConnectionState } from "./connection-state";
import { ReconnectButton } from "./dead-connection";
import type { Connection } from "./types";

export function ConnectionItems({
  connections,
  emptyText,
}: {
  connections: readonly Connection[];
  emptyText: string;
}) {
  const t = useTranslations("connections");
  if (connections.length === 0) return <p className="text-fg-muted text-sm">{emptyText}</p>;
  return (
    <ul className="flex flex-col gap-3 text-sm">
      {connections.map((connection) => (
        <li key={connection.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <span className="flex min-w-0 items-center gap-2.5">
            <ChannelLogo channel={connection.channel} />
            <span className="min-w-0">
              <bdi className="wrap-anywhere">{connection.label}</bdi>{" "}
              <span className="text-fg-muted">{t(`channel.${connection.channel}`)}</span>
            </span>
          </span>
          <span className="flex flex-wrap items-center gap-2">
            <ConnectionState connection={connection} />
            {connection.token_dead && connection.can_manage ? (
              <ReconnectButton connection={connection} />
            ) : null}
          </span>
        </li>
      ))}
    </ul>
  );
}
