import type * as z from "zod";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { AppError, invalidCounted, refuse } from "@/server/core/errors";
import { authorOf } from "@/server/domains/accounts/audit/service/audit";
import { missingMandatory } from "@/server/domains/accounts/consents/service/record";
import { withIdempotency } from "@/server/domains/accounts/idempotency/service";
import { newEventId, scheduleFanOut } from "@/server/domains/accounts/webhooks/service/events";
import { lockNewSite, newSiteLock, slotsOf } from "@/server/domains/sites/slots/service";
import {
  type DbAccess,
  inOneRoundTrip,
  statementTransaction,
} from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { seal } from "@/server/infrastructure/secrets/seal";
import { digest, newToken } from "@/server/infrastructure/secrets/tokens";
import type { createSite } from "../contract";
import { mayCreateSites, NEW_SITE } from "../policy";
import { insertSite, type NewSite } from "../statements";
import { licenceBilling, requireLicence } from "./billing";
import { requireCustomer, requireOwnCustomer } from "./customer";
import { searchTextOf } from "./search";

type Body = Input<typeof createSite>["body"];
type Created = Output<typeof createSite>;
type InsertedSite = z.output<typeof insertSite.row>;
type NewSiteWithKey = NewSite & { key: string };

/** A free slot of the owner pays, else a licence that a reseller has confirmed (docs/contract.md 4.11). */
export async function create(ctx: Context<UserActor>, { body }: Input<typeof createSite>): Promise<Created> {
  if (!mayCreateSites(ctx.actor.scope)) throw refuse("forbidden");
  const site = newSite(ctx, body);
  if (body.customer_id != null) await requireCustomer(ctx, body.customer_id);
  return (await createInOneTrip(ctx, site)) ?? createOrRefuse(ctx, site, body);
}

/** Undefined when one round trip is not enough or the call is idempotent. */
async function createInOneTrip(
  { actor, idempotentCall }: Context<UserActor>,
  site: NewSiteWithKey,
): Promise<Created | undefined> {
  if (actor.fromProvider || idempotentCall || site.userId !== actor.id) return undefined;
  const [, [inserted]] = await inOneRoundTrip(newSiteLock(actor.id), insertSite.bindParams(site));
  if (inserted?.isHeard) scheduleFanOut();
  return inserted && createdResponse(site, inserted, slotBilling(inserted));
}

/** Creates step by step, to open a licence or report the error. */
async function createOrRefuse(ctx: Context<UserActor>, site: NewSiteWithKey, body: Body): Promise<Created> {
  // Checked before the caller is asked for a payment or a consent.
  const rejectTakenDomain = async () => {
    if (await ctx.db.site.findUnique({ where: { domain: body.domain }, select: { id: true } }))
      throw invalidCounted("domain", "domain_taken");
  };
  const work = async (tx: Omit<Context<UserActor>, "db">): Promise<Created> => {
    await lockNewSite(tx, site.userId);
    if (site.userId !== ctx.actor.id) await requireOwnCustomer(tx, ctx.actor, site.userId);
    const slots = await slotsOf(tx, site.userId);
    const isFree = slots.some(({ slots: all, used }) => used < all);
    if (!isFree) await requireLicence(tx, body);
    if (ctx.actor.fromProvider) await requireConsents(tx, ctx.actor);
    const [inserted] = await insertSite(tx, { ...site, withoutSlot: !isFree });
    if (!inserted) throw invalidCounted("domain", "domain_taken");
    if (inserted.isHeard) await addJob(tx, "fan_out_webhook", {});
    return createdResponse(
      site,
      inserted,
      isFree
        ? slotBilling(inserted)
        : await licenceBilling(tx, { userId: ctx.actor.id, siteId: inserted.site.id, domain: site.domain }),
    );
  };
  return withIdempotency(ctx, work, { precheck: rejectTakenDomain, within: statementTransaction });
}

async function requireConsents(work: Pick<DbAccess, "sql">, actor: UserActor): Promise<void> {
  const missing = await missingMandatory(work, actor.id);
  if (missing.length > 0) throw new AppError("consents_required", { missing_consents: missing });
}

export function newSite(ctx: Context<UserActor>, body: Body): NewSiteWithKey {
  const key = newToken("dsk");
  return {
    key,
    userId: body.customer_id ?? ctx.actor.id,
    withoutSlot: false,
    name: body.name,
    domain: body.domain,
    keyHash: digest(key),
    keySealed: Buffer.from(seal(key, "widget_key")),
    keyLastFour: key.slice(-4),
    widgetColor: body.widget_color ?? NEW_SITE.widget_color,
    widgetPosition: body.widget_position ?? NEW_SITE.widget_position,
    welcomeMessage: body.welcome_message ?? NEW_SITE.welcome_message,
    botName: body.bot_name ?? NEW_SITE.bot_name,
    aiEnabled: body.ai_enabled ?? NEW_SITE.ai_enabled,
    similarityThreshold: body.similarity_threshold ?? NEW_SITE.similarity_threshold,
    systemPrompt: body.system_prompt ?? NEW_SITE.system_prompt,
    searchText: searchTextOf(body),
    maxMessages: NEW_SITE.settings.max_messages_per_session,
    eventId: newEventId(),
    author: authorOf(ctx),
  };
}

function createdResponse(
  { key }: { key: string },
  { site }: InsertedSite,
  billing: Created["billing"],
): Created {
  return { success: true, site: { ...site, api_key: key }, billing };
}

function slotBilling({ remaining }: InsertedSite) {
  return { mode: "subscription_slot" as const, remaining_slots: remaining ?? 0 };
}
