import { ChevronRight, Globe } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { SiteStateWithReason } from "@/components/sites/sites/site-facts";
import { getSitePath } from "@/components/sites/sites/site-path";
import type { Site } from "@/components/sites/sites/types";
import { AppLink } from "@/components/ui/app-link";
import { Card } from "@/components/ui/card";
import { Domain } from "@/components/ui/domain";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { useFormat } from "@/components/ui/use-format";

type RecentSite = Pick<Site, "id" | "name" | "domain" | "is_active" | "suspended_reason" | "widget_color"> & {
  last_active_at?: string;
};

export interface RecentSitesProps {
  sites: readonly RecentSite[];
  counts: ReactNode;
}

export function RecentSites({ sites, counts }: RecentSitesProps) {
  const t = useTranslations("dashboard");
  const { date: formatDate } = useFormat();
  if (sites.length === 0)
    return (
      <Card title={t("sites.title")} flush>
        <EmptyState
          icon={<Globe />}
          heading="h3"
          title={t("sites.none")}
          action={
            <LinkButton variant="primary" href="/sites/new">
              {t("slots.create")}
            </LinkButton>
          }
        >
          {t("sites.noneText")}
        </EmptyState>
      </Card>
    );
  return (
    <Card
      title={t("sites.title")}
      actions={
        <>
          {counts}
          <LinkButton size="sm" href="/sites">
            {t("sites.open")}
          </LinkButton>
        </>
      }
      flush
    >
      <ul className="divide-y divide-border border-border border-t">
        {sites.map((site) => (
          <li key={site.id}>
            <AppLink
              href={getSitePath(site.id)}
              className="flex min-h-14 items-center gap-4 px-5 py-2.5 transition-colors duration-120 last:rounded-b-card hover:bg-sunken focus-visible:-outline-offset-2"
            >
              <span
                aria-hidden
                className="size-2.5 shrink-0 rounded-full forced-color-adjust-none"
                style={{ backgroundColor: site.widget_color }}
              />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium text-sm">
                  <bdi>{site.name}</bdi>
                </span>
                <span className="block truncate text-compact text-fg-muted">
                  <Domain name={site.domain} />
                </span>
                {site.last_active_at ? (
                  <span className="block text-caption text-fg-muted">
                    {t("recent.active", { date: formatDate(site.last_active_at) })}
                  </span>
                ) : null}
              </span>
              <SiteStateWithReason site={site} />
              <ChevronRight className="mirror text-fg-subtle" />
            </AppLink>
          </li>
        ))}
      </ul>
    </Card>
  );
}
