import type { Output } from "@/server/core/contract";
import { toIsoMicros } from "@/server/core/time";
import { selectFactorKinds } from "@/server/domains/access/two-factor/service/reset-factors";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { listFactorResets } from "./contract";

const ADMINISTRATOR_SELECT = { select: { id: true, name: true } } as const;

export const RESET_SELECT = {
  id: true,
  factors: true,
  reason: true,
  state: true,
  needsApproval: true,
  runAt: true,
  createdAt: true,
  endedAt: true,
  target: { select: { id: true, name: true, email: true, role: true } },
  requestedBy: ADMINISTRATOR_SELECT,
  approvedBy: ADMINISTRATOR_SELECT,
} satisfies Prisma.AdminActionSelect;

/** `needsTwoAdministrators` is the setting `two_administrators`: every reset then needs an approval. */
export function toFactorReset(
  row: Prisma.AdminActionGetPayload<{ select: typeof RESET_SELECT }>,
  needsTwoAdministrators: boolean,
): Output<typeof listFactorResets>["resets"][number] {
  const needsApproval = row.needsApproval || needsTwoAdministrators || row.target.role === "admin";
  return {
    id: row.id,
    user: row.target,
    factors: selectFactorKinds(row.factors),
    reason: row.reason,
    state: row.state,
    run_at: toIsoMicros(row.runAt),
    approval_due: row.state === "waiting" && needsApproval && row.approvedBy === null,
    requested_by: row.requestedBy,
    approved_by: row.approvedBy,
    created_at: toIsoMicros(row.createdAt),
    ended_at: toIsoMicros(row.endedAt),
  };
}
