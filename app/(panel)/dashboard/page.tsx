import { cookies } from "next/headers";
import { getTranslations } from "next-intl/server";
import { SignUpsChart } from "@/components/access/registration/sign-ups-chart";
import { BalanceChart, CreditUseChart, hasCreditUse } from "@/components/accounts/credits/credit-charts";
import { UsageCharts } from "@/components/accounts/credits/usage-charts";
import { toTurkishDay } from "@/components/billing/records/day";
import { PaymentCharts } from "@/components/billing/records/payment-charts";
import { RenewalCard } from "@/components/billing/subscriptions/renewal-card";
import { isTrialOffered } from "@/components/billing/subscriptions/trial-state";
import type { BilledSubscription, Due, DueItem, OpenOrder } from "@/components/billing/subscriptions/types";
import { hasFigures, PageCharts } from "@/components/charts/page-charts";
import { readSeriesView, type SeriesView } from "@/components/charts/series-view";
import { AgentAbilitiesCard, AgentSiteCard } from "@/components/dashboard/agent-card";
import { Attention } from "@/components/dashboard/attention";
import { ChannelsCard } from "@/components/dashboard/channels-card";
import { Checklist } from "@/components/dashboard/checklist";
import { CreditsCard } from "@/components/dashboard/credits-card";
import { CustomersAtRisk } from "@/components/dashboard/customers-at-risk";
import { FailedWorkCard } from "@/components/dashboard/failed-work-card";
import { HealthStrip } from "@/components/dashboard/health-strip";
import { RecentSites } from "@/components/dashboard/recent-sites";
import { ResellerCards } from "@/components/dashboard/reseller-cards";
import { SetupChecklist } from "@/components/dashboard/setup-checklist";
import { SiteCounts } from "@/components/dashboard/site-counts";
import { SlotsCard } from "@/components/dashboard/slots-card";
import { type Task, TasksCard } from "@/components/dashboard/tasks-card";
import { UsageCard } from "@/components/dashboard/usage-card";
import { ClientMessages } from "@/components/shell/client-messages";
import type { Site } from "@/components/sites/sites/types";
import { CustomersChart } from "@/components/tenancy/customers/customers-chart";
import { AgreementAlert } from "@/components/tenancy/legal-texts/agreement-notice";
import { MonthCard } from "@/components/tenancy/overview/month-card";
import { OverviewCard } from "@/components/tenancy/overview/overview-card";
import { EarningsChart } from "@/components/tenancy/referral/earnings-chart";
import { PageHeader } from "@/components/ui/page-header";
import type { Output } from "@/server/core/contract";
import { LAST_SIGN_IN_COOKIE } from "@/server/domains/access/sign-in/policy";
import { FEW_RECOVERY_CODES } from "@/server/domains/access/two-factor/policy";
import { CREDIT_PERIODS } from "@/server/domains/accounts/credits/contract";
import type { getAccountOverview } from "@/server/domains/tenancy/overview/contract";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../page-title";
import { VerifyAddress } from "../verify-address";
import { requireSignIn } from "../viewer";

const RECENT_SITES_COUNT = 5;

type AccountOverview = Output<typeof getAccountOverview>;

export const generateMetadata = metadataWithTitle("dashboard.title");

/** Growth of a business is slow, so its charts begin with a year. */
const RESELLER_PERIODS = ["12m", "90d", "30d"] as const;

