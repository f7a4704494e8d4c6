import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { isoMicros } from "@/server/core/time";
import { LICENCE_PAYMENT_DAYS, SITE_LICENCE_PRICE_TRY } from "@/server/domains/sites/slots/contract";
import { listSlots } from "@/server/domains/sites/slots/service";
import type { getSiteForecast } from "../contract";
import { requireCustomer } from "./customer";

/** Forecasts the billing of a new site. Reserves nothing: creation decides again. */
export async function forecastBilling(
  ctx: Context<UserActor>,
  { query }: Input<typeof getSiteForecast>,
): Promise<Output<typeof getSiteForecast>> {
  const { actor } = ctx;
  const { customer_id: customerId } = query;
  if (customerId != null) await requireCustomer(ctx, customerId);
  const slots = await listSlots(ctx, customerId ?? actor.id);
  const totalSlots = slots.reduce((sum, row) => sum + row.slots, 0);
  const usedSlots = slots.reduce((sum, row) => sum + row.used, 0);
  const nextSlot = slots.find((row) => row.used < row.slots);
  return {
    success: true,
    mode: nextSlot ? "subscription_slot" : actor.role === "reseller" ? "pay_per_site" : "upgrade",
    total_slots: totalSlots,
    used_slots: usedSlots,
    remaining_slots: Math.max(0, totalSlots - usedSlots),
    subscription: nextSlot
      ? { id: nextSlot.id, plan: nextSlot.plan, ends_at: isoMicros(nextSlot.endsAt) }
      : null,
    annual_price_try: SITE_LICENCE_PRICE_TRY,
    payment_days: LICENCE_PAYMENT_DAYS,
  };
}
