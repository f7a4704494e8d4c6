import type { Context, UserActor } from "@/server/core/context";
import { createError } from "@/server/core/errors";
import { requireManageableSite } from "@/server/domains/sites/sites/service/manageable";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { MAIL_ACCOUNT_SELECT, type MailAccountRow } from "../dto";

/** Account or site that has a mail account. Also a `where` condition, so the other ID must be null. */
export type MailAccountHolder = { userId: number; siteId: null } | { userId: null; siteId: number };

/** Returns the caller, or a site the caller can manage. Throws `forbidden` for agents. */
export async function resolveHolder(ctx: Context<UserActor>, siteId?: number): Promise<MailAccountHolder> {
  if (siteId !== undefined) {
    await requireManageableSite(ctx, ctx.actor, siteId);
    return { userId: null, siteId };
  }
  if (ctx.actor.scope.onlySiteId !== null) throw createError("forbidden");
  return { userId: ctx.actor.id, siteId: null };
}

export async function findMailAccount(
  { db }: Pick<DbAccess, "db">,
  holder: MailAccountHolder,
): Promise<MailAccountRow | null> {
  return db.mailAccount.findFirst({ where: holder, select: MAIL_ACCOUNT_SELECT });
}
