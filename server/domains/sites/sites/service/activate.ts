import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { listSlotSubscriptions, whereLicenceCoversSiteAt } from "@/server/domains/sites/slots/service";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { activateSite } from "../contract";
import { licenceOverdueError, openLicenceForSite, requireLicenceAllowed } from "./billing";
import { requireNotSuspendedByAdmin, withLockedSite } from "./manageable";
import { getSiteState, type SiteState, toStateOutput, updateSiteState } from "./state";

type ActivateInput = Input<typeof activateSite>;
type ActivateOutput = Output<typeof activateSite>;

interface SitePayment {
  subscriptionId: number | null;
  billing: ActivateOutput["billing"];
}

export async function activateManagedSite(
  ctx: Context<UserActor>,
  { params, body }: ActivateInput,
): Promise<Output<typeof activateSite>> {
  return withLockedSite(
    ctx,
    params.id,
    async (tx, { id, userId, name, domain }) => {
      if (userId !== ctx.actor.id && ctx.actor.role === "admin") await requireProof(tx);
      const before = await getSiteState(tx, id);
      if (before.isActive) return toResponse(ctx, before, null);
      requireNotSuspendedByAdmin(ctx.actor, before);
      const { subscriptionId, billing } = await arrangePayment(tx, {
        site: before,
        ownerId: userId,
        domain,
        body,
      });
      const state = await updateSiteState(tx, id, { isActive: true, suspendedReason: null, subscriptionId });
      await audit(tx, {
        action: "site.activated",
        object: { type: "Site", id },
        details: { reason: before.suspendedReason, billing: billing?.mode ?? null },
      });
      if (userId !== ctx.actor.id)
        await notifyOwner(tx, userId, "site_activated", { path: `/sites/${id}`, params: { site: name } });
      return toResponse(ctx, state, billing);
    },
    { locksSlots: true },
  );
}

function toResponse(
  { locale }: Context,
  state: SiteState,
  billing: ActivateOutput["billing"],
): ActivateOutput {
  return {
    success: true,
    message: formatText(locale, "responses.site_activated"),
    site: toStateOutput(state),
    billing,
  };
}

/**
 * Finds or opens the payment for a site, as `addSite` does, and closes the licences that it replaces. Only
 * the owner's subscriptions count, even for another caller.
 */
async function arrangePayment(
  tx: Context<UserActor>,
  {
    site,
    ownerId,
    domain,
    body,
  }: { site: SiteState; ownerId: number; domain: string; body: ActivateInput["body"] },
): Promise<SitePayment> {
  const subscriptions = await listSlotSubscriptions(tx, ownerId);
  if (subscriptions.some(({ id }) => id === site.subscriptionId))
    return { subscriptionId: site.subscriptionId, billing: null };
  if (await hasPayingLicence(tx, site.id)) return { subscriptionId: null, billing: null };
  const subscriptionWithFreeSlot = subscriptions.find(
    (subscription) => subscription.usedSlotCount < subscription.slotCount,
  );
  if (subscriptionWithFreeSlot) {
    await closeReplacedLicences(tx, site.id, {
      status: "absorbed",
      closedReason: "absorbed",
      absorbedById: subscriptionWithFreeSlot.id,
    });
    const remainingSlots =
      subscriptions.reduce(
        (sum, subscription) => sum + Math.max(0, subscription.slotCount - subscription.usedSlotCount),
        0,
      ) - 1;
    return {
      subscriptionId: subscriptionWithFreeSlot.id,
      billing: { mode: "subscription_slot", remaining_slots: remainingSlots },
    };
  }
  if (tx.actor.role === "reseller") await requireNoOverdueLicence(tx, site.id);
  await requireLicenceAllowed(tx, { ...body, domain });
  await closeReplacedLicences(tx, site.id, { status: "cancelled", closedReason: "unpaid" });
  return {
    subscriptionId: null,
    billing: await openLicenceForSite(tx, { userId: tx.actor.id, siteId: site.id, domain }),
  };
}

async function hasPayingLicence({ db }: Pick<DbAccess, "db">, siteId: number): Promise<boolean> {
  const licence = await db.siteLicence.findFirst({
    where: { siteId, ...whereLicenceCoversSiteAt(new Date()) },
    select: { id: true },
  });
  return licence !== null;
}

/** Another reseller's licence counts only if a later year is paid: a new one would overlap that year. */
async function requireNoOverdueLicence({ db, actor }: Context<UserActor>, siteId: number): Promise<void> {
  const overdueLicence = await db.siteLicence.findFirst({
    where: {
      siteId,
      status: "pending",
      OR: [{ userId: actor.id }, { site: { licences: { some: whereFutureYear() } } }],
    },
    select: { reference: true, priceTry: true, site: { select: { domain: true } } },
  });
  if (overdueLicence) throw licenceOverdueError({ ...overdueLicence, domain: overdueLicence.site.domain });
}

const whereFutureYear = () => ({ status: "active" as const, periodStart: { gt: new Date() } });

/** If a slot pays (`absorbed`), a paid later year and a reseller's unpaid licence stay open. */
async function closeReplacedLicences(
  { db }: Pick<DbAccess, "db">,
  siteId: number,
  data: { status: "absorbed" | "cancelled"; closedReason: string; absorbedById?: number },
): Promise<void> {
  const whereOpen = {
    siteId,
    status: { in: ["pending", "active"] },
  } satisfies Prisma.SiteLicenceWhereInput;
  const whereUnpaidByReseller = { status: "pending" as const, user: { role: "reseller" as const } };
  const whereNotException =
    data.status === "absorbed" ? { NOT: { OR: [whereFutureYear(), whereUnpaidByReseller] } } : {};
  await db.siteLicence.updateMany({ where: { ...whereOpen, ...whereNotException }, data });
}
