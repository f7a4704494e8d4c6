import type { Context, Role, UserActor } from "@/server/core/context";
import type { Answer } from "@/server/core/contract";
import { AppError } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { DAY, fromNow } from "@/server/core/time";
import { audit } from "@/server/domains/audit/service";
import { pool } from "@/server/infrastructure/database/client";
import { statementsOn } from "@/server/infrastructure/database/sql";
import { type Work, withTransaction } from "@/server/infrastructure/database/transaction";
import { digest, newToken } from "@/server/infrastructure/secrets/tokens";
import type { logout as logoutOperation } from "../contract";

export type TokenKind = "sign_in" | "api_key" | "session";

/** A sign-in lasts 30 days from its last use. */
export const SIGN_IN_LIFE = 30 * DAY;
/** How long a token fresh from a sign-in may be exchanged for the panel's cookie. */
const EXCHANGE_SECONDS = 120;

export interface FoundToken {
  id: number;
  kind: TokenKind;
  abilities: string[];
  created_at: string;
  /** Its use was noted less than a minute ago. */
  is_fresh: boolean | null;
  user_id: number;
  role: Role;
  is_active: boolean;
  locale: string | null;
  email_verified: boolean;
  from_provider: boolean;
  is_agent_only: boolean;
  assigned_site_id: number | null;
}

/**
 * Looks a token up by its digest, with its owner as he is now: a revoked token, a changed role or a
 * deactivated account counts from the next request on. Runs for every request, so it is one statement, and
 * one column: the driver takes longer to set up twelve of them than to look the token up.
 */
export async function findToken(token: string, kinds: TokenKind[]): Promise<FoundToken | undefined> {
  const [row] = await statementsOn(pool())<{ found: string }>`
    select row_to_json(found)::text as found
      from (select t.id, t.kind, t.abilities, t.created_at, t.user_id,
                   t.last_used_at > now() - interval '1 minute' as is_fresh,
                   u.role, u.is_active, u.locale, u.email_verified_at is not null as email_verified,
                   u.provider is not null as from_provider, u.is_agent_only, u.assigned_site_id
              from access_tokens t join users u on u.id = t.user_id
             where t.token_hash = ${digest(token)} and t.expires_at > now()) as found`;
  const found = row && (JSON.parse(row.found) as FoundToken);
  return found && kinds.includes(found.kind) ? found : undefined;
}

/** Notes the use of a token, at most once a minute; a sign-in then lives 30 days from now. */
export function touchToken(found: FoundToken, ip: string): Promise<unknown> | undefined {
  if (found.is_fresh) return undefined;
  return statementsOn(pool())`
    update access_tokens
       set last_used_at = now(), ip = ${ip},
           expires_at = case when kind = 'api_key' then expires_at else ${fromNow(SIGN_IN_LIFE)} end
     where id = ${found.id} and (last_used_at is null or last_used_at < now() - interval '1 minute')`;
}

/**
 * Issues the token of a sign-in. Only gates may lead here; see `sign-in/service/gates.ts`. `proven` says
 * that the person has just shown all that the account asks for, which opens sensitive changes for a while.
 */
export async function issueSignInToken(
  { sql, ip, userAgent }: Pick<Context, "sql" | "ip" | "userAgent">,
  userId: number,
  { proven }: { proven: boolean },
): Promise<{ id: number; token: string }> {
  const token = newToken("dsu");
  const [row] = await sql<{ id: number }>`
    insert into access_tokens (user_id, kind, name, token_hash, last_four, ip, user_agent, expires_at, proven_at)
    values (${userId}, 'sign_in', 'sign-in', ${digest(token)}, ${token.slice(-4)}, ${ip},
            ${userAgent?.slice(0, 500) ?? null}, ${fromNow(SIGN_IN_LIFE)}, case when ${proven} then now() end)
    returning id`;
  return { id: row!.id, token };
}

/**
 * Turns a token fresh from a sign-in into the panel's cookie secret. The token dies with it: one
 * conditional update, so it can be done once. Answers null for anything else.
 */
