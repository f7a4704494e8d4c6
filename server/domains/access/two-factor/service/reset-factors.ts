import type { Context } from "@/server/core/context";
import { endSignIns } from "@/server/domains/access/tokens/service/tokens";
import { FACTOR_KINDS, type FactorKind } from "../contract";

/** Returns all kinds for an empty list. */
export function selectFactorKinds(kinds: readonly FactorKind[]): FactorKind[] {
  return FACTOR_KINDS.filter((kind) => kinds.length === 0 || kinds.includes(kind));
}

/** Removes factors and ends all sign-ins; passkeys and API keys stay. Returns the removed confirmed kinds. */
export async function resetFactors(tx: Context, userId: number, kinds: FactorKind[]): Promise<FactorKind[]> {
  const where = { userId, kind: { in: kinds } };
  const confirmedFactors = await tx.db.factor.findMany({
    where: { ...where, confirmedAt: { not: null } },
    select: { kind: true },
  });
  await tx.db.factor.deleteMany({ where });
  if ((await tx.db.factor.count({ where: { userId, confirmedAt: { not: null } } })) === 0)
    await tx.db.recoveryCode.deleteMany({ where: { userId } });
  await endSignIns(tx, userId);
  return confirmedFactors.map(({ kind }) => kind);
}
