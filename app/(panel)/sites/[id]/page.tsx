import type { Metadata, Route } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { PlanOffer } from "@/components/billing/subscriptions/plan-offer";
import { ClientMessages } from "@/components/shell/client-messages";
import { SiteConnections } from "@/components/sites/connections/site-connections";
import { AiForm } from "@/components/sites/sites/ai-form";
import { SettingsForm } from "@/components/sites/sites/settings-form";
import { SiteCreated } from "@/components/sites/sites/site-created";
import { SiteStateChip, SuspendedText } from "@/components/sites/sites/site-facts";
import { AiPanel, KeysPanel, OverviewPanel, WidgetPanel } from "@/components/sites/sites/site-panels";
import { SiteTabs } from "@/components/sites/sites/site-tabs";
import { SuspensionCard } from "@/components/sites/sites/suspension-card";
import type { SiteDetail } from "@/components/sites/sites/types";
import { WidgetForm } from "@/components/sites/sites/widget-form";
import { MailAccountCard } from "@/components/tenancy/mail-accounts/mail-account-card";
import { MailServers } from "@/components/tenancy/mail-accounts/mail-servers";
import { DeleteSite } from "@/components/tenancy/site-removal/delete-site";
import { Domain } from "@/components/ui/domain";
import { ForbiddenState } from "@/components/ui/forbidden-state";
import { FormAlert } from "@/components/ui/form-alert";
import { HelpCard } from "@/components/ui/help-card";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { TextLink } from "@/components/ui/text-link";
import { WithAside } from "@/components/ui/with-aside";
import { env } from "@/server/core/env";
import { isAppError } from "@/server/core/errors";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { getSupportContact } from "../../../brand";
import { OwnerOnlyNotice } from "../../owner-only";
import { findOwner } from "../../team-owner";
import { requireSignIn } from "../../viewer";

/** Returns the site, or the status 403 or 404 of the error. */
const findSiteOrStatus = cache(async (id: string) => {
  const { api } = await getPanelCaller();
  try {
    return (await api.sites.get({ params: { id } })).data;
  } catch (error) {
    const cause = (error as Error).cause;
    if (isAppError(cause) && (cause.status === 403 || cause.status === 404)) return cause.status;
    throw error;
  }
});

export async function generateMetadata({ params }: PageProps<"/sites/[id]">): Promise<Metadata> {
  const t = await getTranslations("sites");
  await requireSignIn();
  const site = await findSiteOrStatus((await params).id);
  return { title: typeof site === "number" ? t("title") : site.name };
}

