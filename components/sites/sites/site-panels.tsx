import type { Route } from "next";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Domain } from "@/components/ui/domain";
import { FormAlert } from "@/components/ui/form-alert";
import { KeyValue } from "@/components/ui/key-value";
import { FormattedNumber } from "@/components/ui/number";
import { StatusChip } from "@/components/ui/status-chip";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { useFormat } from "@/components/ui/use-format";
import { ExternalKeyCard } from "./external-key-card";
import { getThresholdLevel, SeenText, SiteBillingText } from "./site-facts";
import type { SiteDetail, SiteKeys } from "./types";
import { WidgetPreview } from "./widget-preview";

export function OverviewPanel({ site, ownerElement }: { site: SiteDetail; ownerElement: ReactNode }) {
  const t = useTranslations("sites");
  return (
    <Card>
      <KeyValue
        items={[
          {
            key: "domain",
            label: t("column.domain"),
            value: <Domain name={site.domain} />,
            action: <CopyButton compact text={site.domain} />,
          },
          {
            key: "billing",
            label: t("column.billing"),
            value: <SiteBillingText billing={site.billing} />,
          },
          { key: "seen", label: t("seen.label"), value: <SeenText site={site} /> },
          ...(ownerElement ? [{ key: "owner", label: t("column.owner"), value: ownerElement }] : []),
          { key: "faqs", label: t("detail.faqs"), value: <FormattedNumber value={site.faqs_count} /> },
          {
            key: "limit",
            label: t("detail.messages"),
            value: <FormattedNumber value={site.settings.max_messages_per_session} />,
          },
          { key: "created", label: t("column.created"), value: <Time value={site.created_at} show="date" /> },
          { key: "updated", label: t("detail.updated"), value: <Time value={site.updated_at} show="date" /> },
          {
            key: "id",
            label: t("detail.id"),
            value: <Ltr mono>{site.id}</Ltr>,
            action: <CopyButton compact text={String(site.id)} />,
          },
        ]}
      />
    </Card>
  );
}

export function WidgetPanel({ site }: { site: SiteDetail }) {
  const t = useTranslations("sites");
  const position = site.widget_position === "bottom-left" ? "bottom-left" : "bottom-right";
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <Card title={t("tabs.widget")}>
        <KeyValue
          items={[
            { key: "bot", label: t("form.botName"), value: <bdi>{site.bot_name || t("detail.empty")}</bdi> },
            {
              key: "welcome",
              label: t("form.welcome"),
              value: <bdi className="whitespace-pre-line">{site.welcome_message || t("detail.empty")}</bdi>,
            },
            {
              key: "color",
              label: t("form.color"),
              value: (
                <span className="inline-flex items-center gap-2">
                  <span
                    aria-hidden
                    className="size-4 rounded-full border border-border forced-color-adjust-none"
                    style={{ backgroundColor: site.widget_color }}
                  />
                  <Ltr mono>{site.widget_color}</Ltr>
                </span>
              ),
              action: <CopyButton compact text={site.widget_color} />,
            },
            {
              key: "position",
              label: t("form.position"),
              value: t(position === "bottom-left" ? "form.bottomLeft" : "form.bottomRight"),
            },
          ]}
        />
      </Card>
      <WidgetPreview
        title={site.bot_name || site.name}
        domain={site.domain}
        welcomeMessage={site.welcome_message}
        color={site.widget_color}
        position={position}
      />
    </div>
  );
}

export function AiPanel({ site }: { site: SiteDetail }) {
  const t = useTranslations("sites");
  const { number } = useFormat();
  return (
    <Card title={t("form.aiSection")}>
      <KeyValue
        items={[
          {
            key: "ai",
            label: t("column.ai"),
            value: (
              <StatusChip tone={site.ai_enabled ? "success" : "neutral"}>
                {t(site.ai_enabled ? "ai.on" : "ai.off")}
              </StatusChip>
            ),
          },
          {
            key: "threshold",
            label: t("form.threshold"),
            value: t("threshold.value", {
              word: t(`threshold.${getThresholdLevel(site.similarity_threshold)}`),
              value: number(site.similarity_threshold, { minimumFractionDigits: 2 }),
            }),
          },
          {
            key: "provider",
            label: t("detail.providerKey"),
            value: site.ai_provider_api_key ? (
              <Ltr mono>{site.ai_provider_api_key}</Ltr>
            ) : (
              t("detail.providerNone")
            ),
          },
          {
            key: "prompt",
            label: t("form.prompt"),
            value: t("detail.promptHidden"),
          },
        ]}
      />
    </Card>
  );
}

/** Keys of a site. `keys` is null for viewers who may not manage them; they see the masked widget key. */
export function KeysPanel({
  site,
  keys,
  origin,
}: {
  site: SiteDetail;
  keys: SiteKeys | null;
  origin: string;
}) {
  const t = useTranslations("sites.detail");
  const widgetKey = keys?.widget_key ?? site.api_key;
  const isMasked = widgetKey.includes("*");
  return (
    <div className="flex flex-col gap-6">
      <Card title={t("widgetKey")} description={t(isMasked ? "widgetKeyMasked" : "widgetKeyText")}>
        <div className="flex flex-wrap items-center gap-3">
          <code
            dir="ltr"
            className="min-w-0 break-all rounded-control bg-sunken px-3 py-2 font-mono text-compact"
          >
            {widgetKey}
          </code>
          {isMasked ? null : <CopyButton text={widgetKey} size="sm" />}
        </div>
      </Card>
      {keys ? (
        <ExternalKeyCard siteId={site.id} siteName={site.name} initialKeys={keys} origin={origin} />
      ) : null}
      <FormAlert tone="info">
        {t.rich("keyDocs", {
          link: (text) => <TextLink href={"/developers/docs/sites#getSite" as Route}>{text}</TextLink>,
        })}
      </FormAlert>
    </div>
  );
}
