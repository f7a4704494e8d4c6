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
  TrialCard,
  VatCard,
} from "@/components/platform/settings/settings-cards";
import { TwoFactorCard } from "@/components/platform/settings/two-factor-card";
import { ClientMessages } from "@/components/shell/client-messages";
import { PageHeader } from "@/components/ui/page-header";
import { SectionNav } from "@/components/ui/section-nav";
import { WithAside } from "@/components/ui/with-aside";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";

export const generateMetadata = metadataWithTitle("platformSettings.title");

export default async function SettingsPage() {
  const [t, dutyTexts, { viewer }, { api }] = await Promise.all([
    getTranslations("platformSettings"),
    getTranslations("factorDuty.card"),
    requireSignIn(),
    getPanelCaller(),
  ]);
  if (viewer !== "admin") notFound();
  const [{ settings }, { variables }] = await Promise.all([api.settings.list(), api.health.environment()]);
  const sections = [
    { id: "bank", label: t("bank.title"), card: <BankCard settings={settings} /> },
    { id: "vat", label: t("vat.title"), card: <VatCard settings={settings} /> },
    { id: "trial", label: t("trial.title"), card: <TrialCard settings={settings} /> },
    { id: "referral", label: t("referral.title"), card: <ReferralCard settings={settings} /> },
    { id: "agreement", label: t("agreement.title"), card: <AgreementCard settings={settings} /> },
    { id: "consumer", label: t("consumer.title"), card: <ConsumerCard settings={settings} /> },
    { id: "sign-up", label: t("signUps.title"), card: <SignUpsCard settings={settings} /> },
    { id: "support", label: t("support.title"), card: <SupportCard settings={settings} /> },
    { id: "two-factor", label: dutyTexts("title"), card: <TwoFactorCard settings={settings} /> },
    { id: "resets", label: t("resets.title"), card: <ResetsCard settings={settings} /> },
    { id: "retention", label: t("retention.title"), card: <RetentionCard settings={settings} /> },
    { id: "environment", label: t("environment.title"), card: <EnvironmentCard variables={variables} /> },
  ];
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["platformSettings", "factorDuty", "identity", "auth"]}>
        <WithAside
          asideFirst
          aside={<SectionNav sections={sections.map(({ id, label }) => ({ id, label }))} />}
        >
          {sections.map(({ id, card }) => (
            <div key={id} id={id}>
              {card}
            </div>
          ))}
        </WithAside>
      </ClientMessages>
    </>
  );
}
