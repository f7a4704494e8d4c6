import { escapeIdentifier } from "pg";
import { getRegisteredDomains, type SealedColumn } from "@/server/core/domain";
import { pool } from "@/server/infrastructure/database/client";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { adoptAppSecret } from "./fingerprint";
import { reseal } from "./seal";

const BATCH_SIZE = 200;

export interface RotationResult {
  resealed: number;
  /** Rows that no configured secret can decrypt, as `table 7`. */
  unreadable: string[];
}

/** Re-encrypts values of former secrets while servers run. Run it twice: servers write during the first. */
export async function rotateSecrets(): Promise<RotationResult> {
  const rotation: RotationResult = { resealed: 0, unreadable: [] };
  for (const sealedColumn of getRegisteredDomains().flatMap(({ sealedColumns }) => sealedColumns ?? []))
    await resealColumn(sealedColumn, rotation);
  await inTransaction(adoptAppSecret);
  return rotation;
}

async function resealColumn(
  { table, keyColumn = "id", column, purpose, condition }: SealedColumn,
  rotation: RotationResult,
): Promise<void> {
  const [tableSql, keyColumnSql, columnSql] = [table, keyColumn, column].map(escapeIdentifier);
  const conditionSql = condition ? `and ${escapeIdentifier(condition.column)}::text = $3` : "";
  for (let lastId = 0; ; ) {
    const { rows } = await pool().query<{ id: number; sealed: Buffer }>(
      `select ${keyColumnSql} as id, ${columnSql} as sealed from ${tableSql} where ${columnSql} is not null and ${keyColumnSql} > $1 ${conditionSql} order by ${keyColumnSql} limit $2`,
      [lastId, BATCH_SIZE, ...(condition ? [condition.value] : [])],
    );
    for (const { id, sealed } of rows) {
      lastId = id;
      try {
        const resealed = reseal(sealed, purpose);
        if (!resealed) continue;
        const updateSql = `update ${tableSql} set ${columnSql} = $1 where ${keyColumnSql} = $2 and ${columnSql} = $3`;
        const { rowCount } = await pool().query(updateSql, [Buffer.from(resealed), id, sealed]);
        rotation.resealed += rowCount ?? 0;
      } catch (error) {
        if ("severity" in (error as object)) throw error;
        rotation.unreadable.push(`${table} ${id}`);
      }
    }
    if (rows.length < BATCH_SIZE) return;
  }
}