export default async function DashboardPage({ searchParams }: PageProps<"/dashboard">) {
  const [t, profile, { api }, cookieStore, parameters] = await Promise.all([
    getTranslations("dashboard"),
    requireSignIn(),
    getPanelCaller(),
    cookies(),
    searchParams,
  ]);
  const { user, stats, usage, viewer, isImpersonation } = profile;
  const isAgent = viewer === "agent";
  const [creditView, resellerView] = await Promise.all([
    readSeriesView(searchParams, CREDIT_PERIODS),
    readSeriesView(searchParams, RESELLER_PERIODS),
  ]);
  const [
    sites,
    suspendedSites,
    due,
    deadConnections,
    forecast,
    accountOverview,
    adminOverview,
    adminSeries,
    failedWork,
    agreement,
    setup,
    twoFactor,
    passkeys,
    creditSeries,
    usageSeries,
  ] = await Promise.all([
    // Customers get theirs with `getAccount`.
    viewer === "customer" ? null : api.sites.list({ query: { per_page: String(RECENT_SITES_COUNT) } }),
    viewer === "customer" || isAgent
      ? null
      : api.sites.list({ query: { per_page: "1", is_active: "false" } }),
    api.subscriptions.due(),
    api.connections.countDead(),
    isAgent ? null : api.sites.getForecast(),
    viewer === "customer" || isAgent ? api.overview.getAccount() : null,
    viewer === "admin" ? api.overview.get() : null,
    viewer === "admin" ? readAdminSeries() : null,
    viewer === "admin" ? api.jobs.listFailed() : null,
    viewer === "reseller" ? api.legalTexts.getAgreement().then((data) => data.agreement) : null,
    viewer === "reseller" ? api.overview.getSetup() : null,
    // Sign-in methods are private to the account, so they are not loaded during impersonation.
    isImpersonation ? null : api.twoFactor.list(),
    isImpersonation ? null : api.passkeys.list(),
    viewer === "customer" ? api.credits.series({ query: creditView.query }).then(({ data }) => data) : null,
    viewer === "customer" ? api.credits.usageSeries({ query: {} }).then(({ data }) => data) : null,
  ]);
  const isNew = viewer === "customer" && (user.email_verified_at === null || stats.sites_count === 0);
  const [{ renewals, newestOrder }, trial, resellerHome] = await Promise.all([
    forecast && forecast.total_slots > 0 ? listNearRenewals() : { renewals: [], newestOrder: undefined },
    isNew && forecast?.mode === "upgrade" && !isImpersonation
      ? api.trials.get().then((data) => data.trial)
      : null,
    agreement?.signed ? readResellerHome(resellerView) : null,
  ]);
  const isVerified = user.email_verified_at !== null;
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
  const hasUsedChannels = Object.values(usage).some((figure) => figure > 0);
  const recentSites = sites?.data ?? [];
  const hasSites = recentSites.length > 0 || (accountOverview?.sites.length ?? 0) > 0;
  const isFirstDay = shouldShowChecklist && !hasSites;
  const shouldShowSlots =
    forecast && (forecast.total_slots > 0 || (viewer === "customer" && !isNew && canCreateSite));
  const shouldShowCredits = viewer === "customer" || stats.monthly_usage > 0;
  const shouldShowSetup =
    setup && !setup.complete && !isImpersonation && (!agreement?.signed || !isHidden("setup"));
  const suspendedCount = accountOverview?.site_counts.suspended ?? suspendedSites?.meta?.total ?? 0;
  const activeCount = accountOverview?.site_counts.active ?? (sites?.meta?.total ?? 0) - suspendedCount;
  const siteCounts = <SiteCounts activeCount={activeCount} suspendedCount={suspendedCount} />;

  const figures = (
    <div className="grid gap-6 empty:hidden sm:grid-cols-[repeat(auto-fit,minmax(13rem,1fr))]">
      {shouldShowSlots ? <SlotsCard forecast={forecast} /> : null}
      {shouldShowCredits ? <CreditsCard credits={stats.credits} usedCredits={stats.monthly_usage} /> : null}
    </div>
  );

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
            verifyForm={isImpersonation ? undefined : <VerifyAddress email={user.email} />}
            canHide={isVerified}
            trialDays={isTrialOffered(trial) ? trial.days : undefined}
          />
        ) : null}
        {/* Without any signature, the set-up begins with it. */}
        {agreement?.due && agreement.signed && !isImpersonation ? (
          <AgreementAlert dueBy={agreement.due_by} />
        ) : null}
        {shouldShowSetup && !agreement?.signed ? <SetupChecklist steps={setup.steps} /> : null}
        {adminOverview ? <OverviewCard {...adminOverview} /> : null}
        <Attention due={withoutRenewals(due, renewals, newestOrder)} deadConnections={deadConnections} />
        <ClientMessages namespaces={["billing"]}>
          {renewals.map((subscription) => (
            <RenewalCard key={subscription.id} subscription={subscription} order={newestOrder} />
          ))}
        </ClientMessages>
        {failedWork && adminOverview ? (
          <div className="grid items-start gap-6 xl:grid-cols-2">
            <div className="flex flex-col gap-6">
              <FailedWorkCard work={failedWork.data} />
              <MonthCard month={adminOverview.month} />
            </div>
            <ClientMessages namespaces={["health"]}>
              <HealthStrip />
            </ClientMessages>
          </div>
        ) : null}
        {adminSeries ? <AdminCharts {...adminSeries} /> : null}
        {resellerHome ? <CustomersAtRisk customers={resellerHome.overview.customers_at_risk} /> : null}
        {shouldShowSetup && agreement?.signed ? <SetupChecklist steps={setup.steps} /> : null}
        {resellerHome ? <ResellerCards overview={resellerHome.overview} /> : null}
        {resellerHome ? (
          <PageCharts
            path="/dashboard"
            searchParams={parameters}
            view={resellerView}
            periods={RESELLER_PERIODS}
            series={[resellerHome.customers, resellerHome.earnings]}
            hasMargin={false}
          >
            <CustomersChart series={resellerHome.customers} />
            <EarningsChart series={resellerHome.earnings} />
          </PageCharts>
        ) : null}
        {tasks.length > 0 ? <TasksCard tasks={tasks} /> : null}
        {accountOverview && isAgent ? <AgentHome overview={accountOverview} site={recentSites[0]} /> : null}
        {accountOverview && viewer === "customer" && !isFirstDay ? (
          <div className="grid items-start gap-6 xl:grid-cols-[3fr_2fr] xl:grid-rows-[auto_1fr]">
            <RecentSites sites={accountOverview.sites} counts={siteCounts} />
            <div className="xl:row-span-2">
              <ChannelsCard channels={accountOverview.channels} canManage />
            </div>
            {figures}
          </div>
        ) : isAgent ? null : (
          figures
        )}
        {!isAgent && hasUsedChannels ? <UsageCard usage={usage} /> : null}
        {usageSeries && hasFigures(usageSeries) ? (
          <div className="grid gap-6 xl:grid-cols-2">
            <UsageCharts series={usageSeries} />
          </div>
        ) : null}
        {creditSeries ? (
          <PageCharts
            path="/dashboard"
            searchParams={parameters}
            view={creditView}
            periods={CREDIT_PERIODS}
            series={[creditSeries]}
            isWorthShowing={hasCreditUse(creditSeries)}
            hasMargin={false}
          >
            <BalanceChart series={creditSeries} />
            <CreditUseChart series={creditSeries} />
          </PageCharts>
        ) : null}
        {viewer !== "customer" && !isAgent && hasSites ? (
          <RecentSites sites={recentSites} counts={siteCounts} />
        ) : null}
      </div>
    </>
  );
}

