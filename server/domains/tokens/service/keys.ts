import type { Context, UserActor } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { outOfReach } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { DAY, fromNow, isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/audit/service";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { digest, newToken } from "@/server/infrastructure/secrets/tokens";
import type { createUserToken, deleteUserToken, listUserTokens } from "../contract";
import { requireProof } from "./tokens";

/** What a key that was given no life gets. */
const DEFAULT_DAYS = 90;
/** "Never" as a moment: every token has an end, so that one look-up fits all. */
const NEVER = new Date("9999-12-31T00:00:00Z");

interface KeyRow {
  id: number;
  name: string;
  abilities: string[];
  last_four: string;
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
  ip: string | null;
}

function describeKey(row: KeyRow) {
  return {
    id: row.id,
    name: row.name,
    abilities: row.abilities,
    last_four: row.last_four,
    created_at: isoMicros(row.created_at),
    expires_at: row.expires_at.getTime() === NEVER.getTime() ? null : isoMicros(row.expires_at),
    last_used_at: row.last_used_at && isoMicros(row.last_used_at),
    last_used_ip: row.last_used_at && row.ip,
  };
}

/** The caller's keys, newest first; the keys themselves are nowhere. */
export async function list({ actor, sql }: Context<UserActor>): Promise<Answer<typeof listUserTokens>> {
  const rows = await sql<KeyRow>`
    select id, name, abilities, last_four, created_at, expires_at, last_used_at, ip from access_tokens
     where user_id = ${actor.id} and kind = 'api_key' and expires_at > now() order by id desc`;
  const tokens = rows.map(describeKey);
  return { success: true, tokens, data: tokens, count: tokens.length };
}

/** Makes a key. It may do no more than the caller chose, and never outlives the account. */
export async function create(
  ctx: Context<UserActor>,
  { body }: Input<typeof createUserToken>,
): Promise<Answer<typeof createUserToken>> {
  await requireProof(ctx);
  const token = newToken("dsu");
  const days = body.expires_in_days === undefined ? DEFAULT_DAYS : body.expires_in_days;
  return withTransaction(ctx, async (tx) => {
    const [row] = await tx.sql<KeyRow>`
      insert into access_tokens (user_id, kind, name, token_hash, last_four, abilities, ip, expires_at)
      values (${ctx.actor.id}, 'api_key', ${body.name}, ${digest(token)}, ${token.slice(-4)},
              ${[...new Set(body.abilities ?? ["*"])]}::text[], ${ctx.ip}, ${days === null ? NEVER : fromNow(days * DAY)})
      returning id, name, abilities, last_four, created_at, expires_at, last_used_at, ip`;
    await audit(tx, {
      action: "api_key.created",
      object: { type: "AccessToken", id: row!.id },
      details: { name: body.name },
    });
    return { success: true as const, token, access_token: describeKey(row!) };
  });
}

/** Revokes one of the caller's keys; refused from the next request on. */
export async function remove(
  ctx: Context<UserActor>,
  { params }: Input<typeof deleteUserToken>,
): Promise<Answer<typeof deleteUserToken>> {
  const { id } = params;
  const gone = await withTransaction(ctx, async (tx) => {
    const rows = await tx.sql`
      delete from access_tokens where id = ${id} and user_id = ${ctx.actor.id} and kind = 'api_key' returning id`;
    if (rows.length > 0) await audit(tx, { action: "api_key.revoked", object: { type: "AccessToken", id } });
    return rows.length > 0;
  });
  if (!gone) {
    const others = await ctx.db.accessToken.findUnique({
      where: { id, kind: "api_key" },
      select: { id: true },
    });
    throw outOfReach(others, "AccessToken", id);
  }
  return { success: true, message: text(ctx.locale, "answers.key_revoked") };
}
