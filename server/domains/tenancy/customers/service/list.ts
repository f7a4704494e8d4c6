import type { Context, UserActor } from "@/server/core/context";
import { type Input, RawJson } from "@/server/core/contract";
import { pageOf } from "@/server/core/list";
import { resolveReseller } from "@/server/domains/accounts/portals/service/access";
import { searchPatterns } from "@/server/domains/accounts/users/service/search";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { listCustomers } from "../contract";
import { CUSTOMERS_MAX } from "../policy";
import * as statements from "../statements";

/** Administrators set `reseller_id`. Throws `forbidden` and `agreement_unsigned`. */
export async function list(
  ctx: Context<UserActor>,
  { query }: Input<typeof listCustomers>,
): Promise<RawJson> {
  const resellerId = await resolveReseller(ctx, query.reseller_id);
  const { page, rows } = pageOf(query);
  const isPage = query.page != null || query.per_page != null;
  const part = isPage ? { ...rows, page } : { skip: 0, take: CUSTOMERS_MAX, page: null };
  return new RawJson(await listJson(ctx, resellerId, query, part));
}

type Query = Omit<Input<typeof listCustomers>["query"], "page" | "per_page">;

export async function listJson(
  work: Pick<DbAccess, "db" | "sql">,
  resellerId: number,
  { search, is_active, sort }: Query,
  part: { skip: number; take: number; page: number | null },
): Promise<string> {
  const [first, ...others] = searchPatterns(search).toSorted((a, b) => b.length - a.length);
  const read = first === undefined ? statements.listCustomers : await searchStatement(work, resellerId);
  const [row] = await read(work, {
    resellerId,
    isActive: is_active ?? null,
    first: first ?? "%",
    others,
    sort: sort ?? "-created_at",
    ...part,
  });
  return row!.body;
}

/** Number of customers up to which a scan beats the search index. */
const SCAN_MAX = 5000;

async function searchStatement({ db }: Pick<DbAccess, "db">, resellerId: number) {
  const nextCustomer = await db.user.findFirst({
    where: { resellerId },
    orderBy: { id: "asc" },
    skip: SCAN_MAX,
    select: { id: true },
  });
  return nextCustomer ? statements.searchManyCustomers : statements.searchFewCustomers;
}
