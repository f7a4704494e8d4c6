import { toIsoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";

export const EXPORT_SELECT = {
  id: true,
  state: true,
  progress: true,
  size: true,
  createdAt: true,
  readyAt: true,
  expiresAt: true,
} as const satisfies Prisma.DataExportSelect;

export type ExportRow = Prisma.DataExportGetPayload<{ select: typeof EXPORT_SELECT }>;

export function toExportOutput({ id, state, progress, size, createdAt, readyAt, expiresAt }: ExportRow) {
  const isExpired = expiresAt !== null && expiresAt.getTime() <= Date.now();
  return {
    id,
    state: isExpired ? ("expired" as const) : state,
    progress,
    size,
    created_at: toIsoMicros(createdAt),
    ready_at: toIsoMicros(readyAt),
    expires_at: toIsoMicros(expiresAt),
  };
}
