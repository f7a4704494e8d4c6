import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { ClientMessages } from "@/components/shell/client-messages";
import { RenewalGuide } from "@/components/sites/connections/channel-guide";
import { TitleLogo } from "@/components/sites/connections/channel-logo";
import { ChecksChart } from "@/components/sites/connections/checks-chart";
import { ConnectedChannel } from "@/components/sites/connections/connected-channel";
import { ReconnectForm } from "@/components/sites/connections/reconnect-form";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import { PageHeader } from "@/components/ui/page-header";
import { WithAside } from "@/components/ui/with-aside";
import { env } from "@/server/core/env";
import { CONNECTION_PERIODS } from "@/server/domains/sites/connections/contract";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { requireSignIn } from "../../../viewer";
import { ConnectionsOwnerNotice } from "../../agent-notice";
import { findManageableConnection, listOwnSites } from "../../find-connection";

type Props = PageProps<"/connections/[id]/reconnect">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [t, { viewer }] = await Promise.all([getTranslations(), requireSignIn()]);
  if (viewer === "agent") return { title: t("connections.title") };
  const { label } = await findManageableConnection((await params).id);
  return { title: `${t("connections.banner.reconnect")}: ${label}` };
}

/** `?done=1`: the result after a new token was accepted. */
export default async function ReconnectPage({ params, searchParams }: Props) {
  const [t, { user, viewer }, { id }, query] = await Promise.all([
    getTranslations("channels"),
    requireSignIn(),
    params,
    searchParams,
  ]);
  if (viewer === "agent") return <ConnectionsOwnerNotice />;
  const connection = await findManageableConnection(id);
  const { channel, label, token_dead: isDead, is_active: isActive } = connection;
  if (channel === "web_chat") notFound();
  const name = () => <bdi>{label}</bdi>;
  const logo = <TitleLogo channel={channel} />;
  if (query.done !== undefined && !isDead) {
    return (
      <ClientMessages namespaces={["connections"]}>
        <PageHeader title={t.rich("ready.titleAgain", { name })} status={logo} />
        <ConnectedChannel
          connection={connection}
          sites={connection.owner.id === user.id ? await listOwnSites(user.id) : undefined}
          phone={user.phone}
          isReconnected
        />
      </ClientMessages>
    );
  }
  const [{ api }, view] = await Promise.all([
    getPanelCaller(),
    readSeriesView(searchParams, CONNECTION_PERIODS),
  ]);
  const { data: series } = await api.connections.series({ query: { ...view.query, connection_id: id } });
  return (
    <ClientMessages namespaces={["connections"]}>
      <PageHeader
        title={t.rich("reconnect.title", { name })}
        description={t(isDead ? "reconnect.dead" : "reconnect.text", { channel })}
        status={logo}
      />
      <WithAside asideFirst aside={<RenewalGuide channel={channel} metaAppId={env().META_APP_ID} />}>
        {isActive ? null : <FormAlert tone="info">{t("reconnect.off")}</FormAlert>}
        {connection.cleanup === "running" ? (
          <FormAlert tone="warning">{t("reconnect.cleaning")}</FormAlert>
        ) : (
          <Card title={t("form.access")}>
            <ReconnectForm connection={connection} />
          </Card>
        )}
      </WithAside>
      <PageCharts
        path={`/connections/${id}/reconnect`}
        searchParams={query}
        view={view}
        periods={CONNECTION_PERIODS}
        series={[series]}
        hasMargin={false}
      >
        <ChecksChart series={series} isOfOne />
      </PageCharts>
    </ClientMessages>
  );
}
