import { fromNow, HOUR } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { removeStored } from "@/server/infrastructure/storage/removal";
import { storage } from "@/server/infrastructure/storage/storage";
import { BRANDS } from "./service/pictures";

/** Deletes files left by a crash between writing the file and the row. */
export async function sweepBrandsJob(): Promise<void> {
  const old = (await storage().list(BRANDS)).filter(({ changedAt }) => changedAt < fromNow(-HOUR));
  const rows = await withoutTransaction().db.brand.findMany({
    select: { logoPath: true, logoDarkPath: true, iconPath: true },
  });
  const live = new Set(rows.flatMap((row) => Object.values(row)));
  for (const { key } of old) if (!live.has(key)) await removeStored(key);
}
