import { outside } from "@/server/infrastructure/database/transaction";
import { searchTextOf } from "./service/search";

/** Rows that are folded at once. */
const BATCH = 500;

/** Folds the sites that a release before search wrote, until none is left. */
export async function foldSitesJob(): Promise<void> {
  const { db } = outside();
  for (;;) {
    const sites = await db.site.findMany({
      where: { searchText: null },
      orderBy: { id: "asc" },
      take: BATCH,
      select: { id: true, name: true, domain: true },
    });
    // A name that was changed meanwhile is folded by whoever changed it.
    for (const { id, ...site } of sites)
      await db.site.updateMany({ where: { id, ...site }, data: { searchText: searchTextOf(site) } });
    if (sites.length < BATCH) return;
  }
}
