import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { buildSiteSearchText } from "./service/search";

const BATCH = 500;

export async function foldSitesJob(): Promise<void> {
  const { db } = withoutTransaction();
  for (;;) {
    const sites = await db.site.findMany({
      where: { searchText: null },
      orderBy: { id: "asc" },
      take: BATCH,
      select: { id: true, name: true, domain: true },
    });
    // The condition skips a site that was renamed since; the update folded it.
    for (const { id, ...site } of sites)
      await db.site.updateMany({ where: { id, ...site }, data: { searchText: buildSiteSearchText(site) } });
    if (sites.length < BATCH) return;
  }
}
