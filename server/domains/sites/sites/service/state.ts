import type { Prisma, SuspensionActor } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";

const STATE_SELECT = {
  id: true,
  isActive: true,
  suspendedReason: true,
  subscriptionId: true,
} as const satisfies Prisma.SiteSelect;
export type SiteState = Prisma.SiteGetPayload<{ select: typeof STATE_SELECT }>;

export function getSiteState({ db }: Pick<DbAccess, "db">, id: number): Promise<SiteState> {
  return db.site.findUniqueOrThrow({ where: { id }, select: STATE_SELECT });
}

export function updateSiteState(
  { db }: Pick<DbAccess, "db">,
  id: number,
  data: Partial<Omit<SiteState, "id">> & { suspendedBy?: SuspensionActor },
): Promise<SiteState> {
  return db.site.update({ where: { id }, data, select: STATE_SELECT });
}

export function toStateOutput({ id, isActive, suspendedReason, subscriptionId }: SiteState) {
  return { id, is_active: isActive, suspended_reason: suspendedReason, subscription_id: subscriptionId };
}
