import { HOUR } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { removeStoredFile } from "@/server/infrastructure/storage/removal";
import { toPublicPath } from "@/server/infrastructure/storage/served-files";
import { storage } from "@/server/infrastructure/storage/storage";
import { AVATAR_FOLDER } from "./service/avatar";

/** Deletes unused pictures: of deleted accounts, or left by a crash between file and row. */
export async function sweepAvatarsJob(): Promise<void> {
  const oldFiles = (await storage().list(AVATAR_FOLDER)).filter(
    ({ changedAt }) => changedAt.getTime() < Date.now() - HOUR,
  );
  // Do not filter by a list of keys: each list length would prepare another statement.
  const users = await withoutTransaction().db.user.findMany({
    where: { avatarUrl: { startsWith: toPublicPath(AVATAR_FOLDER) } },
    select: { avatarUrl: true },
  });
  const usedPaths = new Set(users.map(({ avatarUrl }) => avatarUrl));
  for (const { key } of oldFiles) if (!usedPaths.has(toPublicPath(key))) await removeStoredFile(key);
}
