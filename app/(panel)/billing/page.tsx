import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { CreditsTable } from "@/components/accounts/credits/credits-table";
import { creditParsers } from "@/components/accounts/credits/list-view";
import { listInput } from "@/components/api/list-address";
import { ProfileTab } from "@/components/billing/billing-profile/profile-tab";
import { BillingTabs } from "@/components/billing/subscriptions/billing-tabs";
import { DocumentsTable } from "@/components/billing/subscriptions/documents-table";
import { LicencesTable } from "@/components/billing/subscriptions/licences-table";
import { PlanPanel } from "@/components/billing/subscriptions/plan-panel";
import { ClientMessages } from "@/components/shell/client-messages";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { panel } from "@/server/transports/trpc/caller";
import { supportOfPage } from "../../brand";
import { pageTitle } from "../../page-title";
import { OwnerOnly } from "../owner-only";
import { signedIn } from "../viewer";

export const generateMetadata = pageTitle("billing.title");

/** The rest is on a separate page. */
const LICENCES_SHOWN = 20;

const viewOf = createLoader(creditParsers);

export default async function BillingPage({ searchParams }: PageProps<"/billing">) {
  const [t, { user, viewer, isVisit }, { api }, view] = await Promise.all([
    getTranslations("billing"),
    signedIn(),
    panel(),
    viewOf(searchParams),
  ]);
  if (viewer === "agent") {
    return (
      <OwnerOnly
        title={t("forbidden.title")}
        action={<LinkButton href="/dashboard">{t("forbidden.back")}</LinkButton>}
      >
        {t("forbidden.text")}
      </OwnerOnly>
    );
  }
  const { q: _, ...input } = listInput(view);
  const [billing, plans, credits, addressee] = await Promise.all([
    api.subscriptions.overview(),
    api.subscriptions.list(),
    api.credits.list({ query: input }),
    // Billing details are not available during impersonation.
    isVisit ? undefined : api.billingProfile.get(),
  ]);
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["billing", "sites"]}>
        <BillingTabs
          content={{
            plan: (
              <PlanPanel
                billing={billing}
                plans={plans.data}
                email={(await supportOfPage()).email}
                viaReseller={user.reseller_id !== null}
              />
            ),
            licences:
              viewer === "reseller" || billing.licences.length > 0 ? (
                <Card
                  flush
                  title={t("licences.title")}
                  description={t("licences.text")}
                  actions={
                    billing.licences_count > LICENCES_SHOWN ? (
                      <LinkButton href="/reseller/licences" size="sm">
                        {t("licences.all", { count: billing.licences_count })}
                      </LinkButton>
                    ) : null
                  }
                >
                  <LicencesTable licences={billing.licences.slice(0, LICENCES_SHOWN)} bank={billing.bank} />
                </Card>
              ) : undefined,
            documents: (
              <Card flush title={t("documents.title")} description={t("documents.text")}>
                <DocumentsTable documents={billing.documents} />
              </Card>
            ),
            credits: (
              <CreditsTable
                first={{ input: { ...input, q: null }, data: credits }}
                balance={credits.credits}
              />
            ),
            profile: addressee ? (
              <div className="max-w-form">
                <ProfileTab profile={addressee.profile} />
              </div>
            ) : undefined,
          }}
        />
      </ClientMessages>
    </>
  );
}
