import type { Metadata, Route } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { PlanOffer } from "@/components/billing/subscriptions/plan-offer";
import { ClientMessages } from "@/components/shell/client-messages";
import { SiteConnections } from "@/components/sites/connections/site-connections";
import { AiForm } from "@/components/sites/sites/ai-form";
import { InstallCards } from "@/components/sites/sites/install-cards";
import { SettingsForm } from "@/components/sites/sites/settings-form";
import { SiteCreated } from "@/components/sites/sites/site-created";
import { SiteStateChip } from "@/components/sites/sites/site-facts";
import { AiPanel, KeysPanel, OverviewPanel, WidgetPanel } from "@/components/sites/sites/site-panels";
import { SiteTabs } from "@/components/sites/sites/site-tabs";
import { SuspensionCard } from "@/components/sites/sites/suspension-card";
import { SuspensionNotice } from "@/components/sites/sites/suspension-notice";
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
import { getWidgetScriptUrl } from "@/server/domains/sites/sites/service/script-url";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { getPageBrand, getSupportContact } from "../../../brand";
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
  const [{ connections }, keys, mail, brand, { email: supportEmail }, owner, paysLicence] = await Promise.all(
    [
      api.connections.list({ query: { site: id, per_page: "100" } }),
      isReadOnly ? null : api.externalKeys.get({ params: { id } }),
      isReadOnly ? null : api.mailAccounts.getOfSite({ params: { id } }),
      getPageBrand(),
      getSupportContact(),
      findOwner(user),
      site.suspended_reason === "licence_unpaid" && !isReadOnly && findUnpaidLicence(site).then(Boolean),
    ],
  );
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
      <ClientMessages namespaces={["sites", "keyUse", "widget", "mailAccount", "identity", "auth"]}>
        <SuspensionNotice
          site={site}
          isOwner={isOwn}
          isAdmin={user.role === "admin"}
          isReadOnly={isReadOnly}
          paysLicence={paysLicence}
          supportEmail={supportEmail}
          planOffer={
            <PlanOffer
              initial={undefined}
              email={supportEmail}
              hasReseller={user.reseller_id !== null}
              owner={owner}
            />
          }
        />
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
            install: keys ? (
              <div className="flex max-w-form flex-col gap-6">
                <InstallCards
                  site={site}
                  widgetKey={keys.widget_key}
                  scriptUrl={getWidgetScriptUrl()}
                  origin={brand.url}
                />
              </div>
            ) : undefined,
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
                <KeysPanel site={site} keys={keys} origin={env().APP_URL} />
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
                <SuspensionCard site={site} isOwner={isOwn} isAdmin={user.role === "admin"} />
                <DeleteSite site={site} />
              </WithAside>
            ),
          }}
        />
      </ClientMessages>
    </>
  );
}

/** Returns the site's unpaid licence if the viewer pays it. */
async function findUnpaidLicence({ id, domain }: SiteDetail) {
  const { api } = await getPanelCaller();
  const { licences } = await api.subscriptions.licences({ query: { q: domain, status: "pending" } });
  return licences.find((licence) => licence.site?.id === id);
}

async function CreatedSite({ site, isOwn }: { site: SiteDetail; isOwn: boolean }) {
  const { api } = await getPanelCaller();
  const [{ widget_key }, licence, { remaining_slots }, brand, doneSteps] = await Promise.all([
    api.externalKeys.get({ params: { id: String(site.id) } }),
    findUnpaidLicence(site),
    api.sites.getForecast(),
    getPageBrand(),
    isOwn ? findDoneSteps(site) : undefined,
  ]);
  return (
    <ClientMessages namespaces={["sites"]}>
      <SiteCreated
        site={site}
        widgetKey={widget_key}
        scriptUrl={getWidgetScriptUrl()}
        origin={brand.url}
        licence={licence}
        freeSlotCount={remaining_slots}
        doneSteps={doneSteps}
      />
    </ClientMessages>
  );
}

async function findDoneSteps(site: SiteDetail) {
  const { api } = await getPanelCaller();
  const [{ connections }, { members, invitations }, { snippets }] = await Promise.all([
    api.connections.list({ query: { site: String(site.id), per_page: "1" } }),
    api.team.list(),
    api.snippets.list({ query: { per_page: "1" } }),
  ]);
  return {
    connect: connections.length > 0,
    invite: members.length + invitations.length > 0,
    snippet: snippets.length > 0,
  };
}
