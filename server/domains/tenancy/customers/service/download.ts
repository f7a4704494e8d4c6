import type { Context, UserActor } from "@/server/core/context";
import type { FileOutput, Input, Output } from "@/server/core/contract";
import { createCsvFile } from "@/server/core/csv";
import { resolveResellerId } from "@/server/domains/accounts/portals/service/access";
import type { downloadCustomers, listCustomers } from "../contract";
import { readCustomersJson } from "./list";

type Query = Input<typeof downloadCustomers>["query"];

const CSV_COLUMNS = [
  "id",
  "name",
  "email",
  "phone",
  "is_active",
  "sites_count",
  "active_licenses_count",
  "created_at",
] as const;

const BATCH_SIZE = 500;

export async function downloadCustomersCsv(
  ctx: Context<UserActor>,
  { query }: Input<typeof downloadCustomers>,
): Promise<FileOutput> {
  const resellerId = await resolveResellerId(ctx, query.reseller_id);
  const { locale } = ctx;
  return createCsvFile(readRows(ctx, resellerId, query), {
    name: "customers.csv",
    columns: CSV_COLUMNS,
    locale,
  });
}

async function* readRows(ctx: Context<UserActor>, resellerId: number, query: Query) {
  for (let skip = 0; ; skip += BATCH_SIZE) {
    const body = await readCustomersJson(ctx, resellerId, query, { skip, take: BATCH_SIZE, page: null });
    const { data } = JSON.parse(body) as Output<typeof listCustomers>;
    yield* data;
    if (data.length < BATCH_SIZE) return;
  }
}
