"use client";

import type { Route } from "next";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { FormAlert } from "@/components/ui/form-alert";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { useFormat } from "@/components/ui/use-format";
import { EmbedCard } from "./embed-card";
import { getSitePath } from "./site-path";
import type { CreatedSite } from "./use-site-form";

export function SiteCreated({
  creation: { site, billing },
  scriptUrl,
}: {
  creation: CreatedSite;
  scriptUrl: string | undefined;
}) {
  const t = useTranslations("sites.created");
  const { date, money } = useFormat();

  useEffect(() => {
    document.getElementById("page-title")?.focus();
  }, []);

  return (
    <>
      <PageHeader title={t.rich("title", { name: () => <bdi>{site.name}</bdi> })} description={t("text")} />
      <div className="flex max-w-form flex-col gap-6">
        {billing.mode === "pay_per_site" ? (
          <FormAlert tone="warning" title={t("licence")}>
            {t("licenceText", {
              price: money(billing.annual_price_try),
              date: date(billing.period_end),
            })}
          </FormAlert>
        ) : (
          <FormAlert tone="success">{t("slot", { count: billing.remaining_slots })}</FormAlert>
        )}
        <EmbedCard domain={site.domain} widgetKey={site.api_key} scriptUrl={scriptUrl} />
        <div className="flex flex-wrap gap-2">
          <LinkButton variant="primary" href={getSitePath(site.id)}>
            {t("open")}
          </LinkButton>
          <LinkButton href="/sites">{t("list")}</LinkButton>
          <LinkButton href={"/developers/docs/sites#getSite" as Route}>{t("docs")}</LinkButton>
        </div>
      </div>
    </>
  );
}
