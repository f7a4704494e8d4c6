import type { Route } from "next";
import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import { LinkButton } from "@/components/ui/link-button";
import { ReconnectButton } from "./dead-connection";
import { ExternalLinkButton } from "./external-link";
import { LinkSitesForm } from "./link-sites-form";
import { getWizardPath } from "./paths";
import { SwitchOnButton } from "./switch-on-button";
import { TestMessageForm } from "./test-message-form";
import { getTryLink } from "./try-link";
import type { Connection, OwnSite } from "./types";

const TEST_CHANNELS: readonly Connection["channel"][] = ["sms", "whatsapp", "whatsapp_qr"];

export interface ConnectedChannelProps {
  connection: Connection;
  /** Sites that can be linked; omitted for other owners' connections. */
  sites?: readonly OwnSite[];
  /** Suggested number for a test message. */
  phone: string | null;
  isReconnected?: boolean;
}

/** Result of connecting a channel: working sites, missing steps and a way to try it. */
export function ConnectedChannel({ connection, sites, phone, isReconnected = false }: ConnectedChannelProps) {
  const t = useTranslations("channels.ready");
  const tReconnect = useTranslations("channels.reconnect");
  const { id, channel, label, reasons, linked_sites: linkedSites } = connection;
  const activeSites = linkedSites.filter(({ is_active: isActive }) => isActive);
  const isWorking = reasons.length === 0 && !connection.token_dead;
  const tryLink = getTryLink(connection);
  const canTest = TEST_CHANNELS.includes(channel);
  return (
    <div className="flex max-w-form flex-col gap-6">
      {isWorking ? (
        <FormAlert tone="success" title={t("worksTitle")}>
          {t.rich(isReconnected ? "worksAgain" : "works", {
            channel,
            name: () => <bdi className="font-medium">{label}</bdi>,
            sites: () => (
              <bdi className="wrap-anywhere font-medium">
                {activeSites.map(({ name }) => name).join(", ")}
              </bdi>
            ),
          })}
        </FormAlert>
      ) : null}
      {isWorking && channel !== "whatsapp_qr" ? null : (
        <Card title={t("missingTitle")}>
          <ul className="flex flex-col gap-5 text-sm">
            {connection.token_dead ? (
              <li className="flex flex-col items-start gap-3">
                <span>{tReconnect("dead", { channel })}</span>
                <ReconnectButton connection={connection} />
              </li>
            ) : null}
            {reasons.includes("deactivated") ? (
              <li className="flex flex-col items-start gap-3">
                <span>{t("deactivated")}</span>
                <SwitchOnButton id={id} />
              </li>
            ) : null}
            {reasons.includes("no_site") ? (
              <li className="flex flex-col gap-4">
                <span>{t(sites?.length === 0 ? "noSiteYet" : "noSite")}</span>
                {sites?.length === 0 ? (
                  <div>
                    <LinkButton variant="primary" href="/sites/new">
                      {t("createSite")}
                    </LinkButton>
                  </div>
                ) : sites ? (
                  <LinkSitesForm id={id} sites={sites} />
                ) : null}
              </li>
            ) : null}
            {reasons.includes("sites_inactive") ? <li>{t("sitesInactive")}</li> : null}
            {channel === "whatsapp_qr" ? (
              <li>{t.rich("pairing", { name: () => <bdi className="font-medium">{label}</bdi> })}</li>
            ) : null}
          </ul>
        </Card>
      )}
      {connection.is_active && (canTest || tryLink) ? (
        <Card title={t("tryTitle")} description={t(`try.${channel}`)}>
          {canTest ? (
            <TestMessageForm id={id} phone={phone} />
          ) : (
            <ExternalLinkButton href={tryLink!}>{t(`open.${channel as "telegram"}`)}</ExternalLinkButton>
          )}
        </Card>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {linkedSites[0] ? (
          <LinkButton href={`/sites/${linkedSites[0].id}` as Route}>
            <span>
              {t.rich("openSite", {
                name: () => <bdi className="wrap-anywhere">{linkedSites[0]!.name}</bdi>,
              })}
            </span>
          </LinkButton>
        ) : null}
        <LinkButton href={getWizardPath()}>{t("another")}</LinkButton>
        <LinkButton href="/connections">{t("list")}</LinkButton>
      </div>
    </div>
  );
}
