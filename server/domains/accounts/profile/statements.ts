import * as z from "zod";
import { env } from "@/server/core/env";
import { Fragment, isoMicrosSql } from "@/server/infrastructure/database/sql";
import { statement } from "@/server/infrastructure/database/statement";
import { PLATFORM_MODULES } from "./contract";

const VERIFIED_AT = new Fragment(isoMicrosSql("u.email_verified_at"));
const CREATED_AT = new Fragment(isoMicrosSql("u.created_at"));
const isObject = (body: string) => typeof JSON.parse(body) === "object";

/** JSON by PostgreSQL, in one statement: the most frequent read of the API. */
export const profileJson = statement(z.strictObject({ body: z.string().refine(isObject) }), { short: true })<{
  id: number;
}>`
  select json_build_object(
    'success', true,
    'user', json_build_object(
      'id', u.id, 'name', u.name, 'email', coalesce(u.pending_email, u.email), 'phone', u.phone, 'role', u.role, 'is_active', u.is_active,
      'credits', u.credits, 'allowed_modules', u.allowed_modules, 'assigned_site_id', u.assigned_site_id,
      'is_agent_only', u.is_agent_only, 'reseller_id', u.reseller_id, 'parent_user_id', u.parent_user_id,
      'locale', u.locale, 'timezone', u.timezone, 'app_name', u.app_name, 'app_logo_url', u.app_logo_url,
      'app_primary_color', u.app_primary_color, 'email_verified_at', case when u.pending_email is null then ${VERIFIED_AT} end,
      'provider', coalesce(u.provider, 'email'),
      'avatar_url', case when u.avatar_url like '/media/%' then ${() => env().APP_URL}::text || u.avatar_url else u.avatar_url end,
      'created_at', ${CREATED_AT},
      'sites', coalesce(s.sites, '[]'::json)),
    'stats', json_build_object('sites_count', coalesce(s.count, 0), 'credits', u.credits,
      'monthly_usage', coalesce(m.credits_used, 0)),
    'usage', json_build_object('messages_sent', coalesce(m.messages_sent, 0), 'ai_calls', coalesce(m.ai_calls, 0),
      'voice_minutes', coalesce(m.voice_minutes, 0)),
    'modules', (select coalesce(json_agg(name order by place), '[]'::json)
                  from unnest(${() => PLATFORM_MODULES}::text[]) with ordinality as offered(name, place)
                 where u.allowed_modules is null or u.allowed_modules ? name)
  )::text as body
  from users u
  left join usage_months m on m.user_id = u.id and m.month = date_trunc('month', now() at time zone 'UTC')::date
  left join lateral (
    select json_agg(json_build_object('id', id, 'name', name, 'domain', domain, 'is_active', is_active) order by id) as sites,
           count(*) as count
      from sites where user_id = u.id) s on true
  where u.id = ${({ id }) => id}`;
