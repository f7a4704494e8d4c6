import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import type { SearchParams } from "nuqs/server";
import { PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { ClientMessages } from "@/components/shell/client-messages";
import { EarningsChart } from "@/components/tenancy/referral/earnings-chart";
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
  const [{ api }, view] = await Promise.all([getPanelCaller(), readSeriesView(parameters, EARNING_PERIODS)]);
  const [initialData, { data: series }] = await Promise.all([
    api.referral.get(),
    api.referral.series({ query: view.query }),
  ]);
  return (
    <>
      <PageCharts
        path="/reseller/referral"
        searchParams={parameters}
        view={view}
        periods={EARNING_PERIODS}
        series={[series]}
      >
        <EarningsChart series={series} />
      </PageCharts>
      <ReferralPanel initialData={initialData} />
    </>
  );
}
