import type { Context, UserActor } from "@/server/core/context";
import { type Answer, RawJson } from "@/server/core/contract";
import { isLocale } from "@/server/core/locale";
import { isoMicros } from "@/server/core/time";
import { queueMail } from "@/server/infrastructure/mail/outbox";
import { publicUrl } from "@/server/infrastructure/storage/public";
import { type getUser, PLATFORM_MODULES, type SignedInUser } from "./contract";
import { profileJson } from "./statements";

/** The whole profile, as JSON. */
export async function authUser(ctx: Context<UserActor>): Promise<RawJson> {
  const [row] = await profileJson(ctx, { id: ctx.actor.id });
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

/**
 * Mails the owner that something about getting in has changed, with the page where it is undone. Moments among
 * the parameters are written in the owner's language and time zone.
 */
export async function notifyOwner(
  tx: Pick<Context, "db" | "sql" | "locale">,
  userId: number,
  template: Notice,
  {
    path = "/forgot-password",
    params = {},
  }: { path?: string; params?: Record<string, string | number | Date> } = {},
): Promise<void> {
  const owner = await tx.db.user.findUnique({
    where: { id: userId },
    select: { name: true, email: true, locale: true, timezone: true },
  });
  if (!owner) return;
  const locale = isLocale(owner.locale) ? owner.locale : tx.locale;
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
    tx,
    { userId, address: owner.email },
    {
      template,
      locale,
      params: { name: owner.name, ...Object.fromEntries(written) },
      path,
    },
  );
}
