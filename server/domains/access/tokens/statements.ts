import * as z from "zod";
import { RawUtf8 } from "@/server/core/raw-utf8";
import type { SqlText } from "@/server/core/sql";
import { employerActiveSql } from "@/server/domains/accounts/users/service/employer";
import { ADVISORY_LOCKS } from "@/server/infrastructure/database/advisory-locks";
import { Fragment, sqlPart, statement } from "@/server/infrastructure/database/statement";
import { bucketSql, inLimitsSql } from "@/server/infrastructure/series/lines";

const TokenKind = z.enum(["sign_in", "api_key", "session"]);

export const TokenJson = z.strictObject({
  id: z.int(),
  kind: TokenKind,
  abilities: z.array(z.string()),
  created_at: z.string(),
  /** True when the last use was recorded less than a minute ago; null before the first. */
  is_fresh: z.boolean().nullable(),
  user_id: z.int(),
  role: z.enum(["user", "reseller", "admin"]),
  is_active: z.boolean(),
  is_employer_active: z.boolean(),
  locale: z.string().nullable(),
  email_verified: z.boolean(),
  from_provider: z.boolean(),
  is_agent_only: z.boolean(),
  assigned_site_id: z.int().nullable(),
  /** True when the deadline for a second factor has passed; null when none is required. */
  is_overdue: z.boolean().nullable(),
});

const TokenRow = z.strictObject({
  tokenJson: z.string().refine((json) => TokenJson.safeParse(JSON.parse(json)).success),
});
const CALLER_QUERY = new Fragment(`
  select t.id, t.kind, t.abilities, t.created_at, t.user_id, t.last_used_at > now() - interval '1 minute' as is_fresh,
         u.role, u.is_active, u.locale, u.email_verified_at is not null as email_verified,
         u.provider is not null as from_provider, u.is_agent_only, u.assigned_site_id, u.enrol_by <= now() as is_overdue,
         ${employerActiveSql("u")} as is_employer_active
    from access_tokens t join users u on u.id = t.user_id`);

/** One column of JSON: setting up twelve columns costs the driver more than the lookup. */
export const findTokenJson = statement(TokenRow, { short: true })<{ tokenHash: Buffer }>`
  select row_to_json(caller)::text as "tokenJson"
    from (${CALLER_QUERY} where t.token_hash = ${({ tokenHash }) => tokenHash} and t.expires_at > now()) as caller`;

/** Reads the token and an operation's output in one query; see `outputSql` in core/contract.ts. */
export const buildTokenQuery = (output: SqlText) =>
  statement(TokenRow.extend({ output: z.custom<RawUtf8>(RawUtf8.is).nullable() }), {
    short: true,
    rawColumn: 1,
  })<{
    tokenHash: Buffer;
  }>`
  with caller as materialized (
    ${CALLER_QUERY} where t.token_hash = ${({ tokenHash }) => tokenHash} and t.expires_at > now())
  select row_to_json(caller)::text as "tokenJson", case when caller.is_active and caller.is_employer_active then ${new Fragment(output.text)} end as output from caller`;

/** Updates at most once a minute. Extends the expiry, except that of an API key. */
export const updateTokenUse = statement(z.never())<{
  id: number;
  ip: string;
  expiresAt: Date;
  maxDays: number;
}>`
  update access_tokens
     set last_used_at = now(), ip = ${({ ip }) => ip},
         expires_at = case when kind = 'api_key' then expires_at
                           else least(${({ expiresAt }) => expiresAt}, created_at + make_interval(days => ${({ maxDays }) => maxDays})) end
   where id = ${({ id }) => id} and (last_used_at is null or last_used_at < now() - interval '1 minute')`;

/** Serialises the sign-ins of an account: concurrent ones must not exceed the maximum together. */
export const lockSignIns = statement(z.strictObject({ locked: z.int() }))<{ userId: number }>`
  select 1 as locked from pg_advisory_xact_lock(${() => ADVISORY_LOCKS.signIns}::int, ${({ userId }) => userId}::int)`;

export const deleteOldestSignIns = statement(z.never())<{ userId: number; keptCount: number }>`
  delete from access_tokens where id in (
    select id from access_tokens where user_id = ${({ userId }) => userId} and kind <> 'api_key' and expires_at > now()
     order by coalesce(last_used_at, created_at) desc, id desc offset ${({ keptCount }) => keptCount}::int)`;

/** `created_at` is the start of the transaction, as in the audit entry. */
export const insertSignInToken = statement(
  z.strictObject({ id: z.int(), devices: z.array(z.string().nullable()) }),
)<{
  userId: number;
  tokenHash: Buffer;
  lastFour: string;
  ip: string;
  userAgent: string | null;
  expiresAt: Date;
  isProven: boolean;
}>`
  with inserted as (
    insert into access_tokens (user_id, kind, name, token_hash, last_four, ip, user_agent, expires_at, proven_at)
    values (${({ userId }) => userId}, 'sign_in', 'sign-in', ${({ tokenHash }) => tokenHash},
            ${({ lastFour }) => lastFour}, ${({ ip }) => ip}, ${({ userAgent }) => userAgent},
            ${({ expiresAt }) => expiresAt}, case when ${({ isProven }) => isProven} then now() end)
    returning id, user_id)
  select id, array(
           select user_agent from audit_events
            where actor_id = inserted.user_id and action in ('sign_in.succeeded', 'account.registered')
            order by audit_events.id desc limit 20) as devices
    from inserted`;

