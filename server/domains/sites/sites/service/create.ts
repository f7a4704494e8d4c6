import type * as z from "zod";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { AppError, countedInvalidField, createError } from "@/server/core/errors";
import { getAuditAuthor } from "@/server/domains/accounts/audit/service/audit";
import { findMissingConsentKeys } from "@/server/domains/accounts/consents/service/record";
import { withIdempotency } from "@/server/domains/accounts/idempotency/service";
import { newEventId, scheduleWebhookFanOut } from "@/server/domains/accounts/webhooks/service/events";
import {
  bindSlotLockForNewSite,
  listSlotSubscriptions,
  lockSlotsForNewSite,
} from "@/server/domains/sites/slots/service";
import {
  type DbAccess,
  inOneRoundTrip,
  withStatementTransaction,
} from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { seal } from "@/server/infrastructure/secrets/seal";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import type { createSite } from "../contract";
import { canCreateSites, SITE_DEFAULTS } from "../policy";
import { insertSite, type NewSite } from "../statements";
import { openLicenceForSite, requireLicenceAllowed } from "./billing";
import { requireCustomer, requireOwnCustomer } from "./customer";
import { buildSiteSearchText } from "./search";

type Body = Input<typeof createSite>["body"];
type CreateOutput = Output<typeof createSite>;
type InsertedSite = z.output<typeof insertSite.row>;
type NewSiteWithKey = NewSite & { key: string };

/** A free slot of the owner pays, otherwise a licence that a reseller confirmed (docs/contract.md 4.11). */
export async function addSite(
  ctx: Context<UserActor>,
  { body }: Input<typeof createSite>,
): Promise<CreateOutput> {
  if (!canCreateSites(ctx.actor.scope)) throw createError("forbidden");
  const site = buildNewSite(ctx, body);
  if (body.customer_id != null) await requireCustomer(ctx, body.customer_id);
  return (await createInOneRoundTrip(ctx, site)) ?? createStepByStep(ctx, site, body);
}

/** Covers the usual case: an own site, a free slot, a free domain. Otherwise returns undefined. */
async function createInOneRoundTrip(
  { actor, idempotentCall }: Context<UserActor>,
  site: NewSiteWithKey,
): Promise<CreateOutput | undefined> {
  if (actor.isFromProvider || idempotentCall || site.userId !== actor.id) return undefined;
  const [, [insertedSite]] = await inOneRoundTrip(
    bindSlotLockForNewSite(actor.id),
    insertSite.bindParams(site),
  );
  if (insertedSite?.hasSubscribers) scheduleWebhookFanOut();
  return insertedSite && toResponse(site, insertedSite, toSlotBilling(insertedSite));
}

async function createStepByStep(
  ctx: Context<UserActor>,
  site: NewSiteWithKey,
  body: Body,
): Promise<CreateOutput> {
  // Runs before the caller is asked for a payment or a consent.
  const rejectTakenDomain = async () => {
    if (await ctx.db.site.findUnique({ where: { domain: body.domain }, select: { id: true } }))
      throw countedInvalidField("domain", "domain_taken");
  };
  const insertInTransaction = async (tx: Omit<Context<UserActor>, "db">): Promise<CreateOutput> => {
    await lockSlotsForNewSite(tx, site.userId);
    if (site.userId !== ctx.actor.id) await requireOwnCustomer(tx, ctx.actor, site.userId);
    const subscriptions = await listSlotSubscriptions(tx, site.userId);
    const hasFreeSlot = subscriptions.some(({ slotCount, usedSlotCount }) => usedSlotCount < slotCount);
    if (!hasFreeSlot) await requireLicenceAllowed(tx, body);
    if (ctx.actor.isFromProvider) await requireConsents(tx, ctx.actor);
    const [insertedSite] = await insertSite(tx, { ...site, withoutSlot: !hasFreeSlot });
    if (!insertedSite) throw countedInvalidField("domain", "domain_taken");
    if (insertedSite.hasSubscribers) await addJob(tx, "fan_out_webhook", {});
    return toResponse(
      site,
      insertedSite,
      hasFreeSlot
        ? toSlotBilling(insertedSite)
        : await openLicenceForSite(tx, {
            userId: ctx.actor.id,
            siteId: insertedSite.site.id,
            domain: site.domain,
          }),
    );
  };
  return withIdempotency(ctx, insertInTransaction, {
    precheck: rejectTakenDomain,
    runInTransaction: withStatementTransaction,
  });
}

async function requireConsents(access: Pick<DbAccess, "sql">, actor: UserActor): Promise<void> {
  const missingConsents = await findMissingConsentKeys(access, actor.id);
  if (missingConsents.length > 0)
    throw new AppError("consents_required", { missing_consents: missingConsents });
}

export function buildNewSite(ctx: Context<UserActor>, body: Body): NewSiteWithKey {
  const key = createToken("dsk");
  return {
    key,
    userId: body.customer_id ?? ctx.actor.id,
    withoutSlot: false,
    name: body.name,
    domain: body.domain,
    keyHash: hashSecret(key),
    keySealed: Buffer.from(seal(key, "widget_key")),
    keyLastFour: key.slice(-4),
    widgetColor: body.widget_color ?? SITE_DEFAULTS.widget_color,
    widgetPosition: body.widget_position ?? SITE_DEFAULTS.widget_position,
    welcomeMessage: body.welcome_message ?? SITE_DEFAULTS.welcome_message,
    botName: body.bot_name ?? SITE_DEFAULTS.bot_name,
    aiEnabled: body.ai_enabled ?? SITE_DEFAULTS.ai_enabled,
    similarityThreshold: body.similarity_threshold ?? SITE_DEFAULTS.similarity_threshold,
    systemPrompt: body.system_prompt ?? SITE_DEFAULTS.system_prompt,
    searchText: buildSiteSearchText(body),
    maxMessagesPerSession: SITE_DEFAULTS.settings.max_messages_per_session,
    eventId: newEventId(),
    author: getAuditAuthor(ctx),
  };
}

function toResponse(
  { key }: { key: string },
  { site }: InsertedSite,
  billing: CreateOutput["billing"],
): CreateOutput {
  return { success: true, site: { ...site, api_key: key }, billing };
}

function toSlotBilling({ remainingSlots }: InsertedSite) {
  return { mode: "subscription_slot" as const, remaining_slots: remainingSlots ?? 0 };
}
