import type { Context, UserActor } from "@/server/core/context";
import { type Input, RawJson } from "@/server/core/contract";
import type { listIdleConnections } from "../contract";
import { IDLE_LIST_MAX } from "../policy";
import { listAllIdle, listIdleInScope, listIdleOfSite } from "../statements";

export async function listIdle(
  ctx: Context<UserActor>,
  { query }: Input<typeof listIdleConnections>,
): Promise<RawJson> {
  const { userId, role, onlySiteId } = ctx.actor.scope;
  const page = { after: query.after ?? 0, limit: IDLE_LIST_MAX };
  const [row] =
    onlySiteId !== null
      ? await listIdleOfSite(ctx, { ...page, siteId: onlySiteId })
      : role === "admin"
        ? await listAllIdle(ctx, page)
        : await listIdleInScope(ctx, { ...page, userId, isReseller: role === "reseller" });
  return new RawJson(`{"success":true,"connections":${row!.json},"data":${row!.json}}`);
}
