import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { EnvironmentCard } from "@/components/platform/settings/environment-card";
import {
  AgreementCard,
  BankCard,
  ConsumerCard,
  ReferralCard,
  ResetsCard,
  RetentionCard,
  SignUpsCard,
  SupportCard,
  VatCard,
} from "@/components/platform/settings/settings-cards";
import { TwoFactorCard } from "@/components/platform/settings/two-factor-card";
import { ClientMessages } from "@/components/shell/client-messages";
import { PageHeader } from "@/components/ui/page-header";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";

export const generateMetadata = metadataWithTitle("platformSettings.title");

export default async function SettingsPage() {
  const [t, { viewer }, { api }] = await Promise.all([
    getTranslations("platformSettings"),
    requireSignIn(),
    getPanelCaller(),
  ]);
  if (viewer !== "admin") notFound();
  const [{ settings }, { variables }] = await Promise.all([api.settings.list(), api.health.environment()]);
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["platformSettings", "factorDuty", "identity", "auth"]}>
        <div className="flex max-w-form flex-col gap-6">
          <BankCard settings={settings} />
          <VatCard settings={settings} />
          <ReferralCard settings={settings} />
          <AgreementCard settings={settings} />
          <ConsumerCard settings={settings} />
          <SignUpsCard settings={settings} />
          <SupportCard settings={settings} />
          <TwoFactorCard settings={settings} />
          <ResetsCard settings={settings} />
          <RetentionCard settings={settings} />
          <EnvironmentCard variables={variables} />
        </div>
      </ClientMessages>
    </>
  );
}
