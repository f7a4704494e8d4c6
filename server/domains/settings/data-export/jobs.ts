import { type Locale, MAIL_LOCALE_SELECT, toMailLocale } from "@/server/core/locale";
import { log } from "@/server/core/log";
import { DAY, fromNow, HOUR } from "@/server/core/time";
import { lockUserIfExists } from "@/server/domains/accounts/users/service/lock";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { removeStoredFile } from "@/server/infrastructure/storage/removal";
import { storage } from "@/server/infrastructure/storage/storage";
import { EXPORT_LINK_HOURS } from "./contract";
import { createArchive } from "./service/archive";

/** Duration of about ten attempts of the queue. After it, the export fails. */
const EXPORT_GIVE_UP_MS = 6 * HOUR;
export const EXPORT_FOLDER = "exports";

/** Idempotent: the mail is queued last, and files are written atomically. */
export async function makeDataExportJob({
  exportId,
  locale,
}: {
  exportId: string;
  locale: Locale;
}): Promise<void> {
  const { db } = withoutTransaction();
  const [exportRow] = await db.dataExport.updateManyAndReturn({
    where: { id: exportId, state: { in: ["queued", "running"] } },
    data: { state: "running", progress: 0 },
    select: { userId: true, createdAt: true, user: { select: MAIL_LOCALE_SELECT } },
  });
  if (!exportRow) return;
  const runningFilter = { id: exportId, state: "running" as const };
  const key = `${EXPORT_FOLDER}/${exportId}.zip`;
  const accountLocale = toMailLocale(exportRow.user, locale);
  try {
    const size = await storage().write(
      key,
      createArchive(exportRow.userId, {
        locale: accountLocale,
        createdAt: new Date(),
        onProgress: async (percent) => {
          await db.dataExport.updateMany({ where: runningFilter, data: { progress: percent } });
        },
      }),
    );
    if (!(await finishExport({ exportId, key, size, userId: exportRow.userId, locale: accountLocale })))
      await storage().remove(key);
  } catch (error) {
    if (exportRow.createdAt.getTime() > Date.now() - EXPORT_GIVE_UP_MS) throw error;
    log.error({ event: "data_export.failed", export: exportId, cause: error });
    await db.dataExport.updateMany({ where: runningFilter, data: { state: "failed" } });
  }
}

/** Marks the export as ready and mails its link. Returns false if the account or export no longer exists. */
async function finishExport(result: {
  exportId: string;
  key: string;
  size: number;
  userId: number;
  locale: Locale;
}): Promise<boolean> {
  const { exportId, key, size, userId, locale } = result;
  const token = createToken("dsx");
  return inTransaction(async (tx) => {
    if (!(await lockUserIfExists(tx, userId))) return false;
    const { count } = await tx.db.dataExport.updateMany({
      where: { id: exportId, state: "running" },
      data: {
        state: "ready",
        progress: 100,
        tokenHash: hashSecret(token),
        file: key,
        size,
        readyAt: new Date(),
        expiresAt: fromNow(EXPORT_LINK_HOURS * HOUR),
      },
    });
    if (count === 0) return false;
    await notifyOwner({ ...tx, locale }, userId, "export_ready", {
      path: `/api/user/export/${exportId}?token=${token}`,
      params: { hours: EXPORT_LINK_HOURS },
    });
    return true;
  });
}

/** Deletes expired archives, and files left by a crash or a deleted account. */
export async function sweepDataExportsJob(): Promise<void> {
  const { db } = withoutTransaction();
  const activeRows = await db.dataExport.findMany({
    where: { file: { not: null }, expiresAt: { gt: new Date() } },
    select: { file: true },
  });
  const activeFiles = new Set(activeRows.map(({ file }) => file));
  for (const { key, changedAt } of await storage().list(EXPORT_FOLDER)) {
    // A recent file may still be in progress, without a row that refers to it.
    if (activeFiles.has(key) || changedAt.getTime() > Date.now() - HOUR) continue;
    await removeStoredFile(key);
  }
  await db.dataExport.updateMany({
    where: { file: { not: null }, expiresAt: { lte: new Date() } },
    data: { file: null, tokenHash: null },
  });
  await db.dataExport.updateMany({
    where: { state: { in: ["queued", "running"] }, createdAt: { lt: fromNow(-DAY) } },
    data: { state: "failed" },
  });
}