export async function exchangeForSession(
  { sql }: Pick<Work, "sql">,
  token: string,
): Promise<{ secret: string; userId: number } | null> {
  const secret = newToken("dss");
  const [row] = await sql<{ user_id: number }>`
    update access_tokens set kind = 'session', name = 'panel', token_hash = ${digest(secret)}, last_four = ${secret.slice(-4)}
     where token_hash = ${digest(token)} and kind = 'sign_in' and expires_at > now()
       and created_at > now() - make_interval(secs => ${EXCHANGE_SECONDS})
    returning user_id`;
  return row ? { secret, userId: row.user_id } : null;
}

/** Revokes the token of this very request. */
export async function logout(ctx: Context<UserActor>): Promise<Answer<typeof logoutOperation>> {
  await withTransaction(ctx, async (tx) => {
    await revokeToken(tx, ctx.actor.token.id);
    await audit(tx, { action: "session.ended", object: { type: "User", id: ctx.actor.id } });
  });
  return { success: true, message: text(ctx.locale, "answers.signed_out") };
}

/** Ends one token or session. */
export async function revokeToken({ sql }: Pick<Work, "sql">, id: number): Promise<void> {
  await sql`delete from access_tokens where id = ${id}`;
}

/** Ends a panel session by its cookie's secret. */
export async function revokeSession({ sql }: Pick<Work, "sql">, secret: string): Promise<void> {
  await sql`delete from access_tokens where token_hash = ${digest(secret)} and kind = 'session'`;
}

/** Ends everything that lets somebody in without the password: tokens, sessions, waiting sign-ins, devices. */
export async function revokeAll({ sql }: Pick<Work, "sql">, userId: number): Promise<void> {
  await sql`delete from access_tokens where user_id = ${userId}`;
  await endInterims({ sql }, userId);
  await endTrustedDevices({ sql }, userId);
}

/** The same, but for the token of this very request. */
export async function revokeOthers(
  { sql }: Pick<Work, "sql">,
  userId: number,
  current: number,
): Promise<void> {
  await sql`delete from access_tokens where user_id = ${userId} and id <> ${current}`;
  await endInterims({ sql }, userId);
  await endTrustedDevices({ sql }, userId);
}

/** Ends sign-ins that wait for their second factor. */
export async function endInterims({ sql }: Pick<Work, "sql">, userId: number): Promise<void> {
  await sql`delete from interim_tokens where user_id = ${userId}`;
}

/** Forgets the devices that are not asked for the second factor. */
export async function endTrustedDevices({ sql }: Pick<Work, "sql">, userId: number): Promise<void> {
  await sql`delete from trusted_devices where user_id = ${userId}`;
}

/** Minutes that a proof of identity is good for. */
const PROOF_MINUTES = 10;

interface Proof {
  proven: boolean;
  factors: string[];
  has_password: boolean;
  has_passkeys: boolean;
}

/**
 * Throws `identity_unproven` unless the caller proved who he is within the last ten minutes. It names the ways to do
 * so: second factors, else the password; a passkey beside both; a new sign-in for an account that has neither.
 */
export async function requireProof({ actor, sql }: Context<UserActor>): Promise<void> {
  const [row] = await sql<Proof>`
    select coalesce(t.proven_at > now() - make_interval(mins => ${PROOF_MINUTES}), false) as proven,
           array(select kind::text from factors where user_id = t.user_id and confirmed_at is not null order by kind) as factors,
           u.password_hash is not null as has_password,
           exists (select from passkeys where user_id = u.id) as has_passkeys
      from access_tokens t join users u on u.id = t.user_id where t.id = ${actor.token.id}`;
  if (row?.proven) return;
  const { factors = [], has_password, has_passkeys } = row ?? {};
  const first = factors.length > 0 ? factors : has_password ? ["password"] : [];
  const methods = [...first, ...(has_passkeys ? ["passkey"] : [])];
  throw new AppError("identity_unproven", {
    requires_identity: true,
    methods: methods.length > 0 ? methods : ["sign_in"],
  });
}

/** Notes that the caller has just proved who he is. */
export async function noteProof({ sql }: Pick<Work, "sql">, tokenId: number): Promise<void> {
  await sql`update access_tokens set proven_at = now() where id = ${tokenId}`;
}

/** Forgets tokens that ended a day ago. */
export async function pruneTokens({ sql }: Pick<Work, "sql">): Promise<void> {
  await sql`delete from access_tokens where expires_at < now() - interval '1 day'`;
}
