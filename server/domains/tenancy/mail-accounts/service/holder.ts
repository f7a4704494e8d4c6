import type { Context, UserActor } from "@/server/core/context";
import { refuse } from "@/server/core/errors";
import { requireManageable } from "@/server/domains/sites/sites/service/manageable";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { ACCOUNT_SELECT, type AccountRow } from "../dto";

/** An account or a site. Also used as a `where` condition, so the other ID is null. */
export type Holder = { userId: number; siteId: null } | { userId: null; siteId: number };

/** Returns the caller, or a site the caller can manage. Throws `forbidden` for agents. */
export async function resolveHolder(ctx: Context<UserActor>, siteId?: number): Promise<Holder> {
  if (siteId !== undefined) {
    await requireManageable(ctx, ctx.actor, siteId);
    return { userId: null, siteId };
  }
  if (ctx.actor.scope.onlySiteId !== null) throw refuse("forbidden");
  return { userId: ctx.actor.id, siteId: null };
}

export async function findAccount({ db }: Pick<DbAccess, "db">, holder: Holder): Promise<AccountRow | null> {
  return db.mailAccount.findFirst({ where: holder, select: ACCOUNT_SELECT });
}
