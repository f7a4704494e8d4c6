import type { Scope } from "@/server/core/context";

export function canCreateSites(scope: Pick<Scope, "isAgent">): boolean {
  return !scope.isAgent;
}

/** Defaults of a new site. Equal to the column defaults. */
export const SITE_DEFAULTS = {
  widget_color: "#4F46E5",
  widget_position: "bottom-right" as const,
  welcome_message: "",
  bot_name: "",
  ai_enabled: true,
  similarity_threshold: 0.75,
  system_prompt: "",
  settings: { max_messages_per_session: 50 },
};

export const SITE_LIST_MAX = 10_000;

export const SESSION_MESSAGES_MAX = 1000;

export const SUSPENSION_REASONS = ["owner", "licence_unpaid", "subscription_ended", "administrator"] as const;

export const SUSPENSION_ACTORS = ["owner", "parent", "reseller", "administrator"] as const;

/** Tests whether a page's host is the site's domain or a subdomain of it. `www.` makes no difference. */
export function isHostOfSite(host: string, domain: string): boolean {
  // `www.com` is a domain of its own.
  const baseDomain = /^www\.[^.]+\./.test(domain) ? domain.slice("www.".length) : domain;
  return host === baseDomain || host.endsWith(`.${baseDomain}`);
}

/** True for everyone who reaches the site, except agents and external keys. */
export function canManageSite(scope: Scope, site: SiteLineage): boolean {
  return scope.onlySiteId === null && canReachSite(scope, site);
}

export interface SiteLineage {
  id: number;
  userId: number;
  ownerParentId: number | null;
  ownerResellerId: number | null;
  parentResellerId: number | null;
}

/** `whereInScope` in service/search.ts and the lists in statements.ts have the same rule as conditions. */
export function canReachSite(scope: Scope, site: SiteLineage): boolean {
  const { userId, role, onlySiteId } = scope;
  if (onlySiteId !== null) return site.id === onlySiteId;
  if (role === "admin" || site.userId === userId || site.ownerParentId === userId) return true;
  return role === "reseller" && (site.ownerResellerId === userId || site.parentResellerId === userId);
}

/** Parameters of the list that is read by cursor instead of by page. They exclude all others. */
export const CURSOR_PARAMETERS = ["after", "limit"] as const;

export function isPagedQuery(query: Record<string, unknown>): boolean {
  return Object.entries(query).some(
    ([name, value]) => value != null && !(CURSOR_PARAMETERS as readonly string[]).includes(name),
  );
}