/** `?created=1`: shows the first steps after the creation instead of the tabs. */
export default async function SitePage({ params, searchParams }: PageProps<"/sites/[id]">) {
  const [t, { user, viewer, isImpersonation }, { id }, query] = await Promise.all([
    getTranslations("sites"),
    requireSignIn(),
    params,
    searchParams,
  ]);
  const site = await findSiteOrStatus(id);
  if (site === 404) notFound();
  if (typeof site === "number") {
    // Agents see the contact of their owner, who may have access. Reveal nothing about the site.
    const ForbiddenPage = viewer === "agent" ? OwnerOnlyNotice : ForbiddenState;
    return (
      <ForbiddenPage
        heading="h1"
        title={t("forbidden.title")}
        action={<LinkButton href="/sites">{t("agent.back")}</LinkButton>}
      >
        {t("forbidden.text")}
      </ForbiddenPage>
    );
  }
  const isAgent = viewer === "agent";
  // Agents and impersonators cannot manage keys, and their changes would be refused.
  const isReadOnly = isAgent || isImpersonation;
  const isOwn = site.user_id === user.id;
  if (query.created !== undefined && !isReadOnly) return <CreatedSite site={site} isOwn={isOwn} />;
  const { api } = await getPanelCaller();
  const [{ connections }, keys, mail] = await Promise.all([
    api.connections.list({ query: { site: id, per_page: "100" } }),
    isReadOnly ? null : api.externalKeys.get({ params: { id } }),
    isReadOnly ? null : api.mailAccounts.getOfSite({ params: { id } }),
  ]);
  return (
    <>
      <PageHeader
        title={<bdi>{site.name}</bdi>}
        description={<Domain name={site.domain} />}
        status={<SiteStateChip site={site} />}
      />
      {isAgent ? (
        <div className="mb-6">
          <FormAlert tone="info">
            {t.rich("agent.readOnly", { owner: () => <bdi>{site.owner_name}</bdi> })}
          </FormAlert>
        </div>
      ) : null}
      {site.is_active ? null : (
        <div className="mb-6">
          <FormAlert tone="warning" title={t("detail.suspended")}>
            {site.suspended_reason ? (
              <span>
                <SuspendedText reason={site.suspended_reason} />{" "}
              </span>
            ) : null}
            <span>{t("detail.suspendedText")}</span>
          </FormAlert>
        </div>
      )}
      <ClientMessages namespaces={["sites", "keyUse", "widget", "mailAccount", "identity", "auth"]}>
        <SiteTabs
          content={{
            overview: (
              <div className="flex flex-col gap-6">
                <OverviewPanel site={site} ownerElement={isOwn ? null : <bdi>{site.owner_name}</bdi>} />
                <SiteConnections
                  connections={connections}
                  siteId={isOwn && !isReadOnly ? site.id : undefined}
                />
              </div>
            ),
            widget: isReadOnly ? <WidgetPanel site={site} /> : <WidgetForm site={site} />,
            ai: (
              <WithAside
                aside={isReadOnly ? null : <HelpCard title={t("help.title")}>{t("help.ai")}</HelpCard>}
              >
                {isReadOnly ? <AiPanel site={site} /> : <AiForm site={site} />}
              </WithAside>
            ),
            keys: (
              <WithAside
                aside={
                  isReadOnly ? null : (
                    <HelpCard
                      title={t("help.title")}
                      action={
                        <TextLink href={"/developers/docs/guides/site-keys" as Route}>
                          {t("help.guide")}
                        </TextLink>
                      }
                    >
                      {t("help.keys")}
                    </HelpCard>
                  )
                }
              >
                <KeysPanel
                  site={site}
                  keys={keys}
                  origin={env().APP_URL}
                  scriptUrl={env().WIDGET_SCRIPT_URL}
                />
              </WithAside>
            ),
            mail: mail ? (
              <WithAside aside={<MailServers />}>
                <MailAccountCard siteId={site.id} initialData={mail} />
              </WithAside>
            ) : undefined,
            settings: isReadOnly ? undefined : (
              <WithAside aside={<HelpCard title={t("help.title")}>{t("help.settings")}</HelpCard>}>
                <SettingsForm site={site} />
              </WithAside>
            ),
            danger: isReadOnly ? undefined : (
              <WithAside aside={<HelpCard title={t("help.title")}>{t("help.danger")}</HelpCard>}>
                <SuspensionCard
                  site={site}
                  isOwner={isOwn}
                  isAdmin={user.role === "admin"}
                  planOffer={
                    <PlanOffer
                      initial={undefined}
                      email={(await getSupportContact()).email}
                      hasReseller={user.reseller_id !== null}
                      owner={await findOwner(user)}
                    />
                  }
                />
                <DeleteSite site={site} />
              </WithAside>
            ),
          }}
        />
      </ClientMessages>
    </>
  );
}

async function CreatedSite({ site, isOwn }: { site: SiteDetail; isOwn: boolean }) {
  const { api } = await getPanelCaller();
  const [{ widget_key }, { licences }, { remaining_slots }] = await Promise.all([
    api.externalKeys.get({ params: { id: String(site.id) } }),
    api.subscriptions.licences({ query: { q: site.domain, status: "pending" } }),
    api.sites.getForecast(),
  ]);
  return (
    <ClientMessages namespaces={["sites"]}>
      <SiteCreated
        site={site}
        widgetKey={widget_key}
        scriptUrl={env().WIDGET_SCRIPT_URL}
        licence={licences.find((licence) => licence.site?.id === site.id)}
        freeSlotCount={remaining_slots}
        isOwn={isOwn}
      />
    </ClientMessages>
  );
}
