import { ChevronRight } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { SiteStateWithReason } from "@/components/sites/sites/site-facts";
import { getSitePath } from "@/components/sites/sites/site-path";
import type { Site } from "@/components/sites/sites/types";
import { AppLink } from "@/components/ui/app-link";
import { Card } from "@/components/ui/card";
import { Domain } from "@/components/ui/domain";
import { LinkButton } from "@/components/ui/link-button";

export interface RecentSitesProps {
  sites: readonly Site[];
  /** For viewers who see no card with the number of sites. */
  counts?: ReactNode;
}

export function RecentSites({ sites, counts }: RecentSitesProps) {
  const t = useTranslations("dashboard");
  return (
    <Card
      title={t("recent.title")}
      actions={
        counts ? (
          <>
            {counts}
            <LinkButton size="sm" href="/sites">
              {t("sites.open")}
            </LinkButton>
          </>
        ) : undefined
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
