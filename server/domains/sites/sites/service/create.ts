import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { AppError, invalidCounted, refuse } from "@/server/core/errors";
import { isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service";
import { missingMandatory } from "@/server/domains/accounts/consents/service/record";
import { requireSigned } from "@/server/domains/accounts/portal-lock/service";
import { SITE_LICENCE_PRICE_TRY } from "@/server/domains/sites/slots/contract";
import { lockSlots, openLicence, type Slot, slotsOf } from "@/server/domains/sites/slots/service";
import { onlyStatements, type Work } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import { digest, newToken } from "@/server/infrastructure/secrets/tokens";
import type { createSite } from "../contract";
import { mayCreateSites } from "../policy";
import { hasDomain, insertSite } from "../statements";
import { searchTextOf } from "./search";

type Body = Input<typeof createSite>["body"];
type Created = Output<typeof createSite>;

/**
 * Creates a site and decides what pays for it (docs/contract.md 4.11): a free slot, else an annual licence that a
 * reseller has confirmed; otherwise nothing is created.
 */
export async function create(ctx: Context<UserActor>, { body }: Input<typeof createSite>): Promise<Created> {
  if (!mayCreateSites(ctx.actor.scope)) throw refuse("forbidden");
  return onlyStatements(ctx, async (tx) => {
    await lockSlots(tx, ctx.actor.id);
    const slots = await slotsOf(tx, ctx.actor.id);
    const slot = slots.find(({ slots: all, used }) => used < all);
    const { fromProvider } = ctx.actor;
    // Reported before the caller is asked to pay or agree to anything; in other cases the insert detects it.
    if ((!slot || fromProvider) && (await hasDomain(tx, body)).length > 0)
      throw invalidCounted("domain", "domain_taken");
    if (!slot) {
      requireLicence(ctx.actor, body);
      await requireSigned(tx);
    }
    if (fromProvider) await requireConsents(tx, ctx.actor);

    const { site, key } = await insert(tx, ctx.actor.id, body, slot);
    const billing = slot
      ? { mode: "subscription_slot" as const, remaining_slots: remaining(slots) - 1 }
      : await licenceBilling(tx, ctx.actor.id, site.id);
    await audit(tx, {
      action: "site.created",
      object: { type: "Site", id: site.id },
      details: { mode: billing.mode },
    });
    return { success: true, site: { ...site, api_key: key }, billing };
  });
}

async function requireConsents(work: Pick<Work, "sql">, actor: UserActor): Promise<void> {
  const missing = await missingMandatory(work, actor.id);
  if (missing.length > 0) throw new AppError("consents_required", { missing_consents: missing });
}

function remaining(slots: Slot[]): number {
  return slots.reduce((sum, { slots: all, used }) => sum + Math.max(0, all - used), 0);
}

/** Without a slot, resellers must confirm a licence, and others need another plan. */
function requireLicence({ role }: UserActor, body: Body): void {
  if (role !== "reseller") throw new AppError("site_needs_upgrade", { requires_upgrade: true });
  if (body.confirm_pay_per_site || body.confirm_paid_site) return;
  throw new AppError("site_needs_confirmation", {
    requires_confirmation: true,
    billing_mode: "pay_per_site",
    annual_price_try: SITE_LICENCE_PRICE_TRY,
  });
}

async function insert(work: Pick<Work, "sql">, userId: number, body: Body, slot: Slot | undefined) {
  const key = newToken("dsk");
  const [made] = await insertSite(work, {
    userId,
    subscriptionId: slot?.id ?? null,
    name: body.name,
    domain: body.domain,
    keyHash: digest(key),
    keySealed: Buffer.from(seal(key, "widget_key")),
    keyLastFour: key.slice(-4),
    widgetColor: body.widget_color ?? "#4F46E5",
    widgetPosition: body.widget_position ?? "bottom-right",
    welcomeMessage: body.welcome_message ?? "",
    botName: body.bot_name ?? "",
    aiEnabled: body.ai_enabled ?? true,
    similarityThreshold: body.similarity_threshold ?? 0.75,
    systemPrompt: body.system_prompt ?? "",
    searchText: searchTextOf(body),
  });
  if (!made) throw invalidCounted("domain", "domain_taken");
  const site = {
    id: made.id,
    name: made.name,
    domain: made.domain,
    user_id: made.userId,
    subscription_id: made.subscriptionId,
    is_active: made.isActive,
    created_at: isoMicros(made.createdAt),
  };
  return { site, key };
}

async function licenceBilling(
  work: Pick<Work, "sql">,
  userId: number,
  siteId: number,
): Promise<Created["billing"]> {
  const licence = await openLicence(work, { userId, siteId });
  return {
    mode: "pay_per_site",
    annual_price_try: SITE_LICENCE_PRICE_TRY,
    license_id: licence.id,
    license_status: "pending",
    period_end: isoMicros(licence.periodEnd),
  };
}
