import type { Context, UserActor } from "@/server/core/context";
import type { Ability, Input, Output } from "@/server/core/contract";
import { hasSignedAgreement } from "@/server/domains/accounts/portals/service/access";
import { findUsers } from "@/server/domains/accounts/users/service/search";
import { findMedia } from "@/server/domains/sites/media/service/find";
import { findSites } from "@/server/domains/sites/sites/service/search";
import { findSnippets } from "@/server/domains/sites/snippets/service/find";
import type { search } from "../contract";
import { RESULTS_PER_KIND_MAX } from "../policy";

export async function findRecords(
  ctx: Context<UserActor>,
  { query: { q } }: Input<typeof search>,
): Promise<Output<typeof search>> {
  const [sites, customers, users, media, snippets] = await Promise.all([
    findSites(ctx, q, RESULTS_PER_KIND_MAX),
    findCustomers(ctx, q),
    ctx.actor.role === "admin" && hasAbility(ctx, "admin:*")
      ? findUsers(ctx, q, {}, RESULTS_PER_KIND_MAX)
      : [],
    findMedia(ctx, q, RESULTS_PER_KIND_MAX),
    findSnippets(ctx, q, RESULTS_PER_KIND_MAX),
  ]);
  return { success: true, sites, customers, users, media, snippets };
}

async function findCustomers(ctx: Context<UserActor>, q: string) {
  const { id, role } = ctx.actor;
  if (role !== "reseller" || !hasAbility(ctx, "reseller:read") || !(await hasSignedAgreement(ctx, id)))
    return [];
  return findUsers(ctx, q, { resellerId: id }, RESULTS_PER_KIND_MAX);
}

function hasAbility({ actor: { token } }: Context<UserActor>, ability: Ability): boolean {
  return token.abilities.includes("*") || token.abilities.includes(ability);
}
