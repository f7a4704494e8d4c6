import type * as z from "zod";
import { toIsoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { CreditEntry } from "./contract";

export const ENTRY_COLUMNS = {
  id: true,
  amount: true,
  balance: true,
  reason: true,
  actorId: true,
  note: true,
  createdAt: true,
} as const satisfies Prisma.CreditEntrySelect;

/** Shows that an administrator acted, never which one. */
export function toCreditEntry({
  actorId,
  createdAt,
  ...entry
}: Prisma.CreditEntryGetPayload<{ select: typeof ENTRY_COLUMNS }>): z.output<typeof CreditEntry> {
  return {
    ...entry,
    actor: actorId === null ? "system" : "administrator",
    created_at: toIsoMicros(createdAt),
  };
}
