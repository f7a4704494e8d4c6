import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import type { SearchParams } from "nuqs/server";
import { PeriodPicker } from "@/components/charts/period-picker";
import { readSeriesView } from "@/components/charts/series-view";
import { ClientMessages } from "@/components/shell/client-messages";
import { EarningsChart, hasEarnings } from "@/components/tenancy/referral/earnings-chart";
import { ReferralPanel } from "@/components/tenancy/referral/referral-panel";
import { FormAlert } from "@/components/ui/form-alert";
import { PageHeader } from "@/components/ui/page-header";
import { readSignUpMode } from "@/server/domains/access/registration/service/sign-up-mode";
import { EARNING_PERIODS } from "@/server/domains/tenancy/referral/contract";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";
import { renderAgreementGate } from "../agreement-gate";

export const generateMetadata = metadataWithTitle("referral.title");

export default async function ReferralPage({ searchParams }: PageProps<"/reseller/referral">) {
  const [t, { viewer }, { mode }, parameters] = await Promise.all([
    getTranslations("referral"),
    requireSignIn(),
    readSignUpMode(null),
    searchParams,
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
          <Earnings parameters={parameters} />
        </ClientMessages>
      )}
    </>
  );
}

async function Earnings({ parameters }: { parameters: SearchParams }) {
  const [{ api }, view] = await Promise.all([
    getPanelCaller(),
    readSeriesView(Promise.resolve(parameters), EARNING_PERIODS),
  ]);
  const [initialData, { data: series }] = await Promise.all([
    api.referral.get(),
    api.referral.series({ query: view.query }),
  ]);
  // A chosen period may be empty; the page stays as it is, so that another one can be chosen.
  const isShown = hasEarnings(series) || initialData.referral.earnings.length > 0;
  return (
    <>
      {isShown ? (
        <div className="mb-6 flex max-w-3xl flex-col gap-3">
          <PeriodPicker
            path="/reseller/referral"
            searchParams={parameters}
            view={view}
            periods={EARNING_PERIODS}
          />
          <EarningsChart series={series} />
        </div>
      ) : null}
      <ReferralPanel initialData={initialData} />
    </>
  );
}
