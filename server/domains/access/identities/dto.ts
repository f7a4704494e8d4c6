import { toIsoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";

export const IDENTITY_SELECT = {
  id: true,
  provider: true,
  email: true,
  createdAt: true,
  lastUsedAt: true,
} as const satisfies Prisma.ExternalIdentitySelect;

export function toIdentityDto(row: Prisma.ExternalIdentityGetPayload<{ select: typeof IDENTITY_SELECT }>) {
  return {
    id: row.id,
    provider: row.provider,
    email: row.email,
    created_at: toIsoMicros(row.createdAt),
    last_used_at: toIsoMicros(row.lastUsedAt),
  };
}
