import type { Context, UserActor } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { outOfReach } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/audit/service";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import type { endOtherSessions, endSession, listSessions } from "../contract";

interface SessionRow {
  id: number;
  kind: "sign_in" | "session";
  ip: string | null;
  user_agent: string | null;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date;
}

/** Where the caller is signed in: panels and tokens of sign-ins, the last used first. */
export async function list({ actor, sql }: Context<UserActor>): Promise<Answer<typeof listSessions>> {
  const rows = await sql<SessionRow>`
    select id, kind, ip, user_agent, created_at, last_used_at, expires_at from access_tokens
     where user_id = ${actor.id} and kind <> 'api_key' and expires_at > now()
     order by coalesce(last_used_at, created_at) desc limit 200`;
  const sessions = rows.map((row) => ({
    id: row.id,
    kind: row.kind === "session" ? ("panel" as const) : ("token" as const),
    current: row.id === actor.token.id,
    ip: row.ip,
    user_agent: row.user_agent,
    created_at: isoMicros(row.created_at),
    last_used_at: row.last_used_at && isoMicros(row.last_used_at),
    expires_at: isoMicros(row.expires_at),
  }));
  return { success: true, sessions, data: sessions, count: sessions.length };
}

/** Ends one of the caller's sign-ins, this one included. */
export async function end(
  ctx: Context<UserActor>,
  { params }: Input<typeof endSession>,
): Promise<Answer<typeof endSession>> {
  const { id } = params;
  const gone = await withTransaction(ctx, async (tx) => {
    const rows = await tx.sql`
      delete from access_tokens where id = ${id} and user_id = ${ctx.actor.id} and kind <> 'api_key' returning id`;
    if (rows.length > 0)
      await audit(tx, { action: "session.ended", object: { type: "User", id: ctx.actor.id } });
    return rows.length > 0;
  });
  if (!gone) {
    const where = { id, kind: { not: "api_key" } } as const;
    throw outOfReach(await ctx.db.accessToken.findUnique({ where, select: { id: true } }), "Session", id);
  }
  return { success: true, message: text(ctx.locale, "answers.session_ended") };
}

/** Ends every sign-in but the one that asks. */
export async function endOthers(ctx: Context<UserActor>): Promise<Answer<typeof endOtherSessions>> {
  return withTransaction(ctx, async (tx) => {
    const gone = await tx.sql`
      delete from access_tokens
       where user_id = ${ctx.actor.id} and kind <> 'api_key' and id <> ${ctx.actor.token.id} returning id`;
    await audit(tx, {
      action: "session.ended",
      object: { type: "User", id: ctx.actor.id },
      details: { others: gone.length },
    });
    return {
      success: true as const,
      message: text(ctx.locale, "answers.sessions_ended"),
      ended: gone.length,
    };
  });
}
