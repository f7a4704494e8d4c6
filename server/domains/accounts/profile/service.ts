import type { Context, UserActor } from "@/server/core/context";
import { type Output, RawJson } from "@/server/core/contract";
import { isoMicros } from "@/server/core/time";
import { publicUrl } from "@/server/infrastructure/storage/public";
import { type getUser, PLATFORM_MODULES, type SignedInUser } from "./contract";
import { profileJson } from "./statements";

/** Returns the whole profile, as JSON. */
export async function authUser(ctx: Context<UserActor>): Promise<RawJson> {
  const [row] = await profileJson(ctx, { id: ctx.actor.id });
  return new RawJson(row!.body);
}

/** Returns the short profile. */
export async function user({ actor, db }: Context<UserActor>): Promise<Output<typeof getUser>> {
  const row = await db.user.findUniqueOrThrow({
    where: { id: actor.id },
    select: {
      id: true,
      name: true,
      email: true,
      pendingEmail: true,
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
    email: row.pendingEmail ?? row.email,
    phone: row.phone,
    role: row.role,
    credits: row.credits,
    locale: row.locale,
    timezone: row.timezone,
    avatar_url: publicUrl(row.avatarUrl),
    email_verified_at: isoMicros(row.pendingEmail === null ? row.emailVerifiedAt : null),
    created_at: isoMicros(row.createdAt),
    sites_count: row._count.sites,
  };
  return { success: true, user: profile, data: profile };
}

/** Picks the documented fields of a signed-in user. */
export function signedInUser(row: SignedInUser): SignedInUser {
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

/** Returns the platform modules that this account may use. */
export function modulesOf({ allowed_modules }: Pick<SignedInUser, "allowed_modules">): string[] {
  return PLATFORM_MODULES.filter((name) => allowed_modules === null || allowed_modules.includes(name));
}
