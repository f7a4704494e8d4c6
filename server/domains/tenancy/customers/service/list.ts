import type { Context, UserActor } from "@/server/core/context";
import { type Input, RawJson } from "@/server/core/contract";
import { parsePage } from "@/server/core/list";
import { resolveResellerId } from "@/server/domains/accounts/portals/service/access";
import { buildSearchPatterns } from "@/server/domains/accounts/users/service/search";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { listCustomers } from "../contract";
import { LISTED_CUSTOMERS_MAX } from "../policy";
import * as statements from "../statements";

export async function listResellerCustomers(
  ctx: Context<UserActor>,
  { query }: Input<typeof listCustomers>,
): Promise<RawJson> {
  const resellerId = await resolveResellerId(ctx, query.reseller_id);
  const { page, range: requestedRange } = parsePage(query);
  const isPaged = query.page != null || query.per_page != null;
  const range = isPaged ? { ...requestedRange, page } : { skip: 0, take: LISTED_CUSTOMERS_MAX, page: null };
  return new RawJson(await readCustomersJson(ctx, resellerId, query, range));
}

type Query = Omit<Input<typeof listCustomers>["query"], "page" | "per_page">;

export async function readCustomersJson(
  dbAccess: Pick<DbAccess, "db" | "sql">,
  resellerId: number,
  { search, is_active, state, sort }: Query,
  range: { skip: number; take: number; page: number | null },
): Promise<string> {
  const [longestPattern, ...otherPatterns] = buildSearchPatterns(search).toSorted(
    (a, b) => b.length - a.length,
  );
  const statement =
    longestPattern === undefined
      ? statements.listCustomers
      : await chooseSearchStatement(dbAccess, resellerId);
  const [row] = await statement(dbAccess, {
    resellerId,
    isActive: is_active ?? null,
    state: state ?? null,
    longestPattern: longestPattern ?? "%",
    otherPatterns,
    sort: sort ?? "-created_at",
    ...range,
  });
  return row!.json;
}

/** Up to this number of customers, a scan is faster than the search index. */
const MAX_SCANNED_CUSTOMERS = 5000;

async function chooseSearchStatement({ db }: Pick<DbAccess, "db">, resellerId: number) {
  const nextCustomer = await db.user.findFirst({
    where: { resellerId },
    orderBy: { id: "asc" },
    skip: MAX_SCANNED_CUSTOMERS,
    select: { id: true },
  });
  return nextCustomer ? statements.searchManyCustomers : statements.searchFewCustomers;
}
