import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { toIsoMicros } from "@/server/core/time";
import { LICENCE_PAYMENT_DAYS, SITE_LICENCE_PRICE_TRY } from "@/server/domains/sites/slots/contract";
import { listSlotSubscriptions } from "@/server/domains/sites/slots/service";
import type { getSiteForecast } from "../contract";
import { requireCustomer } from "./customer";

/** Forecasts the billing of a new site. Reserves nothing: `addSite` decides again. */
export async function forecastBilling(
  ctx: Context<UserActor>,
  { query }: Input<typeof getSiteForecast>,
): Promise<Output<typeof getSiteForecast>> {
  const { actor } = ctx;
  const { customer_id: customerId } = query;
  if (customerId != null) await requireCustomer(ctx, customerId);
  const subscriptions = await listSlotSubscriptions(ctx, customerId ?? actor.id);
  const totalSlots = subscriptions.reduce((sum, subscription) => sum + subscription.slotCount, 0);
  const usedSlots = subscriptions.reduce((sum, subscription) => sum + subscription.usedSlotCount, 0);
  const subscriptionWithFreeSlot = subscriptions.find(
    (subscription) => subscription.usedSlotCount < subscription.slotCount,
  );
  return {
    success: true,
    mode: subscriptionWithFreeSlot
      ? "subscription_slot"
      : actor.role === "reseller"
        ? "pay_per_site"
        : "upgrade",
    total_slots: totalSlots,
    used_slots: usedSlots,
    remaining_slots: Math.max(0, totalSlots - usedSlots),
    subscription: subscriptionWithFreeSlot
      ? {
          id: subscriptionWithFreeSlot.id,
          plan: subscriptionWithFreeSlot.plan,
          ends_at: toIsoMicros(subscriptionWithFreeSlot.endsAt),
        }
      : null,
    on_trial: subscriptions.length > 0 && subscriptions.every(({ isTrial }) => isTrial),
    annual_price_try: SITE_LICENCE_PRICE_TRY,
    payment_days: LICENCE_PAYMENT_DAYS,
  };
}
