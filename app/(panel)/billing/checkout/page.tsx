import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { CheckoutSummary } from "@/components/billing/subscriptions/checkout-summary";
import { OrderPlan } from "@/components/billing/subscriptions/order-plan";
import { PLANS_HREF } from "@/components/billing/subscriptions/paths";
import { ClientMessages } from "@/components/shell/client-messages";
import { PageHeader } from "@/components/ui/page-header";
import { WithAside } from "@/components/ui/with-aside";
import { isAppError } from "@/server/core/errors";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";
import { requireBillingOwner } from "../require-billing-owner";

export const generateMetadata = metadataWithTitle("billing.checkout.title");

/** `?plan=`: ID of the plan to order. */
export default async function CheckoutPage({ searchParams }: PageProps<"/billing/checkout">) {
  const [t, notice, { isImpersonation }, { api }, { plan }] = await Promise.all([
    getTranslations("billing.checkout"),
    requireBillingOwner(),
    requireSignIn(),
    getPanelCaller(),
    searchParams,
  ]);
  if (notice) return notice;
  const checkout = typeof plan === "string" ? await loadCheckout(plan) : undefined;
  if (!checkout) redirect(PLANS_HREF);
  // Billing details are not available during impersonation.
  const profile = isImpersonation ? null : (await api.billingProfile.get()).profile;
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["billing"]}>
        <WithAside asideFirst aside={<CheckoutSummary checkout={checkout} />}>
          <OrderPlan checkout={checkout} profile={profile} canOrder={!isImpersonation} />
        </WithAside>
      </ClientMessages>
    </>
  );
}

async function loadCheckout(planId: string) {
  const { api } = await getPanelCaller();
  try {
    return (await api.subscriptions.checkout({ query: { plan_id: planId } })).checkout;
  } catch (error) {
    const { cause } = error as Error;
    // The plan is no longer offered, or this is an administrator.
    if (isAppError(cause) && cause.status < 500) return undefined;
    throw error;
  }
}
