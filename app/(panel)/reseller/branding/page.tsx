import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { PortalCard } from "@/components/accounts/portals/portal-card";
import { ClientMessages } from "@/components/shell/client-messages";
import { BrandCard } from "@/components/tenancy/brands/brand-card";
import { PageHeader } from "@/components/ui/page-header";
import { WithAside } from "@/components/ui/with-aside";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";
import { renderAgreementGate } from "../agreement-gate";

export const generateMetadata = metadataWithTitle("branding.title");

export default async function BrandingPage() {
  const [t, { viewer }] = await Promise.all([getTranslations("branding"), requireSignIn()]);
  if (viewer !== "reseller") notFound();
  const gate = await renderAgreementGate();
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      {gate ?? <BrandingCards />}
    </>
  );
}

async function BrandingCards() {
  const { api } = await getPanelCaller();
  const [brand, portal] = [await api.brands.get(), await api.portals.get()];
  return (
    <ClientMessages namespaces={["branding", "portal", "identity", "auth"]}>
      <div className="flex flex-col gap-6">
        <BrandCard initialData={brand} />
        <div id="portal" className="scroll-mt-24">
          <WithAside>
            <PortalCard initial={portal} />
          </WithAside>
        </div>
      </div>
    </ClientMessages>
  );
}
