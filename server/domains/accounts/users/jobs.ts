import { outside } from "@/server/infrastructure/database/transaction";
import { searchTextOf } from "./service/search";

/** Rows that are folded at once. */
const BATCH = 500;

/** Folds the accounts that a release before search wrote or changed, until none is left. */
export async function foldUsersJob(): Promise<void> {
  const { db } = outside();
  for (;;) {
    const users = await db.user.findMany({
      where: { searchText: null },
      orderBy: { id: "asc" },
      take: BATCH,
      select: { id: true, name: true, email: true, phone: true, anonymisedAt: true },
    });
    // A row that was changed meanwhile is folded by whoever changed it, or in the next round.
    for (const { id, ...user } of users)
      await db.user.updateMany({
        where: { id, ...user, searchText: null },
        data: { searchText: user.anonymisedAt ? "" : searchTextOf(user) },
      });
    if (users.length < BATCH) return;
  }
}
