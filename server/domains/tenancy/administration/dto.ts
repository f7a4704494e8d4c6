import type { Context } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { toIsoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { listUsers } from "./contract";

export const USER_ROW_SELECT = {
  id: true,
  name: true,
  email: true,
  phone: true,
  role: true,
  isActive: true,
  isAgentOnly: true,
  emailVerifiedAt: true,
  createdAt: true,
  enrolBy: true,
  reseller: { select: { id: true, name: true, email: true } },
  resellerDesk: { select: { agreementSignedAt: true } },
} satisfies Prisma.UserSelect;

interface UserCounts {
  siteCounts: Map<number, number>;
  factorCounts: Map<number, number>;
}

/** Separate queries, because Prisma's relation counts aggregate over all accounts. */
export async function countSitesAndFactors(
  { db }: Pick<Context, "db">,
  users: ReadonlyArray<{ id: number }>,
): Promise<UserCounts> {
  const userId = { in: users.map(({ id }) => id) };
  const [siteGroups, factorGroups] = await Promise.all([
    db.site.groupBy({ by: "userId", where: { userId, deletedAt: null }, _count: true }),
    db.factor.groupBy({ by: "userId", where: { userId, confirmedAt: { not: null } }, _count: true }),
  ]);
  const toCountsByUser = (rows: typeof factorGroups) => new Map(rows.map((row) => [row.userId, row._count]));
  return { siteCounts: toCountsByUser(siteGroups), factorCounts: toCountsByUser(factorGroups) };
}

export function toUserRow(
  user: Prisma.UserGetPayload<{ select: typeof USER_ROW_SELECT }>,
  { siteCounts, factorCounts }: UserCounts,
): Output<typeof listUsers>["data"][number] {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    phone: user.phone,
    role: user.role,
    is_active: user.isActive,
    is_agent_only: user.isAgentOnly,
    email_verified_at: toIsoMicros(user.emailVerifiedAt),
    agreement_signed_at:
      user.role === "reseller" ? toIsoMicros(user.resellerDesk?.agreementSignedAt ?? null) : null,
    sites_count: siteCounts.get(user.id) ?? 0,
    two_factor: factorCounts.has(user.id),
    enrol_by: toIsoMicros(user.enrolBy),
    reseller: user.reseller,
    created_at: toIsoMicros(user.createdAt),
  };
}
