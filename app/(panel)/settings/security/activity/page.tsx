import { ScrollText } from "lucide-react";
import type { Route } from "next";
import { getTranslations } from "next-intl/server";
import { SignInsChart } from "@/components/access/tokens/sign-ins-chart";
import { PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { SettingsTabs } from "@/components/shell/settings-tabs";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { Crumb } from "@/components/ui/crumbs";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import { parseUserAgent } from "@/server/core/device";
import { SIGN_IN_PERIODS } from "@/server/domains/access/tokens/contract";
import type { listActivity } from "@/server/domains/accounts/audit/contract";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../../page-title";
import { requireSignIn } from "../../../viewer";

type ActivityEntry = Output<typeof listActivity>["data"][number];

export const generateMetadata = metadataWithTitle("activity.title");

export default async function ActivityPage({ searchParams }: PageProps<"/settings/security/activity">) {
  const [parameters, view] = await Promise.all([searchParams, readSeriesView(searchParams, SIGN_IN_PERIODS)]);
  const { before } = parameters;
  const beforeId = typeof before === "string" && /^[1-9]\d{0,14}$/.test(before) ? before : undefined;
  const [t, { viewer, isImpersonation }, { api }] = await Promise.all([
    getTranslations("activity"),
    requireSignIn(),
    getPanelCaller(),
  ]);
  const [{ data, next }, series] = await Promise.all([
    api.audit.activity({ query: { before: beforeId } }),
    // Sign-ins are private to the account.
    isImpersonation ? null : api.tokens.signInSeries({ query: view.query }).then((result) => result.data),
  ]);
  return (
    <>
      <Crumb>{t("title")}</Crumb>
      <PageHeader title={t("title")} description={t("text")} />
      <SettingsTabs current="security" viewer={viewer} />
      <div className="max-w-3xl">
        {series ? (
          <PageCharts
            path="/settings/security/activity"
            searchParams={parameters}
            view={view}
            periods={SIGN_IN_PERIODS}
            series={[series]}
          >
            <SignInsChart series={series} />
          </PageCharts>
        ) : null}
        <Card>
          {data.length === 0 ? (
            <EmptyState icon={<ScrollText />} title={t("empty")}>
              {t("emptyText")}
            </EmptyState>
          ) : (
            <ul className="divide-y divide-border">
              {data.map((entry) => (
                <ActivityRow key={entry.id} entry={entry} />
              ))}
            </ul>
          )}
        </Card>
        <nav aria-label={t("title")} className="mt-4 flex flex-wrap gap-2">
          <LinkButton size="sm" href="/settings/security">
            {t("back")}
          </LinkButton>
          {beforeId ? (
            <LinkButton size="sm" href={"/settings/security/activity" as Route}>
              {t("newest")}
            </LinkButton>
          ) : null}
          {next ? (
            <LinkButton size="sm" href={`/settings/security/activity?before=${next}` as Route}>
              {t("older")}
            </LinkButton>
          ) : null}
        </nav>
      </div>
    </>
  );
}

async function ActivityRow({
  entry: { summary, by, at, ip, user_agent, before, after },
}: {
  entry: ActivityEntry;
}) {
  const t = await getTranslations("activity");
  const device = user_agent ? parseUserAgent(user_agent) : null;
  const deviceName = [device?.browser, device?.system].filter(Boolean).join(" · ");
  return (
    <li className="flex flex-col gap-0.5 py-3 first:pt-0 last:pb-0">
      <p className="font-medium text-sm">{summary}</p>
      {Object.keys(after ?? {}).map((name) => (
        <p key={name} className="wrap-anywhere text-compact text-fg-muted">
          <bdi>{formatValue(before?.[name])}</bdi> {ARROW} <bdi>{formatValue(after?.[name])}</bdi>
        </p>
      ))}
      <p className="flex flex-wrap gap-x-3 text-fg-muted text-sm">
        <Time value={at} />
        {by === "you" ? null : <span>{t(`by.${by}`)}</span>}
        {ip ? <Ltr>{ip}</Ltr> : null}
        {deviceName ? <bdi>{deviceName}</bdi> : null}
      </p>
    </li>
  );
}

const ARROW = (
  <span aria-hidden className="inline-block rtl:-scale-x-100">
    {"→"}
  </span>
);

const formatValue = (value: unknown) =>
  value === null || value === undefined || value === "" ? "–" : String(value);
