import { getRegisteredDomains } from "@/server/core/domain";
import { DAY, fromNow, toIsoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { KEY_USE_RETENTION_DAYS } from "../policy";
import { OTHER_CALLS, toUtcDay, writeKeyUse } from "./record";

const RECENT_DAYS = 7;

type KeyReference = { tokenId: number } | { externalKeyId: number };

const getPeriodStart = (days: number) => new Date(toUtcDay(fromNow(-(days - 1) * DAY).getTime()));

export async function loadRecentUseLookup(
  { db }: Pick<DbAccess, "db">,
  column: "tokenId" | "externalKeyId",
  ids: number[],
): Promise<(id: number) => { calls_7d: number; addresses_count: number }> {
  await writeKeyUse();
  const rows = await db.keyUse.groupBy({
    by: [column, "address"],
    where: { [column]: { in: ids }, day: { gte: getPeriodStart(RECENT_DAYS) } },
    _sum: { calls: true },
  });
  return (id) => {
    const keyRows = rows.filter((row) => row[column] === id);
    return {
      calls_7d: keyRows.reduce((sum, { _sum }) => sum + (_sum.calls ?? 0), 0),
      addresses_count: keyRows.length,
    };
  };
}

export async function readKeyUse({ db }: Pick<DbAccess, "db">, key: KeyReference) {
  const column = "tokenId" in key ? "tokenId" : "externalKeyId";
  const id = "tokenId" in key ? key.tokenId : key.externalKeyId;
  const getRecentUse = await loadRecentUseLookup({ db }, column, [id]);
  const where: Prisma.KeyUseWhereInput = { ...key, day: { gte: getPeriodStart(KEY_USE_RETENTION_DAYS) } };
  const aggregates = { _sum: { calls: true }, _max: { lastAt: true } } as const;
  const [operations, addresses] = await Promise.all([
    db.keyUse.groupBy({ by: "operation", where, ...aggregates }),
    db.keyUse.groupBy({ by: "address", where, ...aggregates }),
  ]);
  const operationsById = new Map(
    getRegisteredDomains().flatMap(({ operations: domainOperations = {} }) =>
      Object.values(domainOperations).map(({ operation }) => [operation.id, operation] as const),
    ),
  );
  return {
    ...getRecentUse(id),
    operations: sortByCalls(
      operations.map(({ operation, _sum, _max }) => ({
        operation: operation === OTHER_CALLS ? null : operation,
        method: operationsById.get(operation)?.method ?? null,
        path: operationsById.get(operation)?.path ?? null,
        calls: _sum.calls ?? 0,
        last_at: toIsoMicros(_max.lastAt!),
      })),
    ),
    addresses: sortByCalls(
      addresses.map(({ address, _sum, _max }) => ({
        address: address === OTHER_CALLS ? null : address,
        calls: _sum.calls ?? 0,
        last_at: toIsoMicros(_max.lastAt!),
      })),
    ),
  };
}

function sortByCalls<Row extends { calls: number; last_at: string }>(rows: Row[]): Row[] {
  return rows.sort((a, b) => b.calls - a.calls || (a.last_at < b.last_at ? 1 : -1));
}
