import type { Output } from "@/server/core/contract";
import { isoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { listUsers } from "./contract";

/** The columns of an account in the administrators' list. */
export const ROW = {
  id: true,
  name: true,
  email: true,
  role: true,
  isActive: true,
  isAgentOnly: true,
  emailVerifiedAt: true,
  createdAt: true,
  enrolBy: true,
  resellerDesk: { select: { agreementSignedAt: true } },
  _count: {
    select: { sites: { where: { deletedAt: null } }, factors: { where: { confirmedAt: { not: null } } } },
  },
} satisfies Prisma.UserSelect;

/** An account as administrators see it. */
export function userRow(
  user: Prisma.UserGetPayload<{ select: typeof ROW }>,
): Output<typeof listUsers>["data"][number] {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    role: user.role,
    is_active: user.isActive,
    is_agent_only: user.isAgentOnly,
    email_verified_at: isoMicros(user.emailVerifiedAt),
    agreement_signed_at:
      user.role === "reseller" ? isoMicros(user.resellerDesk?.agreementSignedAt ?? null) : null,
    sites_count: user._count.sites,
    two_factor: user._count.factors > 0,
    enrol_by: isoMicros(user.enrolBy),
    created_at: isoMicros(user.createdAt),
  };
}
