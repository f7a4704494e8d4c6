import { toIsoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { Invitation, Member } from "./contract";
import { isMemberHeld } from "./policy";
import type { MemberRow } from "./statements";

export function toMember(row: MemberRow, owner: { role: string }): Member {
  const { siteId, siteName, siteDomain } = row;
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    is_active: row.isActive,
    is_held: !row.isActive && isMemberHeld(owner, row),
    is_agent_only: row.isAgentOnly,
    allowed_modules: row.allowedModules,
    two_factor: row.twoFactor,
    site: siteId === null ? null : { id: siteId, name: siteName!, domain: siteDomain! },
    last_seen_at: toIsoMicros(row.lastSeenAt),
    created_at: toIsoMicros(row.createdAt),
  };
}

export const INVITATION_SELECT = {
  id: true,
  name: true,
  email: true,
  allowedModules: true,
  createdAt: true,
  expiresAt: true,
  site: { select: { id: true, name: true, domain: true } },
} as const satisfies Prisma.InvitationSelect;

export function toInvitation(
  row: Prisma.InvitationGetPayload<{ select: typeof INVITATION_SELECT }>,
): Invitation {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    allowed_modules: castModules(row.allowedModules),
    site: row.site,
    created_at: toIsoMicros(row.createdAt),
    expires_at: toIsoMicros(row.expiresAt),
    expired: row.expiresAt.getTime() <= Date.now(),
  };
}

export function castModules(column: Prisma.JsonValue): string[] | null {
  return column as string[] | null;
}
