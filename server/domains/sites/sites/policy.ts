import type { Scope } from "@/server/core/context";

/** Agents only read the site they are assigned to; everyone else may create sites. */
export function mayCreateSites(scope: Pick<Scope, "isAgent">): boolean {
  return !scope.isAgent;
}

/** Defaults of a new site, under the names of the API. */
export const NEW_SITE = {
  widget_color: "#4F46E5",
  widget_position: "bottom-right" as const,
  welcome_message: "",
  bot_name: "",
  ai_enabled: true,
  similarity_threshold: 0.75,
  system_prompt: "",
  settings: { max_messages_per_session: 50 },
};

/** The most sites that one response lists. */
export const LIST_MAX = 10_000;

/** The most messages that a session may be limited to. */
export const MESSAGES_MAX = 1000;

/** Why a site is suspended. */
export const SUSPENSION_REASONS = ["owner", "licence_unpaid", "subscription_ended", "administrator"] as const;

/** The owner and the accounts above change a site and manage its keys; agents and servers do not. */
export function mayManage(scope: Scope, site: SiteLineage): boolean {
  return scope.onlySite === null && reachesSite(scope, site);
}

/** A site with the accounts above its owner. */
export interface SiteLineage {
  id: number;
  userId: number;
  ownerParentId: number | null;
  ownerResellerId: number | null;
  parentResellerId: number | null;
}

/** Own sites, those of sub-users, and those of customers and their sub-users; administrators reach all. */
export function reachesSite(scope: Scope, site: SiteLineage): boolean {
  const { userId, role, onlySite } = scope;
  if (onlySite !== null) return site.id === onlySite;
  if (role === "admin" || site.userId === userId || site.ownerParentId === userId) return true;
  return role === "reseller" && (site.ownerResellerId === userId || site.parentResellerId === userId);
}

/** What cannot be sent together with a page: the walk has an order and a size of its own. */
export const WALK = ["after", "limit"] as const;

/** Whether a list of sites is asked for as a page, or as the walk through all of them. */
export function asksForPage(query: Record<string, unknown>): boolean {
  return Object.entries(query).some(
    ([name, value]) => value != null && !(WALK as readonly string[]).includes(name),
  );
}
