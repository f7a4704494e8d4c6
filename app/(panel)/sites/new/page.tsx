import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { PlanOffer } from "@/components/billing/subscriptions/plan-offer";
import { isTrialOffered } from "@/components/billing/subscriptions/trial-state";
import { ClientMessages } from "@/components/shell/client-messages";
import { NewSite } from "@/components/sites/sites/new-site";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { isAppError } from "@/server/core/errors";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { getSupportContact } from "../../../brand";
import { metadataWithTitle } from "../../../page-title";
import { OwnerOnlyNotice } from "../../owner-only";
import { renderAgreementGate } from "../../reseller/agreement-gate";
import { findOwner } from "../../team-owner";
import { VerifyAddress } from "../../verify-address";
import { requireSignIn } from "../../viewer";

export const generateMetadata = metadataWithTitle("sites.new.title");

/** `?customer_id=`: a reseller creates the site for this customer. */
export default async function NewSitePage({ searchParams }: PageProps<"/sites/new">) {
  const [t, { user, viewer, isImpersonation }, { api }, query] = await Promise.all([
    getTranslations("sites"),
    requireSignIn(),
    getPanelCaller(),
    searchParams,
  ]);
  if (viewer === "agent") {
    return (
      <OwnerOnlyNotice
        title={t("agent.title")}
        action={<LinkButton href="/sites">{t("agent.back")}</LinkButton>}
      >
        {t("agent.text")}
      </OwnerOnlyNotice>
    );
  }
  const customer = viewer === "reseller" ? await findCustomer(query.customer_id) : undefined;
  const forecast = await api.sites.getForecast(customer && { query: { customer_id: String(customer.id) } });
  const gate = forecast.mode === "pay_per_site" ? await renderAgreementGate() : undefined;
  if (gate) {
    return (
      <>
        <PageHeader title={t("new.title")} />
        {gate}
      </>
    );
  }
  const isUpgrade = forecast.mode === "upgrade";
  const plans = isUpgrade ? await api.subscriptions.list() : undefined;
  const canStartTrial = isUpgrade && !customer && !isImpersonation && viewer !== "admin";
  const trial = canStartTrial ? (await api.trials.get()).trial : undefined;
  return (
    <ClientMessages namespaces={["sites", "widget", "billing"]}>
      <NewSite
        forecast={forecast}
        customer={customer}
        isTrialOffered={isTrialOffered(trial)}
        planOffer={
          <PlanOffer
            initial={plans}
            email={(await getSupportContact()).email}
            hasReseller={user.reseller_id !== null}
            trial={trial}
            verifyForm={trial?.refusal === "unverified" ? <VerifyAddress email={user.email} /> : null}
            owner={await findOwner(user)}
          />
        }
      />
    </ClientMessages>
  );
}

async function findCustomer(customerId: string | string[] | undefined) {
  if (typeof customerId !== "string") return undefined;
  const { api } = await getPanelCaller();
  const { customer } = await api.customers.get({ params: { id: customerId } }).catch((error: unknown) => {
    const cause = (error as Error).cause;
    if (isAppError(cause) && (cause.status === 403 || cause.status === 404)) notFound();
    throw error;
  });
  return { id: customer.id, name: customer.name };
}
