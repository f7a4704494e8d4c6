"use client";

import { useTranslations } from "next-intl";
import { RecentUse } from "@/components/accounts/key-use/recent-use";
import { api } from "@/components/api/client";
import { ReplacedKeys } from "@/components/sites/external-keys/replaced-keys";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { KeyValue } from "@/components/ui/key-value";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import { RenewExternalKey } from "./renew-external-key";
import type { SiteKeys } from "./types";

type ExternalKey = NonNullable<SiteKeys["external_key"]>;

export function ExternalKeyCard({
  siteId,
  siteName,
  initialKeys,
  origin,
}: {
  siteId: number;
  siteName: string;
  initialKeys: SiteKeys;
  origin: string;
}) {
  const t = useTranslations("sites.externalKey");
  const params = { id: String(siteId) };
  const { data } = api.externalKeys.get.useQuery({ params }, { initialData: initialKeys });
  const currentKey = data.external_key;
  return (
    <Card
      title={t("title")}
      description={t("text")}
      actions={<RenewExternalKey siteId={siteId} replacesKey={currentKey !== null} origin={origin} />}
    >
      {currentKey ? (
        <div className="flex flex-col gap-6 [&>*+*]:border-border [&>*+*]:border-t [&>*+*]:pt-6">
          {data.previous_keys.length > 0 ? <ReplacedKeys siteId={siteId} siteName={siteName} /> : null}
          <KeyFacts apiKey={currentKey} />
          {data.previous_keys.map((key) => (
            <KeyFacts key={`${key.last_four}${key.created_at}`} apiKey={key} />
          ))}
        </div>
      ) : (
        <p className="text-fg-muted text-sm">{t("none")}</p>
      )}
    </Card>
  );
}

function KeyFacts({
  apiKey: { last_four, created_at, last_used_at, last_used_ip, valid_until, ...recentUse },
}: {
  apiKey: ExternalKey;
}) {
  const t = useTranslations("sites.externalKey");
  const tUsage = useTranslations("keyUse");
  return (
    <KeyValue
      items={[
        {
          key: "key",
          label: t("key"),
          value: (
            <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1">
              <Ltr mono>{`dse_****${last_four}`}</Ltr>
              <StatusChip tone={valid_until ? "warning" : "success"}>
                {t(valid_until ? "ending" : "current")}
              </StatusChip>
            </span>
          ),
        },
        ...(valid_until
          ? [{ key: "until", label: t("until"), value: <Time value={valid_until} show="dateTime" /> }]
          : []),
        { key: "created", label: t("created"), value: <Time value={created_at} show="date" /> },
        {
          key: "used",
          label: t("used"),
          value: last_used_at ? (
            <span className="inline-flex flex-wrap gap-x-3">
              <Time value={last_used_at} />
              {last_used_ip ? <Ltr>{last_used_ip}</Ltr> : null}
            </span>
          ) : (
            t("unused")
          ),
        },
        { key: "calls", label: tUsage("column"), value: <RecentUse {...recentUse} /> },
      ]}
    />
  );
}
