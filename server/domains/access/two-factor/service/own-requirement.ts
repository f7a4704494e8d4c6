import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { toIsoMicros } from "@/server/core/time";
import type { getFactorDuty } from "../contract";

/** The API calls the requirement `duty` and its deadline `enrol_by`. */
export async function getOwnRequirement({
  actor,
  db,
}: Context<UserActor>): Promise<Output<typeof getFactorDuty>> {
  const user = await db.user.findUnique({ where: { id: actor.id }, select: { enrolBy: true } });
  const deadline = user?.enrolBy ?? null;
  return {
    success: true,
    duty: deadline && { enrol_by: toIsoMicros(deadline), overdue: deadline <= new Date() },
  };
}
