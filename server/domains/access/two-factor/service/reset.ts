import type { Context } from "@/server/core/context";
import { endSignIns } from "@/server/domains/access/tokens/service/tokens";
import { FACTORS, type FactorKind } from "../contract";

/** An empty list means all. */
export function factorsOf(named: readonly FactorKind[]): FactorKind[] {
  return FACTORS.filter((kind) => named.length === 0 || named.includes(kind));
}

/** Also ends all sign-ins; passkeys and API keys stay. Returns the confirmed kinds that were removed. */
export async function resetFactors(tx: Context, userId: number, kinds: FactorKind[]): Promise<FactorKind[]> {
  const where = { userId, kind: { in: kinds } };
  const removed = await tx.db.factor.findMany({
    where: { ...where, confirmedAt: { not: null } },
    select: { kind: true },
  });
  await tx.db.factor.deleteMany({ where });
  if ((await tx.db.factor.count({ where: { userId, confirmedAt: { not: null } } })) === 0)
    await tx.db.recoveryCode.deleteMany({ where: { userId } });
  await endSignIns(tx, userId);
  return removed.map(({ kind }) => kind);
}
