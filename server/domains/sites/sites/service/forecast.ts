import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { isoMicros } from "@/server/core/time";
import { LICENCE_PAYMENT_DAYS, SITE_LICENCE_PRICE_TRY } from "@/server/domains/sites/slots/contract";
import { slotsOf } from "@/server/domains/sites/slots/service";
import type { getSiteForecast } from "../contract";
import { requireCustomer } from "./customer";

/** Forecasts the billing of a new site. Reserves nothing: creation decides again. */
export async function forecast(
  ctx: Context<UserActor>,
  { query }: Input<typeof getSiteForecast>,
): Promise<Output<typeof getSiteForecast>> {
  const { actor } = ctx;
  const { customer_id: customer } = query;
  if (customer != null) await requireCustomer(ctx, customer);
  const slots = await slotsOf(ctx, customer ?? actor.id);
  const total = slots.reduce((sum, row) => sum + row.slots, 0);
  const used = slots.reduce((sum, row) => sum + row.used, 0);
  const next = slots.find((row) => row.used < row.slots);
  return {
    success: true,
    mode: next ? "subscription_slot" : actor.role === "reseller" ? "pay_per_site" : "upgrade",
    total_slots: total,
    used_slots: used,
    remaining_slots: Math.max(0, total - used),
    subscription: next ? { id: next.id, plan: next.plan, ends_at: isoMicros(next.endsAt) } : null,
    annual_price_try: SITE_LICENCE_PRICE_TRY,
    payment_days: LICENCE_PAYMENT_DAYS,
  };
}
