"use client";

import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { useErrorText } from "@/components/api/form-error";
import { ConnectionItems } from "@/components/sites/connections/connection-items";
import { Ltr } from "@/components/ui/bidi";
import { CopyButton } from "@/components/ui/copy-button";
import { Domain } from "@/components/ui/domain";
import { ErrorState } from "@/components/ui/error-state";
import { KeyValue } from "@/components/ui/key-value";
import { SkeletonRows } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import { SeenText, SiteBillingText, SiteStateChip, SuspendedSince, SuspendedText } from "./site-facts";
import type { Site } from "./types";

export function SitePeek({ site, ownerName }: { site: Site; ownerName?: string }) {
  const t = useTranslations("sites");
  return (
    <div className="flex flex-col gap-6">
      {site.suspended_reason ? (
        <p className="flex flex-col gap-1 text-sm">
          <SuspendedText reason={site.suspended_reason} />
          <SuspendedSince site={site} />
        </p>
      ) : null}
      <KeyValue
        items={[
          { key: "state", label: t("column.state"), value: <SiteStateChip site={site} /> },
          {
            key: "domain",
            label: t("column.domain"),
            value: <Domain name={site.domain} />,
            action: <CopyButton compact text={site.domain} />,
          },
          ...(ownerName ? [{ key: "owner", label: t("column.owner"), value: <bdi>{ownerName}</bdi> }] : []),
          {
            key: "billing",
            label: t("column.billing"),
            value: <SiteBillingText billing={site.billing} />,
          },
          { key: "seen", label: t("seen.label"), value: <SeenText site={site} /> },
          { key: "ai", label: t("column.ai"), value: t(site.ai_enabled ? "ai.on" : "ai.off") },
          { key: "created", label: t("column.created"), value: <Time value={site.created_at} show="date" /> },
          {
            key: "id",
            label: t("detail.id"),
            value: <Ltr mono>{site.id}</Ltr>,
            action: <CopyButton compact text={String(site.id)} />,
          },
        ]}
      />
      <SiteChannels siteId={site.id} />
    </div>
  );
}

function SiteChannels({ siteId }: { siteId: number }) {
  const t = useTranslations("connections.ofSite");
  const errorText = useErrorText();
  const { data, error, refetch } = api.connections.list.useQuery({
    query: { site: String(siteId), per_page: "100" },
  });
  return (
    <section aria-labelledby="peek-channels" className="flex flex-col gap-3">
      <h3 id="peek-channels" className="font-semibold text-sm">
        {t("title")}
      </h3>
      {data ? (
        <ConnectionItems connections={data.connections} emptyText={t("none")} />
      ) : error ? (
        <ErrorState onRetry={() => void refetch()}>{errorText(error)}</ErrorState>
      ) : (
        <SkeletonRows rowCount={2} />
      )}
    </section>
  );
}
