import type { Context, UserActor } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { AppError, invalidCounted, refuse } from "@/server/core/errors";
import { isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/audit/service";
import { missingMandatory } from "@/server/domains/consents/service/record";
import { SITE_LICENCE_PRICE_TRY } from "@/server/domains/subscriptions/contract";
import { lockSlots, openLicence, type SlotRow, slotsOf } from "@/server/domains/subscriptions/service";
import { onlyStatements, type Work } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import { digest, newToken } from "@/server/infrastructure/secrets/tokens";
import type { createSite } from "../contract";
import { mayCreateSites } from "../policy";

type Body = Input<typeof createSite>["body"];
type Created = Answer<typeof createSite>;

/**
 * Creates a site and decides what pays for it (contract 4.11): a free slot, else for a reseller who
 * confirmed an annual licence, else nothing is created.
 */
export async function create(ctx: Context<UserActor>, { body }: Input<typeof createSite>): Promise<Created> {
  if (!mayCreateSites(ctx.actor.scope)) throw refuse("forbidden");
  return onlyStatements(ctx, async ({ sql, ...tx }) => {
    await lockSlots({ sql }, ctx.actor.id);
    const slots = await slotsOf({ sql }, ctx.actor.id);
    const slot = slots.find(({ slots: all, used }) => used < all);
    const { fromProvider } = ctx.actor;
    // Said first, before anything is asked to be paid for or agreed to; otherwise the insert finds out by itself.
    if ((!slot || fromProvider) && (await isTaken({ sql }, body.domain)))
      throw invalidCounted("domain", "domain_taken");
    if (!slot) requireLicence(ctx.actor, body);
    if (fromProvider) await requireConsents({ sql }, ctx.actor);

    const { site, key } = await insert({ sql }, ctx.actor.id, body, slot);
    const billing = slot
      ? { mode: "subscription_slot" as const, remaining_slots: remaining(slots) - 1 }
      : await licenceBilling({ sql }, ctx.actor.id, site.id);
    await audit(
      { sql, ...tx },
      { action: "site.created", object: { type: "Site", id: site.id }, details: { mode: billing.mode } },
    );
    return {
      success: true,
      site: { ...site, api_key: key, created_at: isoMicros(site.created_at) },
      billing,
    };
  });
}

async function requireConsents({ sql }: Pick<Work, "sql">, actor: UserActor): Promise<void> {
  const missing = await missingMandatory({ sql }, actor.id);
  if (missing.length > 0) throw new AppError("consents_required", { missing_consents: missing });
}

async function isTaken({ sql }: Pick<Work, "sql">, domain: string): Promise<boolean> {
  return (await sql`select 1 from sites where domain = ${domain}`).length > 0;
}

function remaining(slots: SlotRow[]): number {
  return slots.reduce((sum, { slots: all, used }) => sum + Math.max(0, all - used), 0);
}

/** Without a slot: resellers confirm a licence, others need another plan. */
function requireLicence({ role }: UserActor, body: Body): void {
  if (role !== "reseller") throw new AppError("site_needs_upgrade", { requires_upgrade: true });
  if (body.confirm_pay_per_site || body.confirm_paid_site) return;
  throw new AppError("site_needs_confirmation", {
    requires_confirmation: true,
    billing_mode: "pay_per_site",
    annual_price_try: SITE_LICENCE_PRICE_TRY,
  });
}

interface SiteRow {
  id: number;
  name: string;
  domain: string;
  user_id: number;
  subscription_id: number | null;
  is_active: boolean;
  created_at: Date;
}

async function insert({ sql }: Pick<Work, "sql">, userId: number, body: Body, slot: SlotRow | undefined) {
  const key = newToken("dsk");
  const [site] = await sql<SiteRow>`
    insert into sites (user_id, subscription_id, name, domain, api_key_hash, api_key_sealed, api_key_last_four,
                       widget_color, widget_position, welcome_message, bot_name, ai_enabled, similarity_threshold, system_prompt)
    values (${userId}, ${slot?.id ?? null}, ${body.name}, ${body.domain}, ${digest(key)}, ${Buffer.from(seal(key, "widget_key"))},
            ${key.slice(-4)}, ${body.widget_color ?? "#4F46E5"}, ${body.widget_position ?? "bottom-right"},
            ${body.welcome_message ?? ""}, ${body.bot_name ?? ""}, ${body.ai_enabled ?? true},
            ${body.similarity_threshold ?? 0.75}, ${body.system_prompt ?? ""})
    on conflict (domain) do nothing
    returning id, name, domain, user_id, subscription_id, is_active, created_at`;
  if (!site) throw invalidCounted("domain", "domain_taken");
  return { site, key };
}

async function licenceBilling(
  { sql }: Pick<Work, "sql">,
  userId: number,
  siteId: number,
): Promise<Created["billing"]> {
  const licence = await openLicence({ sql }, { userId, siteId });
  return {
    mode: "pay_per_site",
    annual_price_try: SITE_LICENCE_PRICE_TRY,
    license_id: licence.id,
    license_status: "pending",
    period_end: isoMicros(licence.period_end),
  };
}
