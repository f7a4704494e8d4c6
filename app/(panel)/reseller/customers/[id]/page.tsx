import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { ClientMessages } from "@/components/shell/client-messages";
import {
  CustomerBillingCard,
  CustomerConnectionsCard,
  CustomerFactsCard,
  CustomerGatesCard,
  CustomerSitesCard,
} from "@/components/tenancy/customers/customer-cards";
import { CustomerTabs } from "@/components/tenancy/customers/customer-tabs";
import { CustomerNotesCard } from "@/components/tenancy/customers/notes-card";
import { CustomerStatusCard } from "@/components/tenancy/customers/status-card";
import { ViewAsButton } from "@/components/tenancy/view-as/view-as-button";
import { PageHeader } from "@/components/ui/page-header";
import { WithAside } from "@/components/ui/with-aside";
import { isAppError } from "@/server/core/errors";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { requireSignIn } from "../../../viewer";
import { renderAgreementGate } from "../../agreement-gate";

/** Returns undefined for another reseller's customer, or before the agreement is signed. */
const findCustomer = cache(async (id: string) => {
  const { api } = await getPanelCaller();
  try {
    return (await api.customers.get({ params: { id } })).customer;
  } catch (error) {
    const cause = (error as Error).cause;
    if (isAppError(cause) && (cause.status === 403 || cause.status === 404)) return undefined;
    throw error;
  }
});

export async function generateMetadata({ params }: PageProps<"/reseller/customers/[id]">): Promise<Metadata> {
  const t = await getTranslations("customers");
  await requireSignIn();
  return { title: (await findCustomer((await params).id))?.name ?? t("title") };
}

/** For resellers. Shows 404 for another reseller's customer. */
export default async function CustomerPage({ params }: PageProps<"/reseller/customers/[id]">) {
  const [t, { viewer }, { api }, { id }] = await Promise.all([
    getTranslations("customers"),
    requireSignIn(),
    getPanelCaller(),
    params,
  ]);
  if (viewer !== "reseller") notFound();
  const gate = await renderAgreementGate();
  if (gate)
    return (
      <>
        <PageHeader title={t("title")} description={t("text")} />
        {gate}
      </>
    );
  const customer = await findCustomer(id);
  if (!customer) notFound();
  const notes = await api.customers.listNotes({ params: { id } });
  const facts = <CustomerFactsCard customer={customer} />;
  return (
    <ClientMessages
      namespaces={["customers", "billingState", "connections", "sites", "viewAs", "identity", "auth"]}
    >
      <PageHeader
        title={<bdi>{customer.name}</bdi>}
        actions={<ViewAsButton target={customer} permittedUntil={customer.support_access_until} />}
      />
      <CustomerTabs
        content={{
          overview: (
            <WithAside aside={<CustomerStatusCard key={String(customer.is_active)} customer={customer} />}>
              {facts}
              <CustomerGatesCard gates={customer.gates} />
            </WithAside>
          ),
          sites: (
            <WithAside aside={facts}>
              <CustomerSitesCard customer={customer} />
            </WithAside>
          ),
          billing: (
            <WithAside aside={facts}>
              <CustomerBillingCard customer={customer} />
            </WithAside>
          ),
          connections: (
            <WithAside aside={facts}>
              <CustomerConnectionsCard customer={customer} />
            </WithAside>
          ),
          notes: (
            <WithAside aside={facts}>
              <CustomerNotesCard customerId={customer.id} initialNotes={notes} />
            </WithAside>
          ),
        }}
      />
    </ClientMessages>
  );
}
