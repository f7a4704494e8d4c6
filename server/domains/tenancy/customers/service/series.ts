import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { resolveResellerId } from "@/server/domains/accounts/portals/service/access";
import { toLevelLine, toSeries, toSumLine } from "@/server/infrastructure/series/lines";
import { readSeriesRange } from "@/server/infrastructure/series/range";
import { CUSTOMER_PERIODS, type getCustomerSeries } from "../contract";
import { countJoinedCustomers } from "../statements";

export async function countCustomersOverTime(
  ctx: Context<UserActor>,
  { query }: Input<typeof getCustomerSeries>,
): Promise<Output<typeof getCustomerSeries>> {
  const resellerId = await resolveResellerId(ctx, query.reseller_id);
  const range = await readSeriesRange(ctx, query, { defaultPeriod: CUSTOMER_PERIODS[0] });
  const rows = await countJoinedCustomers(ctx, { resellerId, limits: range.limits });
  const opening = rows.find(({ bucket }) => bucket === 0)?.joined ?? 0;
  return toSeries(range, [
    toSumLine(range, rows, "joined", { key: "joined" }),
    toLevelLine(range, rows, "joined", { key: "customers", opening }),
  ]);
}
