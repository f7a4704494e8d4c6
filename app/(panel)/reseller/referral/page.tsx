import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ClientMessages } from "@/components/shell/client-messages";
import { ReferralPanel } from "@/components/tenancy/referral/referral-panel";
import { FormAlert } from "@/components/ui/form-alert";
import { PageHeader } from "@/components/ui/page-header";
import { readSignUpMode } from "@/server/domains/access/registration/service/sign-up-mode";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";
import { renderAgreementGate } from "../agreement-gate";

export const generateMetadata = metadataWithTitle("referral.title");

export default async function ReferralPage() {
  const [t, { viewer }, { api }, { mode }] = await Promise.all([
    getTranslations("referral"),
    requireSignIn(),
    getPanelCaller(),
    readSignUpMode(null),
  ]);
  if (viewer !== "reseller") notFound();
  const gate = await renderAgreementGate();
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      {gate ?? (
        <ClientMessages namespaces={["referral"]}>
          {mode === "closed" ? (
            <div className="mb-6 max-w-3xl">
              <FormAlert tone="info">{t("closed")}</FormAlert>
            </div>
          ) : null}
          <ReferralPanel initialData={await api.referral.get()} />
        </ClientMessages>
      )}
    </>
  );
}
