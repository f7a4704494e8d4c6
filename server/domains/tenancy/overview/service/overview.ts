import { addMonths, toTurkishDay } from "@/server/core/calendar";
import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { toAmount, toMinor } from "@/server/core/money";
import { toIsoMicros } from "@/server/core/time";
import { requireSignedReseller } from "@/server/domains/accounts/portals/service/access";
import { sumEarnings } from "@/server/domains/billing/payouts/service/list";
import { countCustomersByState } from "@/server/domains/tenancy/customers/service/states";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { getSetting } from "@/server/infrastructure/settings";
import type { getOverview, getResellerOverview } from "../contract";
import { LICENCE_CUSTOMERS_MAX } from "../policy";
import {
  countOpenTasks,
  listUnpaidLicencesByCustomer,
  readLastMonthFigures,
  readResellerFigures,
  sumEarningsByMonth,
} from "../statements";
import { listCustomersAtRisk } from "./customers-at-risk";
import { listWaitingItems, listWaitingRequests } from "./waiting";

export async function readOverview(ctx: Context<UserActor>): Promise<Output<typeof getOverview>> {
  requireAdministrator(ctx.actor);
  const [[openTasks], waiting, requests, [month]] = await Promise.all([
    countOpenTasks(ctx),
    listWaitingItems(ctx),
    listWaitingRequests(ctx),
    readLastMonthFigures(ctx),
  ]);
  const { revenueMinor, ...counts } = month!;
  return {
    success: true,
    overview: openTasks!,
    waiting,
    requests,
    month: { ...counts, revenue: toAmount(revenueMinor) },
  };
}

export async function readResellerOverview(
  ctx: Context<UserActor>,
): Promise<Output<typeof getResellerOverview>> {
  await requireSignedReseller(ctx);
  const { id } = ctx.actor;
  const [
    figureRows,
    customer_states,
    customers_at_risk,
    licences_by_customer,
    earnings,
    earning_months,
    rate,
  ] = await Promise.all([
    readResellerFigures(ctx, { resellerId: id }),
    countCustomersByState(ctx, id),
    listCustomersAtRisk(ctx, id),
    listLicencesByCustomer(ctx, id),
    sumEarnings(ctx, id),
    listEarningMonths(ctx, id),
    getSetting(ctx, "referral_rate"),
  ]);
  const { customers, newCustomers, licenceCount, licencePriceTry } = figureRows[0]!;
  return {
    success: true,
    customers,
    new_customers: newCustomers,
    licences_to_pay: { count: licenceCount, amount: toAmount(toMinor(licencePriceTry)) },
    customer_states,
    customers_at_risk,
    licences_by_customer,
    earnings,
    earning_months,
    referral_rate: rate,
  };
}

type ResellerOverview = Output<typeof getResellerOverview>;

async function listLicencesByCustomer(
  dbAccess: Pick<DbAccess, "sql">,
  resellerId: number,
): Promise<ResellerOverview["licences_by_customer"]> {
  const rows = await listUnpaidLicencesByCustomer(dbAccess, { resellerId, take: LICENCE_CUSTOMERS_MAX });
  return rows.map(({ customerId, customerName, count, priceTry, payBy }) => ({
    ...(customerId === resellerId
      ? { customer_id: null, customer_name: null }
      : { customer_id: customerId, customer_name: customerName }),
    ...{ count, amount: toAmount(toMinor(priceTry)), pay_by: toIsoMicros(payBy) },
  }));
}

const DEFAULT_CURRENCY = "TRY";

/** Returns this month and the last one for each currency, also without earnings. */
async function listEarningMonths(
  dbAccess: Pick<DbAccess, "sql">,
  resellerId: number,
): Promise<ResellerOverview["earning_months"]> {
  const now = new Date();
  const months = [now, addMonths(now, -1)].map((moment) => toTurkishDay(moment).slice(0, 7));
  const sums = await sumEarningsByMonth(dbAccess, { resellerId, fromMonth: months.at(-1)! });
  const currencies = [...new Set(sums.map(({ currency }) => currency))].sort();
  return (currencies.length > 0 ? currencies : [DEFAULT_CURRENCY]).flatMap((currency) =>
    months.map((month) => {
      const sum = sums.find((each) => each.month === month && each.currency === currency);
      return { month, currency, amount: toAmount(sum?.amountMinor ?? 0) };
    }),
  );
}
