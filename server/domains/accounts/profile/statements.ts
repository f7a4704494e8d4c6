import * as z from "zod";
import { env } from "@/server/core/env";
import { Fragment, isoMicrosSql, statement, toSqlLiteral } from "@/server/infrastructure/database/statement";
import { PLATFORM_MODULES } from "./contract";

const VERIFIED_AT_SQL = `case when u.pending_email is null then ${isoMicrosSql("u.email_verified_at")} end`;
const CREATED_AT_SQL = isoMicrosSql("u.created_at");
const logoUrlSql = () =>
  `case when b.look[4] is not null then ${toSqlLiteral(env().APP_URL)} || '/' || b.look[4] end`;
const avatarUrlSql = () =>
  `case when u.avatar_url like '/media/%' then ${toSqlLiteral(env().APP_URL)} || u.avatar_url else u.avatar_url end`;
const MODULE_ROWS_SQL = PLATFORM_MODULES.map((name, index) => `(${index}, '${name}')`).join(", ");

const JsonRow = z.strictObject({ json: z.string().refine((json) => typeof JSON.parse(json) === "object") });

/** `GET /api/auth/user`. `b.look`: product name, logo URL, colour and path of an uploaded logo. */
export const CALLER_PROFILE_SQL = new Fragment(
  () => `(
  select json_build_object(
    'success', true,
    'user', json_build_object(
      'id', u.id, 'name', u.name, 'email', coalesce(u.pending_email, u.email), 'phone', u.phone, 'role', u.role, 'is_active', u.is_active,
      'credits', u.credits, 'allowed_modules', u.allowed_modules, 'assigned_site_id', u.assigned_site_id,
      'is_agent_only', u.is_agent_only, 'reseller_id', u.reseller_id, 'parent_user_id', u.parent_user_id,
      'locale', u.locale, 'timezone', u.timezone, 'app_name', coalesce(u.app_name, b.look[1]),
      'app_logo_url', coalesce(u.app_logo_url, b.look[2], ${logoUrlSql()}),
      'app_primary_color', coalesce(u.app_primary_color, b.look[3]), 'email_verified_at', ${VERIFIED_AT_SQL},
      'provider', coalesce(u.provider, 'email'), 'avatar_url', ${avatarUrlSql()}, 'created_at', ${CREATED_AT_SQL},
      'sites', coalesce(s.sites, '[]'::json)),
    'stats', json_build_object('sites_count', coalesce(s.count, 0), 'credits', u.credits,
      'monthly_usage', coalesce(m.credits_used, 0)),
    'usage', json_build_object('messages_sent', coalesce(m.messages_sent, 0), 'ai_calls', coalesce(m.ai_calls, 0),
      'voice_minutes', coalesce(m.voice_minutes, 0)),
    'modules', (select coalesce(json_agg(name order by place), '[]'::json) from (values ${MODULE_ROWS_SQL}) as offered(place, name)
                 where u.allowed_modules is null or u.allowed_modules ? name)
  )::text
  from users u
  cross join lateral (
    select case when u.role <> 'admin' and (u.role = 'reseller' or u.reseller_id is not null or u.parent_user_id is not null)
                then brand_above(u.parent_user_id, case when u.role = 'reseller' then u.id else u.reseller_id end) end as look
    offset 0) b
  left join usage_months m on m.user_id = u.id and m.month = date_trunc('month', now() at time zone 'UTC')::date
  left join lateral (
    select json_agg(json_build_object('id', id, 'name', name, 'domain', domain, 'is_active', is_active) order by id) as sites,
           count(*) as count
      from sites where user_id = u.id and deleted_at is null) s on true
  where u.id = caller.user_id)`,
);

/** `GET /api/user`. */
export const CALLER_SHORT_PROFILE_SQL = new Fragment(
  () => `(
  select json_build_object('success', true, 'user', profile, 'data', profile)::text
    from (select json_build_object(
            'id', u.id, 'name', u.name, 'email', coalesce(u.pending_email, u.email), 'phone', u.phone, 'role', u.role,
            'credits', u.credits, 'locale', u.locale, 'timezone', u.timezone, 'avatar_url', ${avatarUrlSql()},
            'mail_locale', coalesce(u.locale, u.sign_up_locale),
            'date_format', u.date_format, 'hour_cycle', u.hour_cycle, 'week_start', u.week_start,
            'email_verified_at', ${VERIFIED_AT_SQL}, 'created_at', ${CREATED_AT_SQL},
            'sites_count', (select count(*) from sites where user_id = u.id and deleted_at is null)) as profile
            from users u where u.id = caller.user_id) as made)`,
);

export const loadProfileJson = statement(JsonRow, { short: true })<{ id: number }>`
  select ${CALLER_PROFILE_SQL} as json from (select ${({ id }) => id}::int as user_id) as caller`;

export const loadShortProfileJson = statement(JsonRow, { short: true })<{ id: number }>`
  select ${CALLER_SHORT_PROFILE_SQL} as json from (select ${({ id }) => id}::int as user_id) as caller`;
