import { getTranslations } from "next-intl/server";
import { ClientMessages } from "@/components/shell/client-messages";
import { ChannelGuide } from "@/components/sites/connections/channel-guide";
import { TitleLogo } from "@/components/sites/connections/channel-logo";
import { ChannelTiles } from "@/components/sites/connections/channel-tiles";
import { ConnectForm } from "@/components/sites/connections/connect-form";
import { ConnectedChannel } from "@/components/sites/connections/connected-channel";
import type { OwnSite } from "@/components/sites/connections/types";
import { WizardSteps } from "@/components/sites/connections/wizard-steps";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { WithAside } from "@/components/ui/with-aside";
import { env } from "@/server/core/env";
import { CONNECTABLE_CHANNELS, type ConnectableChannel } from "@/server/domains/sites/connections/policy";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";
import { ConnectionsOwnerNotice } from "../agent-notice";
import { findManageableConnection, listOwnSites } from "../find-connection";

export const generateMetadata = metadataWithTitle("channels.title");

/** `?channel=`: its form. `?site=`: links this site. `?connected=`: the result for a connection. */
export default async function NewConnectionPage({ searchParams }: PageProps<"/connections/new">) {
  const [t, { user, viewer }, query] = await Promise.all([
    getTranslations("channels"),
    requireSignIn(),
    searchParams,
  ]);
  if (viewer === "agent") return <ConnectionsOwnerNotice />;
  const sites = await listOwnSites(user.id);
  if (typeof query.connected === "string") {
    const connection = await findManageableConnection(query.connected);
    return (
      <ClientMessages namespaces={["connections"]}>
        <PageHeader
          title={t.rich("ready.title", { name: () => <bdi>{connection.label}</bdi> })}
          status={<TitleLogo channel={connection.channel} />}
        />
        <WizardSteps current="done" />
        <ConnectedChannel
          connection={connection}
          sites={connection.owner.id === user.id ? sites : undefined}
          phone={user.phone}
        />
      </ClientMessages>
    );
  }
  const requestedSite = sites.find(({ id }) => String(id) === query.site);
  const channel = CONNECTABLE_CHANNELS.find((each) => each === query.channel);
  if (channel) {
    const onlySite = sites.length === 1 ? sites[0] : undefined;
    return <ConnectStep channel={channel} sites={sites} selectedSite={requestedSite ?? onlySite} />;
  }
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <WizardSteps current="choose" />
      <ChannelTiles siteId={requestedSite?.id} />
    </>
  );
}

async function ConnectStep({
  channel,
  sites,
  selectedSite,
}: {
  channel: ConnectableChannel;
  sites: OwnSite[];
  selectedSite: OwnSite | undefined;
}) {
  const [t, tChannel] = await Promise.all([
    getTranslations("channels"),
    getTranslations("connections.channel"),
  ]);
  const { META_APP_ID: metaAppId, META_APP_SECRET: metaAppSecret } = env();
  const isOfMeta = channel === "whatsapp" || channel === "instagram" || channel === "messenger";
  const isConfigured = !isOfMeta || Boolean(metaAppId && metaAppSecret);
  const needsSite = channel === "web_chat" && sites.length === 0;
  return (
    <ClientMessages namespaces={["connections"]}>
      <PageHeader
        title={t("form.title", { channel: tChannel(channel) })}
        description={t(`purpose.${channel}`)}
        status={<TitleLogo channel={channel} />}
      />
      <WizardSteps current="access" />
      {isConfigured && !needsSite ? (
        <WithAside asideFirst aside={<ChannelGuide channel={channel} metaAppId={metaAppId} />}>
          <Card title={channel === "web_chat" ? undefined : t("form.access")}>
            <ConnectForm
              key={channel}
              channel={channel}
              sites={sites}
              siteIds={selectedSite ? [selectedSite.id] : []}
            />
          </Card>
        </WithAside>
      ) : (
        <FormAlert
          tone="warning"
          title={t(needsSite ? "form.noSite" : "form.notConfigured")}
          action={
            needsSite ? (
              <LinkButton size="sm" href="/sites/new">
                {t("ready.createSite")}
              </LinkButton>
            ) : (
              <LinkButton size="sm" href="/connections/new">
                {t("form.otherChannel")}
              </LinkButton>
            )
          }
        >
          {t(needsSite ? "form.noSiteText" : "form.notConfiguredText")}
        </FormAlert>
      )}
    </ClientMessages>
  );
}
