import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { buildSiteSearchText } from "./service/search";

const BATCH_SIZE = 500;

/** Fills in missing search texts, which need `foldText` and cannot be written by SQL. */
export async function fillSiteSearchTextsJob(): Promise<void> {
  const { db } = withoutTransaction();
  for (;;) {
    const sites = await db.site.findMany({
      where: { searchText: null },
      orderBy: { id: "asc" },
      take: BATCH_SIZE,
      select: { id: true, name: true, domain: true },
    });
    // Matching name and domain skips a site changed since: that change wrote its search text.
    for (const { id, ...site } of sites)
      await db.site.updateMany({ where: { id, ...site }, data: { searchText: buildSiteSearchText(site) } });
    if (sites.length < BATCH_SIZE) return;
  }
}
