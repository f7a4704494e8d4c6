import { fromNow, HOUR } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { removeStoredFile } from "@/server/infrastructure/storage/removal";
import { storage } from "@/server/infrastructure/storage/storage";
import { BRANDS_FOLDER } from "./service/pictures";

/** Deletes files left by a crash between writing the file and the row. New files may still get a row. */
export async function sweepBrandFilesJob(): Promise<void> {
  const oldFiles = (await storage().list(BRANDS_FOLDER)).filter(
    ({ changedAt }) => changedAt < fromNow(-HOUR),
  );
  const rows = await withoutTransaction().db.brand.findMany({
    select: { logoPath: true, logoDarkPath: true, iconPath: true },
  });
  const usedKeys = new Set(rows.flatMap((row) => Object.values(row)));
  for (const { key } of oldFiles) if (!usedKeys.has(key)) await removeStoredFile(key);
}
