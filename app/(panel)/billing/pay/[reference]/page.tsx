import { ReceiptText } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { PLANS_HREF } from "@/components/billing/subscriptions/paths";
import { findPayable } from "@/components/billing/subscriptions/payable";
import { PaymentInstructions } from "@/components/billing/subscriptions/payment-instructions";
import { ClientMessages } from "@/components/shell/client-messages";
import { Ltr } from "@/components/ui/bidi";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { WithAside } from "@/components/ui/with-aside";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { getSupportContact } from "../../../../brand";
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
  if (!payable) {
    const ended = billing.subscriptions.find(
      (each) => each.reference === reference && each.status === "expired",
    );
    const { email } = await getSupportContact();
    const texts = { plan: () => <bdi>{ended?.plan}</bdi>, mail: () => <Ltr>{email}</Ltr> };
    return (
      <EmptyState
        heading="h1"
        icon={<ReceiptText />}
        title={t.rich(ended ? "ended" : "closed", texts)}
        action={
          <>
            {ended ? (
              <LinkButton variant="primary" href={PLANS_HREF}>
                {t("choose")}
              </LinkButton>
            ) : null}
            <LinkButton href="/billing">{t("back")}</LinkButton>
          </>
        }
      >
        {t.rich(ended ? "endedText" : "closedText", texts)}
      </EmptyState>
    );
  }
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
