import type { Scope } from "@/server/core/context";

/** Agents read the site they are bound to; everyone else may open sites of their own. */
export function mayCreateSites(scope: Pick<Scope, "isAgent">): boolean {
  return !scope.isAgent;
}

/** Keys belong to the owner and those above; agents and servers see none of them. */
export function mayManageKeys(scope: Scope, site: SiteLineage): boolean {
  return scope.onlySite === null && reachesSite(scope, site);
}

/** A site with the people above its owner. */
export interface SiteLineage {
  id: number;
  userId: number;
  ownerParentId: number | null;
  ownerResellerId: number | null;
  parentResellerId: number | null;
}

/** The cascade (decisions: D2): own, of sub-users, of customers and their sub-users; admins reach all. */
export function reachesSite(scope: Scope, site: SiteLineage): boolean {
  const { userId, role, onlySite } = scope;
  if (onlySite !== null) return site.id === onlySite;
  if (role === "admin" || site.userId === userId || site.ownerParentId === userId) return true;
  return role === "reseller" && (site.ownerResellerId === userId || site.parentResellerId === userId);
}
