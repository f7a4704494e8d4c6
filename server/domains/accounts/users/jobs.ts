import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { buildUserSearchText } from "./service/search";

const BATCH_SIZE = 500;

/** Computes the search text of accounts that an older release wrote. */
export async function computeSearchTextsJob(): Promise<void> {
  const { db } = withoutTransaction();
  for (;;) {
    const users = await db.user.findMany({
      where: { searchText: null },
      orderBy: { id: "asc" },
      take: BATCH_SIZE,
      select: { id: true, name: true, email: true, phone: true, anonymisedAt: true },
    });
    // The condition skips a row that has changed: its writer or the next round handles it.
    for (const { id, ...user } of users)
      await db.user.updateMany({
        where: { id, ...user, searchText: null },
        data: { searchText: user.anonymisedAt ? "" : buildUserSearchText(user) },
      });
    if (users.length < BATCH_SIZE) return;
  }
}
