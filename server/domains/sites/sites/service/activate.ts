import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { payingAt, slotsOf } from "@/server/domains/sites/slots/service";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { activateSite } from "../contract";
import { licenceBilling, licenceOverdue, requireLicence } from "./billing";
import { requireNotHeld, withSite } from "./manageable";
import { type State, setState, stateBody, stateOf } from "./state";

type ActivateInput = Input<typeof activateSite>;
type Activated = Output<typeof activateSite>;

/** `billing` is null if the payment is unchanged. */
interface Payment {
  subscriptionId: number | null;
  billing: Activated["billing"];
}

export async function activate(
  ctx: Context<UserActor>,
  { params, body }: ActivateInput,
): Promise<Output<typeof activateSite>> {
  return withSite(
    ctx,
    params.id,
    async (tx, { id, userId, name, domain }) => {
      if (userId !== ctx.actor.id && ctx.actor.role === "admin") await requireProof(tx);
      const before = await stateOf(tx, id);
      if (before.isActive) return activatedResponse(ctx, before, null);
      requireNotHeld(ctx.actor, before);
      const { subscriptionId, billing } = await payFor(tx, { site: before, ownerId: userId, domain, body });
      const state = await setState(tx, id, { isActive: true, suspendedReason: null, subscriptionId });
      await audit(tx, {
        action: "site.activated",
        object: { type: "Site", id },
        details: { reason: before.suspendedReason, billing: billing?.mode ?? null },
      });
      if (userId !== ctx.actor.id)
        await notifyOwner(tx, userId, "site_activated", { path: `/sites/${id}`, params: { site: name } });
      return activatedResponse(ctx, state, billing);
    },
    { slots: true },
  );
}

function activatedResponse({ locale }: Context, state: State, billing: Activated["billing"]): Activated {
  return {
    success: true,
    message: text(locale, "responses.site_activated"),
    site: stateBody(state),
    billing,
  };
}

/** Decides like creation. Only the owner's subscriptions count, even for another caller. */
async function payFor(
  tx: Context<UserActor>,
  {
    site,
    ownerId,
    domain,
    body,
  }: { site: State; ownerId: number; domain: string; body: ActivateInput["body"] },
): Promise<Payment> {
  const slots = await slotsOf(tx, ownerId);
  if (slots.some(({ id }) => id === site.subscriptionId))
    return { subscriptionId: site.subscriptionId, billing: null };
  if (await hasLicence(tx, site.id)) return { subscriptionId: null, billing: null };
  const free = slots.find((slot) => slot.used < slot.slots);
  if (free) {
    await closeLicence(tx, site.id, { status: "absorbed", closedReason: "absorbed", absorbedById: free.id });
    const remaining = slots.reduce((sum, slot) => sum + Math.max(0, slot.slots - slot.used), 0) - 1;
    return { subscriptionId: free.id, billing: { mode: "subscription_slot", remaining_slots: remaining } };
  }
  if (tx.actor.role === "reseller") await requireNoneOverdue(tx, site.id);
  await requireLicence(tx, { ...body, domain });
  await closeLicence(tx, site.id, { status: "cancelled", closedReason: "unpaid" });
  return {
    subscriptionId: null,
    billing: await licenceBilling(tx, { userId: tx.actor.id, siteId: site.id, domain }),
  };
}

async function hasLicence({ db }: Pick<DbAccess, "db">, siteId: number): Promise<boolean> {
  const licence = await db.siteLicence.findFirst({
    where: { siteId, ...payingAt(new Date()) },
    select: { id: true },
  });
  return licence !== null;
}

/** Ignores another reseller's debt, unless a later year is paid already: a new licence would overlap it. */
async function requireNoneOverdue({ db, actor }: Context<UserActor>, siteId: number): Promise<void> {
  const overdue = await db.siteLicence.findFirst({
    where: {
      siteId,
      status: "pending",
      OR: [{ userId: actor.id }, { site: { licences: { some: futureYear() } } }],
    },
    select: { reference: true, priceTry: true, site: { select: { domain: true } } },
  });
  if (overdue) throw licenceOverdue({ ...overdue, domain: overdue.site.domain });
}

const futureYear = () => ({ status: "active" as const, periodStart: { gt: new Date() } });

/** A slot closes neither a paid later year nor a reseller's unpaid licence. */
async function closeLicence(
  { db }: Pick<DbAccess, "db">,
  siteId: number,
  data: { status: "absorbed" | "cancelled"; closedReason: string; absorbedById?: number },
): Promise<void> {
  const openLicences = {
    siteId,
    status: { in: ["pending", "active"] },
  } satisfies Prisma.SiteLicenceWhereInput;
  const unpaid = { status: "pending" as const, user: { role: "reseller" as const } };
  const exceptions = data.status === "absorbed" ? { NOT: { OR: [futureYear(), unpaid] } } : {};
  await db.siteLicence.updateMany({ where: { ...openLicences, ...exceptions }, data });
}
