/* Statements of the hand-written server, with the same rows and bodies as the application's. */

const formatIso = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const nameStatement = (name: string, text: string) => ({ name, text });

export const FIND_TOKEN = nameStatement(
  "find_token",
  `select t.id, t.kind, t.abilities, t.last_used_at, t.user_id, u.role, u.is_active, u.locale, u.is_agent_only
     from access_tokens t join users u on u.id = t.user_id
    where t.token_hash = $1 and t.expires_at > now()`,
);

export const TOUCH_TOKEN = nameStatement(
  "touch_token",
  `update access_tokens set last_used_at = now(), ip = $2,
          expires_at = case when kind = 'api_key' then expires_at else now() + interval '30 days' end
    where id = $1`,
);

export const READ_PROFILE = nameStatement(
  "profile",
  `select json_build_object(
      'success', true,
      'user', json_build_object(
        'id', u.id, 'name', u.name, 'email', u.email, 'phone', u.phone, 'role', u.role, 'is_active', u.is_active,
        'credits', u.credits, 'allowed_modules', u.allowed_modules, 'assigned_site_id', u.assigned_site_id,
        'is_agent_only', u.is_agent_only, 'reseller_id', u.reseller_id, 'parent_user_id', u.parent_user_id,
        'locale', u.locale, 'timezone', u.timezone, 'app_name', u.app_name, 'app_logo_url', u.app_logo_url,
        'app_primary_color', u.app_primary_color, 'email_verified_at', ${formatIso("u.email_verified_at")},
        'provider', coalesce(u.provider, 'email'), 'avatar_url', u.avatar_url, 'created_at', ${formatIso("u.created_at")},
        'sites', coalesce(s.sites, '[]'::json)),
      'stats', json_build_object('sites_count', coalesce(s.count, 0), 'credits', u.credits,
        'monthly_usage', coalesce(m.credits_used, 0)),
      'usage', json_build_object('messages_sent', coalesce(m.messages_sent, 0), 'ai_calls', coalesce(m.ai_calls, 0),
        'voice_minutes', coalesce(m.voice_minutes, 0)),
      'modules', (select coalesce(json_agg(name order by place), '[]'::json)
                    from unnest('{appointment,saas}'::text[]) with ordinality as offered(name, place)
                   where u.allowed_modules is null or u.allowed_modules ? name))::text as body
    from users u
    left join usage_months m on m.user_id = u.id and m.month = date_trunc('month', now() at time zone 'UTC')::date
    left join lateral (
      select json_agg(json_build_object('id', id, 'name', name, 'domain', domain, 'is_active', is_active) order by id) as sites,
             count(*) as count
        from sites where user_id = u.id and deleted_at is null) s on true
   where u.id = $1`,
);

export const LIST_SITES = nameStatement(
  "sites",
  `with reachable as materialized (
     select * from sites
      where deleted_at is null
        and user_id = any(array(select $1::int union all select id from users where parent_user_id = $1)))
   select json_build_object('data', coalesce(json_agg(json_build_object(
      'id', s.id, 'name', s.name, 'domain', s.domain, 'user_id', s.user_id,
      'api_key', 'dsk_****' || s.api_key_last_four, 'is_active', s.is_active,
      'suspended_reason', s.suspended_reason, 'suspended_at', ${formatIso("s.suspended_at")},
      'suspended_by', s.suspended_by, 'last_seen_at', ${formatIso("s.last_seen_at")},
      'last_seen_host', s.last_seen_host, 'system_prompt', s.system_prompt,
      'widget_color', s.widget_color, 'widget_position', s.widget_position, 'welcome_message', s.welcome_message,
      'bot_name', s.bot_name, 'ai_enabled', s.ai_enabled, 'similarity_threshold', s.similarity_threshold,
      'ai_provider_api_key', '****' || s.ai_provider_key_last_four, 'subscription_id', s.subscription_id,
      'billing', case when s.subscription_id is not null then 'slot'
                      when exists (select from site_licences l where l.site_id = s.id
                                      and ((l.status = 'active' and l.period_start <= now() and l.period_end > now())
                                        or (l.status = 'pending' and l.pay_by > now()))) then 'licence' else 'none' end,
      'settings', json_build_object('max_messages_per_session', s.max_messages_per_session),
      'created_at', ${formatIso("s.created_at")}, 'updated_at', ${formatIso("s.updated_at")}) order by s.id), '[]'::json))::text as body
    from (select * from reachable order by id limit 10000) s`,
);

export const LOCK_SLOTS = nameStatement(
  "lock_slots",
  "select id from subscriptions where user_id = $1 order by id for update",
);

export const FIND_SLOTS = nameStatement(
  "slots",
  `select s.id, s.site_slots as slots, s.used_slots as used from subscriptions s
    where s.user_id = $1 and s.status in ('active', 'past_due') and s.ends_at + interval '7 days' > now()
    order by s.ends_at, s.id`,
);

export const INSERT_SITE = nameStatement(
  "insert_site",
  `insert into sites (user_id, subscription_id, name, domain, api_key_hash, api_key_sealed, api_key_last_four,
                      widget_color, widget_position, welcome_message, bot_name, ai_enabled, similarity_threshold, system_prompt,
                      search_text)
   values ($1, $2, $3, $4, $5, $6, $7, '#4F46E5', 'bottom-right', '', '', true, 0.75, '', lower($3 || ' ' || $4))
   on conflict (domain) do nothing
   returning id, name, domain, user_id, subscription_id, is_active, created_at`,
);

export const FIND_ACCOUNT = nameStatement(
  "find_account",
  `select id, name, email, phone, role, is_active, credits, allowed_modules, assigned_site_id, is_agent_only,
          reseller_id, locale, email_verified_at is not null as email_verified, password_hash,
          exists (select from factors where user_id = users.id and confirmed_at is not null) as has_second_factor
     from users where email_key = $1`,
);

export const INSERT_TOKEN = nameStatement(
  "insert_token",
  `insert into access_tokens (user_id, kind, name, token_hash, last_four, ip, user_agent, expires_at, proven_at)
   values ($1, 'sign_in', 'sign-in', $2, $3, $4, $5, now() + interval '30 days', now())`,
);

export const INSERT_AUDIT_ENTRY = nameStatement(
  "audit",
  `insert into audit_events (actor_kind, actor_id, action, object_type, object_id, details, ip, user_agent, request_id)
   values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9)`,
);
