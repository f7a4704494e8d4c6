import type { Context, UserActor } from "@/server/core/context";
import { type Answer, RawJson } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { isLocale } from "@/server/core/locale";
import { isoMicros } from "@/server/core/time";
import { Fragment, isoMicrosSql } from "@/server/infrastructure/database/sql";
import { queueMail } from "@/server/infrastructure/mail/outbox";
import { publicUrl } from "@/server/infrastructure/storage/public";
import { type getUser, PLATFORM_MODULES, type SignedInUser } from "./contract";

const VERIFIED_AT = new Fragment(isoMicrosSql("u.email_verified_at"));
const CREATED_AT = new Fragment(isoMicrosSql("u.created_at"));

/** The whole profile, written as JSON by PostgreSQL in one statement: the most called read of the API. */
export async function authUser({ actor, sql }: Context<UserActor>): Promise<RawJson> {
  const [row] = await sql<{ body: string }>`
    select json_build_object(
      'success', true,
      'user', json_build_object(
        'id', u.id, 'name', u.name, 'email', u.email, 'phone', u.phone, 'role', u.role, 'is_active', u.is_active,
        'credits', u.credits, 'allowed_modules', u.allowed_modules, 'assigned_site_id', u.assigned_site_id,
        'is_agent_only', u.is_agent_only, 'reseller_id', u.reseller_id, 'parent_user_id', u.parent_user_id,
        'locale', u.locale, 'timezone', u.timezone, 'app_name', u.app_name, 'app_logo_url', u.app_logo_url,
        'app_primary_color', u.app_primary_color, 'email_verified_at', ${VERIFIED_AT},
        'provider', coalesce(u.provider, 'email'),
        'avatar_url', case when u.avatar_url like '/media/%' then ${env().APP_URL}::text || u.avatar_url else u.avatar_url end,
        'created_at', ${CREATED_AT},
        'sites', coalesce(s.sites, '[]'::json)),
      'stats', json_build_object('sites_count', coalesce(s.count, 0), 'credits', u.credits,
        'monthly_usage', coalesce(m.credits_used, 0)),
      'usage', json_build_object('messages_sent', coalesce(m.messages_sent, 0), 'ai_calls', coalesce(m.ai_calls, 0),
        'voice_minutes', coalesce(m.voice_minutes, 0)),
      'modules', (select coalesce(json_agg(name order by place), '[]'::json)
                    from unnest(${PLATFORM_MODULES as readonly string[]}::text[]) with ordinality as offered(name, place)
                   where u.allowed_modules is null or u.allowed_modules ? name)
    )::text as body
    from users u
    left join usage_months m on m.user_id = u.id and m.month = date_trunc('month', now() at time zone 'UTC')::date
    left join lateral (
      select json_agg(json_build_object('id', id, 'name', name, 'domain', domain, 'is_active', is_active) order by id) as sites,
             count(*) as count
        from sites where user_id = u.id) s on true
    where u.id = ${actor.id}`;
  return new RawJson(row!.body);
}

/** The short profile. */
export async function user({ actor, db }: Context<UserActor>): Promise<Answer<typeof getUser>> {
  const row = await db.user.findUniqueOrThrow({
    where: { id: actor.id },
    select: {
      id: true,
      name: true,
      email: true,
      phone: true,
      role: true,
      credits: true,
      locale: true,
      timezone: true,
      avatarUrl: true,
      emailVerifiedAt: true,
      createdAt: true,
      _count: { select: { sites: true } },
    },
  });
  const profile = {
    id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    role: row.role,
    credits: row.credits,
    locale: row.locale,
    timezone: row.timezone,
    avatar_url: publicUrl(row.avatarUrl),
    email_verified_at: row.emailVerifiedAt && isoMicros(row.emailVerifiedAt),
    created_at: isoMicros(row.createdAt),
    sites_count: row._count.sites,
  };
  return { success: true, user: profile, data: profile };
}

/** The columns of `users` that a sign-in answers with. */
export interface UserRow {
  id: number;
  name: string;
  email: string;
  phone: string | null;
  role: "user" | "reseller" | "admin";
  is_active: boolean;
  credits: number;
  allowed_modules: string[] | null;
  assigned_site_id: number | null;
  is_agent_only: boolean;
  reseller_id: number | null;
  locale: string | null;
}

export function signedInUser(row: UserRow): SignedInUser {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    role: row.role,
    is_active: row.is_active,
    credits: row.credits,
    allowed_modules: row.allowed_modules,
    assigned_site_id: row.assigned_site_id,
    is_agent_only: row.is_agent_only,
    reseller_id: row.reseller_id,
    locale: row.locale,
  };
}

/** Modules of the platform that this account may use. */
export function modulesOf({ allowed_modules }: Pick<UserRow, "allowed_modules">): string[] {
  return PLATFORM_MODULES.filter((name) => allowed_modules === null || allowed_modules.includes(name));
}

type Notice =
  | "export_ready"
  | "password_changed"
  | "two_factor_enabled"
  | "two_factor_removed"
  | "new_sign_in"
  | "key_ends_soon"
  | "passkey_added"
  | "passkey_removed"
  | "identity_connected"
  | "identity_removed"
  | "account_claimed"
  | "account_released";

interface Owner {
  name: string;
  email: string;
  locale: string | null;
  timezone: string | null;
}

/**
 * Mails the owner that something about getting in has changed, with the page where it is undone. Moments among
 * the parameters are written in the owner's language and time zone.
 */
export async function notifyOwner(
  { sql, locale: fallback }: Pick<Context, "sql" | "locale">,
  userId: number,
  template: Notice,
  {
    path = "/forgot-password",
    params = {},
  }: { path?: string; params?: Record<string, string | number | Date> } = {},
): Promise<void> {
  const [owner] = await sql<Owner>`
    select name, email, locale, timezone from users where id = ${userId}`;
  if (!owner) return;
  const locale = isLocale(owner.locale) ? owner.locale : fallback;
  const moments = new Intl.DateTimeFormat(locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: owner.timezone ?? "Europe/Istanbul",
  });
  const written = Object.entries(params).map(([name, value]) => [
    name,
    value instanceof Date ? moments.format(value) : value,
  ]);
  await queueMail(
    { sql },
    { userId, address: owner.email },
    {
      template,
      locale,
      params: { name: owner.name, ...Object.fromEntries(written) },
      path,
    },
  );
}
