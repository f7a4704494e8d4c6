import { Circle, CircleCheck, ExternalLink } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { getWizardPath } from "@/components/sites/connections/paths";
import { ButtonContent } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { Card } from "@/components/ui/card";
import { toUnicodeDomain } from "@/components/ui/domain";
import { FormAlert } from "@/components/ui/form-alert";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { useFormat } from "@/components/ui/use-format";
import { InstallCards, type InstallCardsProps } from "./install-cards";
import { getSitePath } from "./site-path";

export interface SiteCreatedProps extends InstallCardsProps {
  /** Unpaid licence of the site that the viewer pays. */
  licence: { amount: number; pay_by: string } | undefined;
  /** Free slots of the viewer. */
  freeSlotCount: number;
  /** Steps that are done; undefined if the site belongs to another account, such as a reseller's customer. */
  doneSteps: Record<NextStep, boolean> | undefined;
}

/** Shown after the creation of a site, at the URL of the site. */
export function SiteCreated({ site, licence, freeSlotCount, doneSteps, ...install }: SiteCreatedProps) {
  const t = useTranslations("sites");
  const { date, money } = useFormat();
  return (
    <>
      <PageHeader
        title={t.rich("created.title", { name: () => <bdi>{site.name}</bdi> })}
        description={t("created.text")}
      />
      <div className="flex max-w-form flex-col gap-6">
        {licence ? (
          <FormAlert
            tone="warning"
            title={t("created.licence")}
            action={
              <LinkButton size="sm" href={"/billing?tab=licences" as Route}>
                {t("created.licenceAction")}
              </LinkButton>
            }
          >
            {t("created.licenceText", { price: money(licence.amount), date: date(licence.pay_by) })}
          </FormAlert>
        ) : null}
        <InstallCards {...install} site={site} />
        <Card
          title={t("created.test.title")}
          description={t("created.test.text", { domain: toUnicodeDomain(site.domain) })}
        >
          <a
            href={`https://${site.domain}`}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonStyle({ size: "sm" })}
          >
            <ButtonContent icon={<ExternalLink className="mirror" />}>{t("menu.visit")}</ButtonContent>
          </a>
        </Card>
        {doneSteps ? (
          <>
            <NextSteps siteId={site.id} doneSteps={doneSteps} />
            {site.billing === "slot" ? (
              <p className="text-fg-muted text-sm">{t("created.slot", { count: freeSlotCount })}</p>
            ) : null}
          </>
        ) : null}
        <div className="flex flex-wrap gap-2">
          <LinkButton variant="primary" href={getSitePath(site.id)}>
            {t("created.open")}
          </LinkButton>
          <LinkButton href="/sites">{t("created.list")}</LinkButton>
          <LinkButton href={"/developers/docs/sites#getSite" as Route}>{t("created.docs")}</LinkButton>
        </div>
      </div>
    </>
  );
}

const STEPS = ["connect", "invite", "snippet"] as const;
type NextStep = (typeof STEPS)[number];

function NextSteps({ siteId, doneSteps }: { siteId: number; doneSteps: Record<NextStep, boolean> }) {
  const t = useTranslations("sites.created.next");
  const paths: Record<NextStep, Route> = {
    connect: getWizardPath({ siteId }),
    invite: "/team",
    snippet: "/snippets",
  };
  return (
    <Card title={t("title")} flush>
      <ul className="divide-y divide-border border-border border-t">
        {STEPS.map((name) => (
          <li key={name} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3.5">
            <span className="flex min-w-48 flex-1 items-start gap-2 text-fg-muted text-sm">
              {doneSteps[name] ? (
                <CircleCheck
                  role="img"
                  aria-label={t("done")}
                  className="mt-[3px] shrink-0 text-success-text"
                />
              ) : (
                <Circle aria-hidden className="mt-[3px] shrink-0" />
              )}
              <span>{t(`${name}Text`)}</span>
            </span>
            <LinkButton size="sm" href={paths[name]}>
              {t(name)}
            </LinkButton>
          </li>
        ))}
      </ul>
    </Card>
  );
}
