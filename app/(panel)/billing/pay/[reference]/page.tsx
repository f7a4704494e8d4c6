import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { findPayable } from "@/components/billing/subscriptions/payable";
import { PaymentInstructions } from "@/components/billing/subscriptions/payment-instructions";
import { ClientMessages } from "@/components/shell/client-messages";
import { PageHeader } from "@/components/ui/page-header";
import { WithAside } from "@/components/ui/with-aside";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../../page-title";
import { requireBillingOwner } from "../../require-billing-owner";

export const generateMetadata = metadataWithTitle("billing.pay.title");

/** `?ordered`: the order has just been placed. */
export default async function PaymentPage({ params, searchParams }: PageProps<"/billing/pay/[reference]">) {
  const [t, notice, { api }, { reference }, { ordered }] = await Promise.all([
    getTranslations("billing.pay"),
    requireBillingOwner(),
    getPanelCaller(),
    params,
    searchParams,
  ]);
  if (notice) return notice;
  const billing = await api.subscriptions.overview();
  const payable = findPayable(billing, reference);
  // Paid, withdrawn or expired since the link was sent.
  if (!payable) redirect("/billing");
  return (
    <>
      <PageHeader title={t.rich(`heading.${payable.kind}`, { name: () => <bdi>{payable.name}</bdi> })} />
      <ClientMessages namespaces={["billing"]}>
        <WithAside>
          <PaymentInstructions
            payable={payable}
            bank={billing.bank}
            trial={billing.subscriptions.find((each) => each.is_trial && each.status !== "expired")}
            isNew={ordered !== undefined}
          />
        </WithAside>
      </ClientMessages>
    </>
  );
}
