import type { Context } from "@/server/core/context";
import { FileOutput, type Input } from "@/server/core/contract";
import { createNotFoundError } from "@/server/core/errors";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { hashSecret, isWellFormedToken } from "@/server/infrastructure/secrets/tokens";
import { storage } from "@/server/infrastructure/storage/storage";
import type { downloadExport } from "../contract";

export async function downloadExportArchive(
  ctx: Context,
  { params: { id }, query: { token } }: Input<typeof downloadExport>,
): Promise<FileOutput> {
  const row = token && isWellFormedToken(token, "dsx") ? await findExport(ctx, id, token) : null;
  const file = row && !(await isOutdated(ctx, row)) && (await storage().read(row.file!));
  if (!file) throw createNotFoundError("DataExport", id);
  await audit(ctx, {
    action: "data_export.downloaded",
    object: { type: "User", id: row.userId },
    actorId: row.userId,
  });
  return new FileOutput(file, { type: "application/zip", name: `export-${toUtcDay(row.createdAt)}.zip` });
}

function findExport({ db }: Context, id: string, token: string) {
  return db.dataExport.findFirst({
    where: {
      id,
      tokenHash: hashSecret(token),
      state: "ready",
      file: { not: null },
      expiresAt: { gt: new Date() },
      user: { isActive: true },
    },
    select: { userId: true, file: true, createdAt: true, readyAt: true },
  });
}

/** A change of password, or an undone address change, invalidates links that were mailed before. */
async function isOutdated(
  { db }: Context,
  { userId, readyAt }: { userId: number; readyAt: Date | null },
): Promise<boolean> {
  const laterChange = await db.auditEvent.findFirst({
    where: {
      objectType: "User",
      objectId: String(userId),
      action: { in: ["password.changed", "password.reset", "profile.email_change_undone"] },
      at: { gt: readyAt ?? new Date(0) },
    },
    select: { id: true },
  });
  return laterChange !== null;
}

function toUtcDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}
