import type { Output } from "@/server/core/contract";
import { isoMicros } from "@/server/core/time";
import { factorsOf } from "@/server/domains/access/two-factor/service/reset";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { listFactorResets } from "./contract";

const ADMINISTRATOR = { select: { id: true, name: true } } as const;

export const RESET = {
  id: true,
  factors: true,
  reason: true,
  state: true,
  needsApproval: true,
  runAt: true,
  createdAt: true,
  endedAt: true,
  target: { select: { id: true, name: true, email: true, role: true } },
  requestedBy: ADMINISTRATOR,
  approvedBy: ADMINISTRATOR,
} satisfies Prisma.AdminActionSelect;

/** `needsTwo` is the setting `two_administrators`: with it, every reset needs approval. */
export function resetOf(
  row: Prisma.AdminActionGetPayload<{ select: typeof RESET }>,
  needsTwo: boolean,
): Output<typeof listFactorResets>["resets"][number] {
  const needsApproval = row.needsApproval || needsTwo || row.target.role === "admin";
  return {
    id: row.id,
    user: row.target,
    factors: factorsOf(row.factors),
    reason: row.reason,
    state: row.state,
    run_at: isoMicros(row.runAt),
    approval_due: row.state === "waiting" && needsApproval && row.approvedBy === null,
    requested_by: row.requestedBy,
    approved_by: row.approvedBy,
    created_at: isoMicros(row.createdAt),
    ended_at: isoMicros(row.endedAt),
  };
}