async function readResellerHome({ query }: SeriesView<(typeof RESELLER_PERIODS)[number]>) {
  const { api } = await getPanelCaller();
  const [overview, { data: customers }, { data: earnings }] = await Promise.all([
    api.overview.getReseller(),
    api.customers.series({ query }),
    api.referral.series({ query }),
  ]);
  return { overview, customers, earnings };
}

/** Sign-ups of 30 days and payments of 12 months, as their pages show them first. */
async function readAdminSeries() {
  const { api } = await getPanelCaller();
  const query = { compare: "previous" } as const;
  const [{ data: signUps }, { data: payments }] = await Promise.all([
    api.registration.series({ query }),
    api.records.paymentSeries({ query }),
  ]);
  return { signUps, payments };
}

function AdminCharts({ signUps, payments }: Awaited<ReturnType<typeof readAdminSeries>>) {
  return (
    <div className="grid items-start gap-6 empty:hidden xl:grid-cols-2">
      {hasFigures(signUps) ? <SignUpsChart series={signUps} /> : null}
      {hasFigures(payments) ? <PaymentCharts series={payments} /> : null}
    </div>
  );
}

/** Lists plans from their first reminder on, and a trial from its start. */
async function listNearRenewals(): Promise<{
  renewals: BilledSubscription[];
  newestOrder: OpenOrder | undefined;
}> {
  const { api } = await getPanelCaller();
  const { subscriptions, orders } = await api.subscriptions.overview();
  const today = toTurkishDay(new Date().toISOString());
  const renewals = subscriptions.filter(
    ({ status, is_trial: isTrial, ends_at, reminder_days: [firstReminder] }) =>
      status === "past_due" || (status === "active" && (isTrial || (firstReminder ?? ends_at) <= today)),
  );
  return { renewals, newestOrder: orders.at(-1) };
}

/** Leaves out what the cards of the renewals say. */
function withoutRenewals(
  due: Due,
  renewals: readonly BilledSubscription[],
  trialOrder: OpenOrder | undefined,
): Due {
  const hasTrial = renewals.some(({ is_trial: isTrial }) => isTrial);
  const isShown = ({ kind, id }: DueItem) =>
    kind === "order"
      ? hasTrial && id === trialOrder?.id
      : (kind === "ends" || kind === "past_due") && renewals.some((renewal) => renewal.id === id);
  const items = due.due.filter((item) => !isShown(item));
  return { ...due, due: items, count: due.count - (due.due.length - items.length) };
}

interface AgentHomeProps {
  overview: AccountOverview;
  site: Site | undefined;
}

function AgentHome({ overview: { agent, sites, channels }, site }: AgentHomeProps) {
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[3fr_2fr]">
      <div className="flex flex-col gap-6">
        <AgentSiteCard site={site} lastActiveAt={sites[0]?.last_active_at} owner={agent?.owner ?? null} />
        {site ? <ChannelsCard channels={channels} canManage={false} /> : null}
      </div>
      {agent ? <AgentAbilitiesCard agent={agent} /> : null}
    </div>
  );
}
