import type { Context, UserActor } from "@/server/core/context";
import type { FileOutput, Input } from "@/server/core/contract";
import { createCsvFile, readInBatches } from "@/server/core/csv";
import { toIsoMicros } from "@/server/core/time";
import type { downloadSites } from "../contract";
import { requireCustomer } from "./customer";
import { buildSiteOrderBy } from "./list";
import { whereSites } from "./search";

const COLUMNS = [
  "id",
  "name",
  "domain",
  "is_active",
  "user_id",
  "subscription_id",
  "ai_enabled",
  "created_at",
] as const;

export async function downloadSiteList(
  ctx: Context<UserActor>,
  { query }: Input<typeof downloadSites>,
): Promise<FileOutput> {
  if (query.customer_id != null) await requireCustomer(ctx, query.customer_id);
  return createCsvFile(readCsvRows(ctx, query), { name: "sites.csv", columns: COLUMNS, locale: ctx.locale });
}

async function* readCsvRows({ db, actor }: Context<UserActor>, query: Input<typeof downloadSites>["query"]) {
  const where = whereSites(actor.scope, query);
  const rows = readInBatches((batch) =>
    db.site.findMany({
      where,
      orderBy: buildSiteOrderBy(query.sort),
      ...batch,
      select: {
        id: true,
        name: true,
        domain: true,
        isActive: true,
        userId: true,
        subscriptionId: true,
        aiEnabled: true,
        createdAt: true,
      },
    }),
  );
  for await (const site of rows)
    yield {
      id: site.id,
      name: site.name,
      domain: site.domain,
      is_active: site.isActive,
      user_id: site.userId,
      subscription_id: site.subscriptionId,
      ai_enabled: site.aiEnabled,
      created_at: toIsoMicros(site.createdAt),
    };
}
