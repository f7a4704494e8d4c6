import { getTranslations } from "next-intl/server";
import { SignInsChart } from "@/components/access/tokens/sign-ins-chart";
import { PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { ClientMessages } from "@/components/shell/client-messages";
import { TeamPanel } from "@/components/tenancy/team/team-panel";
import { LinkButton } from "@/components/ui/link-button";
import { SIGN_IN_PERIODS } from "@/server/domains/access/tokens/contract";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../page-title";
import { OwnerOnlyNotice } from "../owner-only";
import { requireSignIn } from "../viewer";

export const generateMetadata = metadataWithTitle("team.title");

export default async function TeamPage({ searchParams }: PageProps<"/team">) {
  const [t, { user, viewer, isImpersonation }, { api }, view, parameters] = await Promise.all([
    getTranslations("team"),
    requireSignIn(),
    getPanelCaller(),
    readSeriesView(searchParams, SIGN_IN_PERIODS),
    searchParams,
  ]);
  if (viewer === "agent") {
    return (
      <OwnerOnlyNotice
        title={t("forbidden.title")}
        action={<LinkButton href="/dashboard">{t("forbidden.back")}</LinkButton>}
      >
        {t("forbidden.text")}
      </OwnerOnlyNotice>
    );
  }
  const [team, sites, series] = await Promise.all([
    api.team.list(),
    api.sites.list(),
    isImpersonation
      ? null
      : api.tokens.signInSeries({ query: { ...view.query, scope: "team" } }).then(({ data }) => data),
  ]);
  // A reseller also lists the sites of customers. Exclude those: customers have their own teams.
  const ownerIds = new Set([user.id, ...team.members.map(({ id }) => id)]);
  const assignable = {
    sites: sites.data
      .filter((site) => ownerIds.has(site.user_id))
      .map(({ id, name, domain }) => ({ id, name, domain })),
    canAddSubUsers: user.parent_user_id === null,
  };
  return (
    <ClientMessages namespaces={["team"]}>
      <TeamPanel
        initialTeam={team}
        assignable={assignable}
        chart={
          series ? (
            <PageCharts
              path="/team"
              searchParams={parameters}
              view={view}
              periods={SIGN_IN_PERIODS}
              series={[series]}
              hasMargin={false}
            >
              <SignInsChart series={series} isTeam />
            </PageCharts>
          ) : null
        }
      />
    </ClientMessages>
  );
}
