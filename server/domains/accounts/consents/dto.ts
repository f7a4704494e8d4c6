import { toIsoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { ConsentKey } from "./contract";

export const ENTRY_COLUMNS = {
  id: true,
  key: true,
  granted: true,
  textVersion: true,
  textHash: true,
  locale: true,
  ip: true,
  source: true,
  createdAt: true,
  hash: true,
} as const satisfies Prisma.ConsentRecordSelect;

export function toConsentEntry(row: Prisma.ConsentRecordGetPayload<{ select: typeof ENTRY_COLUMNS }>) {
  return {
    id: row.id,
    key: row.key as ConsentKey,
    granted: row.granted,
    text_version: row.textVersion,
    text_hash: row.textHash,
    locale: row.locale,
    ip: row.ip,
    source: row.source,
    created_at: toIsoMicros(row.createdAt),
    hash: row.hash && Buffer.from(row.hash).toString("hex"),
  };
}
