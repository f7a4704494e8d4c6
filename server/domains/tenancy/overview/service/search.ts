import type { Context, UserActor } from "@/server/core/context";
import type { Ability, Input, Output } from "@/server/core/contract";
import { hasSignedAgreement } from "@/server/domains/accounts/portals/service/access";
import { findUsers } from "@/server/domains/accounts/users/service/search";
import { findMedia } from "@/server/domains/sites/media/service/find";
import { findSites } from "@/server/domains/sites/sites/service/search";
import { findSnippets } from "@/server/domains/sites/snippets/service/find";
import type { search } from "../contract";
import { RESULTS_PER_KIND_MAX, SEARCHED_LISTS } from "../policy";

export async function findRecords(
  ctx: Context<UserActor>,
  { query: { q } }: Input<typeof search>,
): Promise<Output<typeof search>> {
  const [sites, customers, users, media, snippets] = await Promise.all([
    findSites(ctx, q, FETCHED_RESULTS),
    findCustomers(ctx, q),
    ctx.actor.role === "admin" && hasAbility(ctx, "admin:*") ? findUsers(ctx, q, {}, FETCHED_RESULTS) : [],
    findMedia(ctx, q, FETCHED_RESULTS),
    findSnippets(ctx, q, FETCHED_RESULTS),
  ]);
  const records = { sites, customers, users, media, snippets };
  return {
    success: true,
    sites: sites.slice(0, RESULTS_PER_KIND_MAX),
    customers: customers.slice(0, RESULTS_PER_KIND_MAX),
    users: users.slice(0, RESULTS_PER_KIND_MAX),
    media: media.slice(0, RESULTS_PER_KIND_MAX),
    snippets: snippets.slice(0, RESULTS_PER_KIND_MAX),
    more: SEARCHED_LISTS.filter((kind) => records[kind].length > RESULTS_PER_KIND_MAX),
  };
}

/** One more than returned, to find out whether there are more. */
const FETCHED_RESULTS = RESULTS_PER_KIND_MAX + 1;

async function findCustomers(ctx: Context<UserActor>, q: string) {
  const { id, role } = ctx.actor;
  if (role !== "reseller" || !hasAbility(ctx, "reseller:read") || !(await hasSignedAgreement(ctx, id)))
    return [];
  return findUsers(ctx, q, { resellerId: id }, FETCHED_RESULTS);
}

function hasAbility({ actor: { token } }: Context<UserActor>, ability: Ability): boolean {
  return token.abilities.includes("*") || token.abilities.includes(ability);
}
