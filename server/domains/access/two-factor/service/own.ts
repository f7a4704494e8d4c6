import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { isoMicros } from "@/server/core/time";
import type { getFactorDuty } from "../contract";

export async function get({ actor, db }: Context<UserActor>): Promise<Output<typeof getFactorDuty>> {
  const user = await db.user.findUnique({ where: { id: actor.id }, select: { enrolBy: true } });
  const by = user?.enrolBy ?? null;
  return { success: true, duty: by && { enrol_by: isoMicros(by), overdue: by <= new Date() } };
}
