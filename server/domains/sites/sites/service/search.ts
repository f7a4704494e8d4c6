import { domainToUnicode } from "node:url";
import type * as z from "zod";
import type { Context, Scope, UserActor } from "@/server/core/context";
import {
  buildLikePatterns,
  buildWordConditions,
  escapeLike,
  foldText,
  splitIntoWords,
} from "@/server/core/fold";
import { MAX_ID, type SiteLine } from "@/server/core/schema";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { findNewestSites } from "../statements";

export function buildSiteSearchText({ name, domain }: { name: string; domain: string }): string {
  return foldText([...new Set([name, domain, domainToUnicode(domain)])].join(" "));
}

export interface SiteFilter {
  q?: string | null;
  is_active?: boolean | null;
  user_id?: number | null;
  customer_id?: number | null;
}

export function whereSites(
  scope: Scope,
  { q, is_active, user_id, customer_id: customerId }: SiteFilter,
): Prisma.SiteWhereInput {
  return {
    AND: [
      { deletedAt: null },
      whereInScope(scope),
      ...splitIntoWords(q).map(whereContainsWord),
      ...(is_active == null ? [] : [{ isActive: is_active }]),
      ...(user_id == null ? [] : [{ userId: user_id }]),
      ...(customerId == null ? [] : [{ owner: { OR: [{ id: customerId }, { parentUserId: customerId }] } }]),
    ],
  };
}

/** `canReachSite` as a condition. Uses the site's `resellerId`: resellers have thousands of owners. */
function whereInScope({ userId, role, onlySiteId }: Scope): Prisma.SiteWhereInput {
  if (onlySiteId !== null) return { id: onlySiteId };
  if (role === "admin") return {};
  if (role === "reseller") return { resellerId: userId };
  return { owner: { OR: [{ id: userId }, { parentUserId: userId }] } };
}

function whereContainsWord(word: string): Prisma.SiteWhereInput {
  const textMatch = { searchText: { contains: escapeLike(word) } };
  const id = /^[1-9]\d{0,9}$/.test(word) ? Number(word) : 0;
  return id > 0 && id <= MAX_ID ? { OR: [textMatch, { id }] } : textMatch;
}

export async function findSites(
  ctx: Context<UserActor>,
  q: string,
  limit: number,
): Promise<Array<z.output<typeof SiteLine>>> {
  const { scope } = ctx.actor;
  const words = splitIntoWords(q);
  const patterns = buildLikePatterns(words);
  // Only administrators search all sites; other callers reach few rows, through an index.
  if (patterns && scope.role === "admin" && scope.onlySiteId === null)
    return findNewestSites(ctx, { ...patterns, take: limit });
  const conditions = words.map((word) => ({
    OR: buildWordConditions(word).map((searchText) => ({ searchText })),
  }));
  const sites = await ctx.db.site.findMany({
    where: { AND: [whereSites(scope, {}), ...conditions] },
    orderBy: { id: "desc" },
    take: limit,
    select: { id: true, name: true, domain: true, isActive: true },
  });
  return sites.map(({ isActive, ...site }) => ({ ...site, is_active: isActive }));
}
