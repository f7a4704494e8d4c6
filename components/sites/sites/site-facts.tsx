import { useTranslations } from "next-intl";
import { Domain } from "@/components/ui/domain";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import { isHostOfSite } from "@/server/domains/sites/sites/policy";
import type { Site } from "./types";

type SuspensionReason = NonNullable<Site["suspended_reason"]>;

interface SiteState {
  is_active: boolean;
  suspended_reason?: SuspensionReason | null;
  suspended_at?: string | null;
}

export type SeenSite = Pick<Site, "domain" | "last_seen_at" | "last_seen_host">;

/** A site that its own account suspended is no problem to solve. */
export function SiteStateChip({ site }: { site: SiteState }) {
  const t = useTranslations("sites.state");
  if (site.is_active) return <StatusChip tone="success">{t("active")}</StatusChip>;
  return (
    <StatusChip tone={site.suspended_reason === "owner" ? "neutral" : "danger"}>{t("suspended")}</StatusChip>
  );
}

/** State for lists, with reason and day of a suspension, or a warning that the widget runs elsewhere. */
export function SiteStateWithReason({ site }: { site: SiteState & Partial<SeenSite> }) {
  const t = useTranslations("sites.suspendedBy");
  const tSeen = useTranslations("sites.seen");
  const foreignHost = getForeignHost(site);
  return (
    <span className="inline-flex flex-col items-start gap-0.5 max-sm:items-end sm:py-1.5">
      <SiteStateChip site={site} />
      {site.suspended_reason ? (
        <span className="max-w-56 text-pretty text-caption text-fg-muted max-sm:max-w-36 max-sm:text-end">
          <span>{t(site.suspended_reason)}</span>
          {site.suspended_at ? (
            <>
              <span>{" · "}</span>
              <Time value={site.suspended_at} show="date" />
            </>
          ) : null}
        </span>
      ) : null}
      {site.is_active && foreignHost ? (
        <span className="wrap-anywhere max-w-56 text-caption text-warning-text">
          {tSeen.rich("onlyOn", { host: () => <Domain name={foreignHost} /> })}
        </span>
      ) : null}
    </span>
  );
}

/** Returns the host that last showed the widget unless it belongs to the site. */
export function getForeignHost({ domain, last_seen_host: host }: Partial<SeenSite>): string | null {
  return host && domain && !isHostOfSite(host, domain) ? host : null;
}

/** When and where the widget was last seen. */
export function SeenText({ site }: { site: SeenSite }) {
  const t = useTranslations("sites.seen");
  const { domain, last_seen_at: at, last_seen_host: host } = site;
  if (!at || !host) return <span>{t("never")}</span>;
  return (
    <span className="wrap-anywhere">
      {t.rich(getForeignHost(site) ? "elsewhere" : "on", {
        host: () => <Domain name={host} />,
        domain: () => <Domain name={domain} />,
        time: () => <Time value={at} />,
      })}
    </span>
  );
}

/** Day of a suspension and the account that made it; nothing if unknown. */
export function SuspendedSince({
  site: { suspended_at: at, suspended_by: by },
  isOwner = false,
}: {
  site: Pick<Site, "suspended_at" | "suspended_by">;
  isOwner?: boolean;
}) {
  const t = useTranslations("sites.suspension");
  if (!at) return null;
  return (
    <span>
      {t.rich("since", {
        actor: (by === "owner" && isOwner ? "self" : by) ?? "none",
        time: () => <Time value={at} show="date" />,
      })}
    </span>
  );
}

export function SuspendedText({ reason }: { reason: SuspensionReason }) {
  const t = useTranslations("sites.suspended");
  return <span>{t(reason)}</span>;
}

export function SiteBillingText({ billing }: Pick<Site, "billing">) {
  const t = useTranslations("sites.billing");
  return <span>{t(billing)}</span>;
}

export function getThresholdLevel(value: number): "loose" | "balanced" | "careful" | "strict" {
  if (value < 0.5) return "loose";
  if (value < 0.7) return "balanced";
  return value < 0.85 ? "careful" : "strict";
}
