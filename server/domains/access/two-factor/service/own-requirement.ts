import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { isoMicros } from "@/server/core/time";
import type { getFactorDuty } from "../contract";

export async function getOwnRequirement({
  actor,
  db,
}: Context<UserActor>): Promise<Output<typeof getFactorDuty>> {
  const user = await db.user.findUnique({ where: { id: actor.id }, select: { enrolBy: true } });
  const enrolBy = user?.enrolBy ?? null;
  return { success: true, duty: enrolBy && { enrol_by: isoMicros(enrolBy), overdue: enrolBy <= new Date() } };
}