export const exchangeSignInToken = statement(z.strictObject({ userId: z.int() }))<{
  tokenHash: Buffer;
  secretHash: Buffer;
  lastFour: string;
  maxAgeSeconds: number;
}>`
  update access_tokens
     set kind = 'session', name = 'panel', token_hash = ${({ secretHash }) => secretHash},
         last_four = ${({ lastFour }) => lastFour}
   where token_hash = ${({ tokenHash }) => tokenHash} and kind = 'sign_in' and expires_at > now()
     and created_at > now() - make_interval(secs => ${({ maxAgeSeconds }) => maxAgeSeconds})
  returning user_id as "userId"`;

export const listSessionsByUse = statement(
  z.strictObject({
    id: z.int(),
    kind: TokenKind.exclude(["api_key"]),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    createdAt: z.date(),
    lastUsedAt: z.date().nullable(),
    expiresAt: z.date(),
  }),
)<{ userId: number }>`
  select id, kind, ip, user_agent as "userAgent", created_at as "createdAt", last_used_at as "lastUsedAt",
         expires_at as "expiresAt"
    from access_tokens
   where user_id = ${({ userId }) => userId} and kind <> 'api_key' and expires_at > now()
   order by coalesce(last_used_at, created_at) desc limit 200`;

const SignIn = z.strictObject({
  userId: z.int(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: z.date(),
  /** User agents of earlier sign-ins, latest first. */
  earlierUserAgents: z.array(z.string().nullable()),
});
export const findSignIn = statement(SignIn)<{ tokenId: number }>`
  select t.user_id as "userId", t.ip, t.user_agent as "userAgent", t.created_at as "createdAt",
         array(select e.user_agent from audit_events e
                where e.actor_id = t.user_id and e.action in ('sign_in.succeeded', 'account.registered')
                  and e.at < t.created_at
                order by e.id desc limit 200) as "earlierUserAgents"
    from access_tokens t where t.id = ${({ tokenId }) => tokenId}`;

const SignInCounts = z.strictObject({
  bucket: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  refused: z.int(),
});
interface SignInCountParams {
  userId: number;
  limits: Date[];
}

/** Counts sign-ins of the accounts `account` since their `start`. */
const signInCountsSql = sqlPart<SignInCountParams>`
  select ${bucketSql("e.at")} as bucket,
         count(*) filter (where e.action = 'sign_in.succeeded')::int as succeeded,
         count(*) filter (where e.action = 'sign_in.failed')::int as failed,
         count(*) filter (where e.action = 'sign_in.refused')::int as refused
    from account join audit_events e on e.actor_id = account.id and e.at >= account.start
   where e.action in ('sign_in.succeeded', 'sign_in.failed', 'sign_in.refused') and ${inLimitsSql("e.at")}
   group by 1`;

/** Since the latest claim from an earlier holder. One scan; Prisma cannot group by an interval. */
export const countOwnSignIns = statement(SignInCounts)<SignInCountParams>`
  with account as (
    select ${({ userId }) => userId}::int as id,
           coalesce((select max(at) from audit_events
                      where object_type = 'User' and object_id = ${({ userId }) => userId}::int::text
                        and action = 'account.claimed'), '-infinity') as start)
  ${signInCountsSql}`;

/** Since each member joined the team. */
export const countTeamSignIns = statement(SignInCounts)<SignInCountParams>`
  with account as (
    select u.id, coalesce((select max(e.at) from audit_events e
                            where e.object_type = 'User' and e.object_id = u.id::text
                              and e.action in ('account.claimed', 'account.parent_changed')), '-infinity') as start
      from users u where u.parent_user_id = ${({ userId }) => userId} and u.anonymised_at is null)
  ${signInCountsSql}`;
/** Counts and stores in one statement; another worker may have stored the same hour. */
export const storeActivitySample = statement(z.never())`
  insert into activity_samples (at, accounts)
  select date_trunc('hour', now()), count(distinct user_id)
    from access_tokens where last_used_at > now() - interval '24 hours'
      on conflict (at) do nothing`;

/** One scan for all intervals; Prisma cannot group by an interval. */
export const listLastActivitySamples = statement(z.strictObject({ bucket: z.int(), accounts: z.int() }))<{
  limits: Date[];
}>`
  select ${bucketSql("at")} as bucket, (array_agg(accounts order by at desc))[1] as accounts
    from activity_samples where ${inLimitsSql("at")}
   group by 1 order by 1`;
