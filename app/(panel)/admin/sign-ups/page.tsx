import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { RefusedSignUps } from "@/components/access/registration/refused-sign-ups";
import { SignUpsChart } from "@/components/access/registration/sign-ups-chart";
import { PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { ClientMessages } from "@/components/shell/client-messages";
import { PageHeader } from "@/components/ui/page-header";
import { SIGN_UP_PERIODS } from "@/server/domains/access/registration/contract";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";

export const generateMetadata = metadataWithTitle("signUpRefusals.title");

export default async function SignUpsPage({ searchParams }: PageProps<"/admin/sign-ups">) {
  const [t, { viewer }, { api }, view, parameters] = await Promise.all([
    getTranslations("signUpRefusals"),
    requireSignIn(),
    getPanelCaller(),
    readSeriesView(searchParams, SIGN_UP_PERIODS),
    searchParams,
  ]);
  if (viewer !== "admin") notFound();
  const [initial, settings, { data: series }] = await Promise.all([
    api.registration.listRefusals(),
    api.settings.list(),
    api.registration.series({ query: view.query }),
  ]);
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <PageCharts
        path="/admin/sign-ups"
        searchParams={parameters}
        view={view}
        periods={SIGN_UP_PERIODS}
        series={[series]}
      >
        <SignUpsChart series={series} />
      </PageCharts>
      <ClientMessages namespaces={["signUpRefusals", "identity", "auth"]}>
        <RefusedSignUps initial={initial} settings={settings} />
      </ClientMessages>
    </>
  );
}
