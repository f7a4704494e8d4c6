import type { Context, UserActor } from "@/server/core/context";
import { type Output, RawJson } from "@/server/core/contract";
import { type getUser, PLATFORM_MODULES, type SignedInUser } from "./contract";
import { loadProfileJson, loadShortProfileJson } from "./statements";

export async function getProfileJson(ctx: Context<UserActor>): Promise<RawJson> {
  const [row] = await loadProfileJson(ctx, { id: ctx.actor.id });
  return new RawJson(row!.json);
}

export async function getShortProfileJson(ctx: Context<UserActor>): Promise<RawJson> {
  const [row] = await loadShortProfileJson(ctx, { id: ctx.actor.id });
  return new RawJson(row!.json);
}

export async function getShortProfile(ctx: Context<UserActor>): Promise<Output<typeof getUser>["user"]> {
  return JSON.parse((await getShortProfileJson(ctx)).text).user;
}

export function toSignedInUser(row: SignedInUser): SignedInUser {
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

export function getEnabledModules({ allowed_modules }: Pick<SignedInUser, "allowed_modules">): string[] {
  return PLATFORM_MODULES.filter((name) => allowed_modules === null || allowed_modules.includes(name));
}
