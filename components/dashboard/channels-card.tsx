import { Cable } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { ReconnectButton } from "@/components/sites/connections/dead-connection";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { StatusChip } from "@/components/ui/status-chip";
import type { Output } from "@/server/core/contract";
import type { getAccountOverview } from "@/server/domains/tenancy/overview/contract";

type Channel = Output<typeof getAccountOverview>["channels"][number];

const TONES = { working: "success", attention: "danger", idle: "neutral" } as const;

export interface ChannelsCardProps {
  channels: readonly Channel[];
  /** False for agents, who only see the channels of their site. */
  canManage: boolean;
}

export function ChannelsCard({ channels, canManage }: ChannelsCardProps) {
  const t = useTranslations("dashboard.channels");
  const tConnections = useTranslations("connections");
  if (channels.length === 0)
    return (
      <Card title={t("title")} flush>
        <EmptyState
          icon={<Cable />}
          heading="h3"
          title={tConnections("empty.title")}
          action={
            canManage ? (
              <LinkButton href="/connections">{tConnections("empty.action")}</LinkButton>
            ) : undefined
          }
        >
          {canManage ? tConnections("empty.text") : t("noneAgent")}
        </EmptyState>
      </Card>
    );
  return (
    <Card
      title={t("title")}
      actions={
        <LinkButton size="sm" href="/connections">
          {t("all")}
        </LinkButton>
      }
      flush
    >
      <ul className="divide-y divide-border border-border border-t">
        {channels.map((channel) => (
          <li
            key={channel.channel}
            className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1.5 px-5 py-2.5"
          >
            <span className="wrap-anywhere min-w-36 flex-1">
              <span className="block font-medium text-sm">{tConnections(`channel.${channel.channel}`)}</span>
              <ChannelText channel={channel} />
            </span>
            <span className="flex flex-wrap items-center gap-3">
              <StatusChip tone={TONES[channel.state]}>{t(`state.${channel.state}`)}</StatusChip>
              {canManage ? <ChannelAction channel={channel} /> : null}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ChannelText({ channel: { channel, working, attention, idle, problem } }: { channel: Channel }) {
  const t = useTranslations("dashboard.channels");
  return (
    <span className="block text-compact text-fg-muted">
      {problem
        ? t.rich(`problem.${problem.kind}`, { name: () => <bdi>{problem.label}</bdi>, channel })
        : working > 0
          ? t("count", { count: working + attention + idle })
          : t("idleText")}
    </span>
  );
}

function ChannelAction({ channel: { channel, problem, state } }: { channel: Channel }) {
  const t = useTranslations("dashboard.channels");
  const tConnections = useTranslations("connections");
  const name = tConnections(`channel.${channel}`);
  if (problem?.kind === "dead")
    return <ReconnectButton connection={{ id: problem.connection_id, label: problem.label }} />;
  if (state === "working") return null;
  return (
    <LinkButton
      size="sm"
      href={`/connections?channel=${channel}${state === "idle" ? "&state=idle" : ""}` as Route}
      labelSuffix={name}
    >
      {t(state === "idle" ? "choose" : "check")}
    </LinkButton>
  );
}
