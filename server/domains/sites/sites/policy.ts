import type { Scope } from "@/server/core/context";

/** Agents only read the site they are assigned to; everyone else may create sites. */
export function mayCreateSites(scope: Pick<Scope, "isAgent">): boolean {
  return !scope.isAgent;
}

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

export const LIST_MAX = 10_000;

export const MESSAGES_MAX = 1000;

export const SUSPENSION_REASONS = ["owner", "licence_unpaid", "subscription_ended", "administrator"] as const;

/** Owners, their parents and resellers may; agents and external keys may not. */
export function mayManage(scope: Scope, site: SiteLineage): boolean {
  return scope.onlySite === null && reachesSite(scope, site);
}

export interface SiteLineage {
  id: number;
  userId: number;
  ownerParentId: number | null;
  ownerResellerId: number | null;
  parentResellerId: number | null;
}

/** Own sites, sub-accounts', customers' and their sub-accounts'; administrators reach all. */
export function reachesSite(scope: Scope, site: SiteLineage): boolean {
  const { userId, role, onlySite } = scope;
  if (onlySite !== null) return site.id === onlySite;
  if (role === "admin" || site.userId === userId || site.ownerParentId === userId) return true;
  return role === "reseller" && (site.ownerResellerId === userId || site.parentResellerId === userId);
}

/** Parameters of the walk, which has its own order and size. Not allowed with a page. */
export const WALK_PARAMETERS = ["after", "limit"] as const;

export function isPageRequest(query: Record<string, unknown>): boolean {
  return Object.entries(query).some(
    ([name, value]) => value != null && !(WALK_PARAMETERS as readonly string[]).includes(name),
  );
}
