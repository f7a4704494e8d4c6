import { HOUR } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { publicPath } from "@/server/infrastructure/storage/public";
import { removeStored } from "@/server/infrastructure/storage/removal";
import { storage } from "@/server/infrastructure/storage/storage";
import { AVATARS } from "./service/avatar";

/** Deletes unused pictures: of deleted accounts, or left by a crash between file and row. */
export async function sweepAvatarsJob(): Promise<void> {
  const candidates = (await storage().list(AVATARS)).filter(
    ({ changedAt }) => changedAt.getTime() < Date.now() - HOUR,
  );
  // Do not filter by a list of keys: each list length would prepare another statement.
  const used = await withoutTransaction().db.user.findMany({
    where: { avatarUrl: { startsWith: publicPath(AVATARS) } },
    select: { avatarUrl: true },
  });
  const usedPaths = new Set(used.map(({ avatarUrl }) => avatarUrl));
  for (const { key } of candidates) if (!usedPaths.has(publicPath(key))) await removeStored(key);
}
