import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { BalanceChart, CreditUseChart, hasCreditUse } from "@/components/accounts/credits/credit-charts";
import { CreditsTable } from "@/components/accounts/credits/credits-table";
import { creditParsers } from "@/components/accounts/credits/list-view";
import { toListInput } from "@/components/api/list-parsers";
import { ProfileTab } from "@/components/billing/billing-profile/profile-tab";
import { BillingTabs } from "@/components/billing/subscriptions/billing-tabs";
import { DocumentsTable } from "@/components/billing/subscriptions/documents-table";
import { BilledLicencesTable } from "@/components/billing/subscriptions/licences-table";
import { MissingDetailsAlert } from "@/components/billing/subscriptions/missing-details-alert";
import { PlanPanel } from "@/components/billing/subscriptions/plan-panel";
import { PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { ClientMessages } from "@/components/shell/client-messages";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { CREDIT_PERIODS } from "@/server/domains/accounts/credits/contract";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { getSupportContact } from "../../brand";
import { metadataWithTitle } from "../../page-title";
import { findOwner } from "../team-owner";
import { VerifyAddress } from "../verify-address";
import { requireSignIn } from "../viewer";
import { requireBillingOwner } from "./require-billing-owner";

export const generateMetadata = metadataWithTitle("billing.title");

/** Longer lists are on /reseller/licences. */
const MAX_LICENCES_SHOWN = 20;

const loadView = createLoader(creditParsers);

export default async function BillingPage({ searchParams }: PageProps<"/billing">) {
  const [t, notice, { user, viewer, isImpersonation }, { api }, view, seriesView, parameters] =
    await Promise.all([
      getTranslations("billing"),
      requireBillingOwner(),
      requireSignIn(),
      getPanelCaller(),
      loadView(searchParams),
      readSeriesView(searchParams, CREDIT_PERIODS),
      searchParams,
    ]);
  if (notice) return notice;
  const { q: _, ...input } = toListInput(view);
  const [billing, trial, plans, credits, { data: creditSeries }, billingProfile] = await Promise.all([
    api.subscriptions.overview(),
    // Nothing can be ordered during impersonation.
    viewer === "admin" || isImpersonation ? null : api.trials.get().then((data) => data.trial),
    api.subscriptions.list(),
    api.credits.list({ query: input }),
    api.credits.series({ query: seriesView.query }),
    // Billing details are not available during impersonation.
    isImpersonation ? undefined : api.billingProfile.get(),
  ]);
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["billing", "billingState", "sites"]}>
        <BillingTabs
          content={{
            plan: (
              <PlanPanel
                billing={billing}
                plans={plans.data}
                email={(await getSupportContact()).email}
                hasReseller={user.reseller_id !== null}
                trial={trial}
                verifyForm={trial?.refusal === "unverified" ? <VerifyAddress email={user.email} /> : null}
                owner={await findOwner(user)}
              />
            ),
            licences:
              viewer === "reseller" || parameters.tab === "licences" || billing.licences.length > 0 ? (
                <Card
                  flush
                  title={t("licences.title")}
                  description={t("licences.text")}
                  actions={
                    billing.licences_count > MAX_LICENCES_SHOWN ? (
                      <LinkButton href="/reseller/licences" size="sm">
                        {t("licences.all", { count: billing.licences_count })}
                      </LinkButton>
                    ) : null
                  }
                >
                  <BilledLicencesTable
                    licences={billing.licences.slice(0, MAX_LICENCES_SHOWN)}
                    bank={billing.bank}
                  />
                </Card>
              ) : undefined,
            documents: (
              <Card flush title={t("documents.title")} description={t("documents.text")}>
                <DocumentsTable documents={billing.documents} />
              </Card>
            ),
            credits: (
              <div className="flex flex-col gap-6">
                <PageCharts
                  path="/billing"
                  searchParams={{ ...parameters, tab: "credits" }}
                  view={seriesView}
                  periods={CREDIT_PERIODS}
                  series={[creditSeries]}
                  hasMargin={false}
                >
                  <BalanceChart series={creditSeries} />
                  {hasCreditUse(creditSeries) ? <CreditUseChart series={creditSeries} /> : null}
                </PageCharts>
                <CreditsTable
                  firstPage={{ input: { ...input, q: null }, data: credits }}
                  balance={credits.credits}
                />
              </div>
            ),
            profile: billingProfile ? (
              <div className="flex max-w-form flex-col gap-6">
                <MissingDetailsAlert documents={billing.documents} />
                <ProfileTab
                  profile={billingProfile.profile}
                  missingFields={billing.documents.flatMap(({ missing }) => missing)}
                />
              </div>
            ) : undefined,
          }}
        />
      </ClientMessages>
    </>
  );
}
