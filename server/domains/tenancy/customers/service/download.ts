import type { Context, UserActor } from "@/server/core/context";
import type { FileOutput, Input, Output } from "@/server/core/contract";
import { csvFile } from "@/server/core/csv";
import { resolveReseller } from "@/server/domains/accounts/portals/service/access";
import type { downloadCustomers, listCustomers } from "../contract";
import { listJson } from "./list";

type Query = Input<typeof downloadCustomers>["query"];

const COLUMNS = [
  "id",
  "name",
  "email",
  "phone",
  "is_active",
  "sites_count",
  "active_licenses_count",
  "created_at",
] as const;

const BATCH = 500;

export async function download(
  ctx: Context<UserActor>,
  { query }: Input<typeof downloadCustomers>,
): Promise<FileOutput> {
  const resellerId = await resolveReseller(ctx, query.reseller_id);
  const { locale } = ctx;
  return csvFile(rowsOf(ctx, resellerId, query), { name: "customers.csv", columns: COLUMNS, locale });
}

async function* rowsOf(ctx: Context<UserActor>, resellerId: number, query: Query) {
  for (let skip = 0; ; skip += BATCH) {
    const body = await listJson(ctx, resellerId, query, { skip, take: BATCH, page: null });
    const { data } = JSON.parse(body) as Output<typeof listCustomers>;
    yield* data;
    if (data.length < BATCH) return;
  }
}
