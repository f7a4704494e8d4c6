import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { searchTextOf } from "./service/search";

const BATCH = 500;

/** Computes the search text of accounts that an older release wrote. */
export async function foldUsersJob(): Promise<void> {
  const { db } = withoutTransaction();
  for (;;) {
    const users = await db.user.findMany({
      where: { searchText: null },
      orderBy: { id: "asc" },
      take: BATCH,
      select: { id: true, name: true, email: true, phone: true, anonymisedAt: true },
    });
    // The condition skips a row that has changed: its writer or the next round handles it.
    for (const { id, ...user } of users)
      await db.user.updateMany({
        where: { id, ...user, searchText: null },
        data: { searchText: user.anonymisedAt ? "" : searchTextOf(user) },
      });
    if (users.length < BATCH) return;
  }
}
