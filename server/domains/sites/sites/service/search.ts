import { domainToUnicode } from "node:url";
import type * as z from "zod";
import type { Context, Scope, UserActor } from "@/server/core/context";
import { escapeLike, fold, likePatterns, searchWords, wordConditions } from "@/server/core/fold";
import { MAX_ID, type SiteLine } from "@/server/core/schema";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { findNewest } from "../statements";

export function searchTextOf({ name, domain }: { name: string; domain: string }): string {
  return fold([...new Set([name, domain, domainToUnicode(domain)])].join(" "));
}

export interface SiteFilter {
  q?: string | null;
  is_active?: boolean | null;
  user_id?: number | null;
  customer_id?: number | null;
}

export function sitesWhere(
  scope: Scope,
  { q, is_active, user_id, customer_id: customer }: SiteFilter,
): Prisma.SiteWhereInput {
  return {
    AND: [
      { deletedAt: null },
      inScope(scope),
      ...searchWords(q).map(containsWord),
      ...(is_active == null ? [] : [{ isActive: is_active }]),
      ...(user_id == null ? [] : [{ userId: user_id }]),
      ...(customer == null ? [] : [{ owner: { OR: [{ id: customer }, { parentUserId: customer }] } }]),
    ],
  };
}

/** `reachesSite` as a condition. Sites carry `resellerId`, because a reseller has thousands of owners. */
function inScope({ userId, role, onlySite }: Scope): Prisma.SiteWhereInput {
  if (onlySite !== null) return { id: onlySite };
  if (role === "admin") return {};
  if (role === "reseller") return { resellerId: userId };
  return { owner: { OR: [{ id: userId }, { parentUserId: userId }] } };
}

function containsWord(word: string): Prisma.SiteWhereInput {
  const part = { searchText: { contains: escapeLike(word) } };
  const id = /^[1-9]\d{0,9}$/.test(word) ? Number(word) : 0;
  return id > 0 && id <= MAX_ID ? { OR: [part, { id }] } : part;
}

export async function findSites(
  ctx: Context<UserActor>,
  q: string,
  take: number,
): Promise<Array<z.output<typeof SiteLine>>> {
  const { scope } = ctx.actor;
  const words = searchWords(q);
  const patterns = likePatterns(words);
  // Other callers see few rows, through an index.
  if (patterns && scope.role === "admin" && scope.onlySite === null)
    return findNewest(ctx, { ...patterns, take });
  const conditions = words.map((word) => ({
    OR: wordConditions(word).map((searchText) => ({ searchText })),
  }));
  const sites = await ctx.db.site.findMany({
    where: { AND: [sitesWhere(scope, {}), ...conditions] },
    orderBy: { id: "desc" },
    take,
    select: { id: true, name: true, domain: true, isActive: true },
  });
  return sites.map(({ isActive, ...site }) => ({ ...site, is_active: isActive }));
}
