import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";

const STATE = {
  id: true,
  isActive: true,
  suspendedReason: true,
  subscriptionId: true,
} as const satisfies Prisma.SiteSelect;
export type State = Prisma.SiteGetPayload<{ select: typeof STATE }>;

export function stateOf({ db }: Pick<DbAccess, "db">, id: number): Promise<State> {
  return db.site.findUniqueOrThrow({ where: { id }, select: STATE });
}

export function setState(
  { db }: Pick<DbAccess, "db">,
  id: number,
  data: Partial<Omit<State, "id">>,
): Promise<State> {
  return db.site.update({ where: { id }, data, select: STATE });
}

export function stateBody({ id, isActive, suspendedReason, subscriptionId }: State) {
  return { id, is_active: isActive, suspended_reason: suspendedReason, subscription_id: subscriptionId };
}
