import { getTranslations } from "next-intl/server";
import { ActiveAccountsChart } from "@/components/access/tokens/active-accounts-chart";
import { PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { userListParsers } from "@/components/tenancy/administration/list-view";
import { UsersTable } from "@/components/tenancy/administration/users-table";
import { WaitingResets } from "@/components/tenancy/factor-resets/waiting-resets";
import { LinkButton } from "@/components/ui/link-button";
import { ACTIVE_ACCOUNT_PERIODS } from "@/server/domains/access/tokens/contract";
import { metadataWithTitle } from "../../../../page-title";
import { createListPage } from "../../../list-page";

export const generateMetadata = metadataWithTitle("admin.title");

export default createListPage({
  heading: { title: "admin.title", text: "admin.text" },
  actions: <UserListActions />,
  requiredViewer: "admin",
  parsers: userListParsers,
  messages: ["admin", "billingAdmin", "identity", "auth", "savedViews"],
  renderContent: async ({ api, input, user, searchParams }) => {
    const view = await readSeriesView(searchParams, ACTIVE_ACCOUNT_PERIODS);
    const [{ resets }, data, { data: series }] = await Promise.all([
      api.factorResets.list({ query: {} }),
      api.administration.listUsers({ query: input }),
      api.tokens.activeSeries({ query: view.query }),
    ]);
    return (
      <>
        {resets.length > 0 ? (
          <div className="mb-6">
            <WaitingResets resets={resets} />
          </div>
        ) : null}
        <PageCharts
          path="/admin/users"
          searchParams={searchParams}
          view={view}
          periods={ACTIVE_ACCOUNT_PERIODS}
          series={[series]}
        >
          <ActiveAccountsChart series={series} />
        </PageCharts>
        <UsersTable firstPage={{ input, data }} viewerId={user.id} />
      </>
    );
  },
});

async function UserListActions() {
  const t = await getTranslations();
  return (
    <>
      <LinkButton href="/admin/sign-ups">{t("signUpRefusals.link")}</LinkButton>
      <LinkButton href="/admin/gates">{t("admin.explain.link")}</LinkButton>
    </>
  );
}
