import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { toIsoMicros } from "@/server/core/time";
import { PLATFORM_MODULES } from "@/server/domains/accounts/profile/contract";
import { readTeamOwner } from "@/server/domains/tenancy/team/service/owner";
import type { getAccountOverview } from "../contract";
import { AGENT_ABILITIES, OVERVIEW_SITES_MAX } from "../policy";
import { countConnectionsByChannel, listNewestSitesWithActivity } from "../statements";

export async function readAccountOverview(
  ctx: Context<UserActor>,
): Promise<Output<typeof getAccountOverview>> {
  const { userId, onlySiteId, isAgent } = ctx.actor.scope;
  const scope = { userId, onlySiteId };
  const where = {
    deletedAt: null,
    ...(onlySiteId === null
      ? { owner: { OR: [{ id: userId }, { parentUserId: userId }] } }
      : { id: onlySiteId }),
  };
  // One after the other: the dashboard calls other operations at the same time, and connections are few.
  const siteRows = await listNewestSitesWithActivity(ctx, { ...scope, take: OVERVIEW_SITES_MAX });
  const siteCounts = await ctx.db.site.groupBy({ by: ["isActive"], where, _count: true });
  const channelRows = await countConnectionsByChannel(ctx, scope);
  const agent = isAgent ? await readAgentOverview(ctx) : null;
  const countSites = (isActive: boolean) => siteCounts.find((row) => row.isActive === isActive)?._count ?? 0;
  return {
    success: true,
    sites: siteRows.map(({ lastActiveAt, ...site }) => ({
      ...site,
      last_active_at: toIsoMicros(lastActiveAt),
    })),
    site_counts: { active: countSites(true), suspended: countSites(false) },
    channels: channelRows.map((row) => ({ ...row, state: toChannelState(row) })),
    agent,
  };
}

function toChannelState({ attention, working }: { attention: number; working: number }) {
  if (attention > 0) return "attention";
  return working > 0 ? "working" : "idle";
}

async function readAgentOverview(
  ctx: Context<UserActor>,
): Promise<NonNullable<Output<typeof getAccountOverview>["agent"]>> {
  const [{ owner }, { allowedModules }] = await Promise.all([
    readTeamOwner(ctx),
    ctx.db.user.findUniqueOrThrow({ where: { id: ctx.actor.id }, select: { allowedModules: true } }),
  ]);
  const modules = allowedModules as string[] | null;
  return {
    owner,
    can: [...AGENT_ABILITIES.can],
    cannot: [...AGENT_ABILITIES.cannot],
    modules: modules && PLATFORM_MODULES.filter((name) => modules.includes(name)),
  };
}
