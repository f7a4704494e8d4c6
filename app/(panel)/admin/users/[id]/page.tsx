import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { cache } from "react";
import { AdjustCredits } from "@/components/accounts/credits/adjust-credits";
import { BalanceChart, CreditUseChart, hasCreditUse } from "@/components/accounts/credits/credit-charts";
import { UserCreditsTable } from "@/components/accounts/credits/credits-table";
import { creditParsers } from "@/components/accounts/credits/list-view";
import { toListInput } from "@/components/api/list-parsers";
import { getActivationPath } from "@/components/billing/payments/activation-path";
import {
  AccountLicences,
  AccountPayments,
  AccountSubscriptions,
} from "@/components/billing/records/account-records";
import { getNewestQuery } from "@/components/billing/records/list-views";
import { PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { ClientMessages } from "@/components/shell/client-messages";
import { AccountSites } from "@/components/sites/sites/account-sites";
import { UserActions } from "@/components/tenancy/administration/user-actions";
import { UserPanel } from "@/components/tenancy/administration/user-panel";
import { UserTabs } from "@/components/tenancy/administration/user-tabs";
import { ViewAsButton } from "@/components/tenancy/view-as/view-as-button";
import { Ltr } from "@/components/ui/bidi";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { isAppError } from "@/server/core/errors";
import { CREDIT_PERIODS } from "@/server/domains/accounts/credits/contract";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { requireSignIn } from "../../../viewer";

/** Returns undefined for an unknown ID or a viewer who is not an administrator. */
const findUser = cache(async (id: string) => {
  const { api } = await getPanelCaller();
  try {
    return (await api.administration.getAccount({ params: { id } })).user;
  } catch (error) {
    const cause = (error as Error).cause;
    if (isAppError(cause) && (cause.status === 403 || cause.status === 404)) return undefined;
    throw error;
  }
});

export async function generateMetadata({ params }: PageProps<"/admin/users/[id]">): Promise<Metadata> {
  const t = await getTranslations("admin");
  await requireSignIn();
  return { title: (await findUser((await params).id))?.name ?? t("title") };
}

const loadView = createLoader(creditParsers);

export default async function UserPage({ params, searchParams }: PageProps<"/admin/users/[id]">) {
  const [t, { user: signedInUser }, { id }, { api }, view, seriesView, parameters] = await Promise.all([
    getTranslations("admin"),
    requireSignIn(),
    params,
    getPanelCaller(),
    loadView(searchParams),
    readSeriesView(searchParams, CREDIT_PERIODS),
    searchParams,
  ]);
  const user = await findUser(id);
  if (!user) notFound();
  const query = getNewestQuery(user.id);
  const { q: _, ...input } = toListInput(view);
  const [sites, subscriptions, licences, payments, credits, { data: creditSeries }] = await Promise.all([
    api.sites.list({ query }),
    api.records.listSubscriptions({ query }),
    api.records.listLicences({ query }),
    api.records.listPayments({ query }),
    api.credits.listOf({ params: { id }, query: input }),
    api.credits.seriesOf({ params: { id }, query: seriesView.query }),
  ]);
  const canHavePlans = !user.is_agent_only && user.role !== "admin" && !user.anonymised_at;
  const currentSubscriptions = subscriptions.data.filter(
    ({ status }) => status === "active" || status === "past_due",
  );
  return (
    <ClientMessages
      namespaces={[
        "admin",
        "billing",
        "billingAdmin",
        "billingState",
        "sites",
        "connections",
        "viewAs",
        "identity",
        "auth",
      ]}
    >
      <PageHeader
        title={<bdi>{user.name}</bdi>}
        description={<Ltr>{user.email}</Ltr>}
        actions={
          <>
            {user.anonymised_at || user.role === "admin" ? null : (
              <ViewAsButton target={user} permittedUntil={user.support_access_until} />
            )}
            {canHavePlans ? (
              <LinkButton href={getActivationPath({ user: user.id })}>{t("user.activate")}</LinkButton>
            ) : null}
            <UserActions user={user} viewerId={signedInUser.id} />
          </>
        }
      />
      <UserTabs
        content={{
          account: <UserPanel user={user} viewerId={signedInUser.id} />,
          sites: <AccountSites userId={user.id} initialList={sites} />,
          subscriptions: <AccountSubscriptions userId={user.id} initial={subscriptions} />,
          licences: <AccountLicences userId={user.id} initial={licences} />,
          payments: <AccountPayments userId={user.id} initial={payments} />,
          credits: (
            <div className="flex flex-col gap-6">
              {user.is_agent_only || user.anonymised_at ? null : (
                <AdjustCredits
                  userId={user.id}
                  subscriptions={currentSubscriptions.map((each) => ({
                    id: each.id,
                    plan: each.plan,
                    credits: each.monthly_credits,
                  }))}
                />
              )}
              <PageCharts
                path={`/admin/users/${user.id}`}
                searchParams={{ ...parameters, tab: "credits" }}
                view={seriesView}
                periods={CREDIT_PERIODS}
                series={[creditSeries]}
                hasMargin={false}
              >
                <BalanceChart series={creditSeries} />
                {hasCreditUse(creditSeries) ? <CreditUseChart series={creditSeries} /> : null}
              </PageCharts>
              <UserCreditsTable
                firstPage={{ input: { ...input, q: null }, data: credits }}
                balance={user.credits}
              />
            </div>
          ),
        }}
      />
    </ClientMessages>
  );
}
