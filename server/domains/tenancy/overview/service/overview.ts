import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { toAmount, toMinor } from "@/server/core/money";
import { requireSignedReseller } from "@/server/domains/accounts/portals/service/access";
import { sumEarnings } from "@/server/domains/billing/payouts/service/list";
import { getSetting } from "@/server/infrastructure/settings";
import type { getOverview, getResellerOverview } from "../contract";
import { countOpenTasks, readLastMonthFigures, readResellerFigures } from "../statements";
import { listCustomersAtRisk } from "./customers-at-risk";
import { listWaitingItems } from "./waiting";

export async function readOverview(ctx: Context<UserActor>): Promise<Output<typeof getOverview>> {
  requireAdministrator(ctx.actor);
  const [[openTasks], waiting, [month]] = await Promise.all([
    countOpenTasks(ctx),
    listWaitingItems(ctx),
    readLastMonthFigures(ctx),
  ]);
  const { revenueMinor, ...counts } = month!;
  return {
    success: true,
    overview: openTasks!,
    waiting,
    month: { ...counts, revenue: toAmount(revenueMinor) },
  };
}

export async function readResellerOverview(
  ctx: Context<UserActor>,
): Promise<Output<typeof getResellerOverview>> {
  await requireSignedReseller(ctx);
  const { id } = ctx.actor;
  const [[figures], customers_at_risk, earnings, referral_rate] = await Promise.all([
    readResellerFigures(ctx, { resellerId: id }),
    listCustomersAtRisk(ctx, id),
    sumEarnings(ctx, id),
    getSetting(ctx, "referral_rate"),
  ]);
  const { customers, newCustomers, licenceCount, licencePriceTry } = figures!;
  return {
    success: true,
    customers,
    new_customers: newCustomers,
    licences_to_pay: { count: licenceCount, amount: toAmount(toMinor(licencePriceTry)) },
    customers_at_risk,
    earnings,
    referral_rate,
  };
}
