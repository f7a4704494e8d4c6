import { cookies } from "next/headers";
import { getTranslations } from "next-intl/server";
import { AgentCard } from "@/components/dashboard/agent-card";
import { Attention } from "@/components/dashboard/attention";
import { Checklist } from "@/components/dashboard/checklist";
import { CreditsCard } from "@/components/dashboard/credits-card";
import { CustomersAtRisk } from "@/components/dashboard/customers-at-risk";
import { RecentSites } from "@/components/dashboard/recent-sites";
import { ResellerCards } from "@/components/dashboard/reseller-cards";
import { SiteCounts, SitesCard } from "@/components/dashboard/sites-card";
import { SlotsCard } from "@/components/dashboard/slots-card";
import { type Task, TasksCard } from "@/components/dashboard/tasks-card";
import { UsageCard } from "@/components/dashboard/usage-card";
import { AgreementAlert } from "@/components/tenancy/legal-texts/agreement-notice";
import { MonthCard } from "@/components/tenancy/overview/month-card";
import { OverviewCard } from "@/components/tenancy/overview/overview-card";
import { PageHeader } from "@/components/ui/page-header";
import { LAST_SIGN_IN_COOKIE } from "@/server/domains/access/sign-in/policy";
import { FEW_RECOVERY_CODES } from "@/server/domains/access/two-factor/policy";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../page-title";
import { requireSignIn } from "../viewer";

const RECENT_SITES_COUNT = 5;

export const generateMetadata = metadataWithTitle("dashboard.title");

export default async function DashboardPage() {
  const [t, profile, { api }, cookieStore] = await Promise.all([
    getTranslations("dashboard"),
    requireSignIn(),
    getPanelCaller(),
    cookies(),
  ]);
  const { user, stats, usage, viewer, isImpersonation } = profile;
  const isAgent = viewer === "agent";
  const [
    sites,
    suspendedSites,
    due,
    deadConnections,
    forecast,
    adminOverview,
    agreement,
    twoFactor,
    passkeys,
  ] = await Promise.all([
    api.sites.list({ query: { per_page: String(RECENT_SITES_COUNT) } }),
    api.sites.list({ query: { per_page: "1", is_active: "false" } }),
    api.subscriptions.due(),
    api.connections.countDead(),
    isAgent ? null : api.sites.getForecast(),
    viewer === "admin" ? api.overview.get() : null,
    viewer === "reseller" ? api.legalTexts.getAgreement().then((data) => data.agreement) : null,
    // Sign-in methods are private to the account, so they are not loaded during impersonation.
    isImpersonation ? null : api.twoFactor.list(),
    isImpersonation ? null : api.passkeys.list(),
  ]);
  const resellerOverview = agreement?.signed ? await api.overview.getReseller() : null;
  const isVerified = user.email_verified_at !== null;
  const isNew = viewer === "customer" && (!isVerified || stats.sites_count === 0);
  const canCreateSite = !(forecast?.mode === "upgrade" && user.parent_user_id !== null);
  const isHidden = (cookie: string) => cookieStore.get(cookie)?.value === "hidden";
  // It stays until the address is confirmed, in place of the banner of other pages.
  const shouldShowChecklist = isNew && (!isVerified || !isHidden("checklist"));
  const hasSecondFactor = Boolean(twoFactor?.enabled || passkeys?.count);
  const tasks: Task[] = [];
  if (twoFactor?.enabled && twoFactor.recovery_codes_count <= FEW_RECOVERY_CODES) tasks.push("codes");
  if (twoFactor && !hasSecondFactor && (viewer === "admin" || viewer === "reseller")) tasks.push("factor");
  else if (
    passkeys?.count === 0 &&
    isVerified &&
    !shouldShowChecklist &&
    cookieStore.get(LAST_SIGN_IN_COOKIE)?.value === "password" &&
    !isHidden("passkey-offer")
  )
    tasks.push("passkey");

  // Figures that are zero and stay zero in this role are left out.
  const hasUsage = Object.values(usage).some((figure) => figure > 0);
  const siteCounts = { siteCount: sites.meta?.total ?? 0, suspendedCount: suspendedSites.meta?.total ?? 0 };
  const shouldShowSites = viewer === "customer" && !(isNew && siteCounts.siteCount === 0);
  const shouldShowSlots =
    forecast && (forecast.total_slots > 0 || (viewer === "customer" && !isNew && canCreateSite));
  const shouldShowCredits = viewer === "customer" || stats.monthly_usage > 0;

  return (
    <>
      <PageHeader
        title={t.rich("hello", { name: () => <bdi>{user.name}</bdi> })}
        description={t(isAgent ? "introAgent" : "intro")}
      />
      <div className="flex flex-col gap-6">
        {shouldShowChecklist ? (
          <Checklist
            isStepDone={{
              mail: isVerified,
              ...(canCreateSite && { site: stats.sites_count > 0 }),
              safe: hasSecondFactor,
              language: user.locale !== null,
            }}
            email={user.email}
            canHide={isVerified}
          />
        ) : null}
        {agreement?.due && !isImpersonation ? <AgreementAlert dueBy={agreement.due_by} /> : null}
        {adminOverview ? (
          <OverviewCard overview={adminOverview.overview} waiting={adminOverview.waiting} />
        ) : null}
        <Attention due={due} deadConnections={deadConnections} />
        {adminOverview ? <MonthCard month={adminOverview.month} /> : null}
        {resellerOverview ? <CustomersAtRisk customers={resellerOverview.customers_at_risk} /> : null}
        {resellerOverview ? <ResellerCards overview={resellerOverview} /> : null}
        {tasks.length > 0 ? <TasksCard tasks={tasks} /> : null}
        {isAgent ? (
          <AgentCard site={sites.data[0]} />
        ) : (
          <div className="grid gap-6 empty:hidden sm:grid-cols-[repeat(auto-fit,minmax(13rem,1fr))]">
            {shouldShowSites ? <SitesCard {...siteCounts} /> : null}
            {shouldShowSlots ? <SlotsCard forecast={forecast} /> : null}
            {shouldShowCredits ? (
              <CreditsCard credits={stats.credits} usedCredits={stats.monthly_usage} />
            ) : null}
          </div>
        )}
        {!isAgent && hasUsage ? <UsageCard usage={usage} /> : null}
        {!isAgent && sites.data.length > 0 ? (
          <RecentSites
            sites={sites.data}
            counts={viewer === "customer" ? undefined : <SiteCounts {...siteCounts} />}
          />
        ) : null}
      </div>
    </>
  );
}
