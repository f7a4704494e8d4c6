import { escapeIdentifier } from "pg";
import { registeredDomains, type SealedColumn } from "@/server/core/domain";
import { pool } from "@/server/infrastructure/database/client";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { adoptSecret } from "./fingerprint";
import { reseal } from "./seal";

const BATCH = 200;

export interface Rotation {
  resealed: number;
  /** Rows that no configured secret can decrypt, as `table 7`. */
  unreadable: string[];
}

/**
 * Re-encrypts all values sealed under APP_SECRET_OLD. Rows are updated one by one and only if unchanged, so
 * servers can keep running; run it twice to catch what they wrote during the first run.
 */
export async function rotateSecrets(): Promise<Rotation> {
  const rotation: Rotation = { resealed: 0, unreadable: [] };
  for (const place of registeredDomains().flatMap(({ sealed }) => sealed ?? []))
    await rotateColumn(place, rotation);
  await inTransaction(adoptSecret);
  return rotation;
}

async function rotateColumn(
  { table, keyColumn = "id", column, purpose, only }: SealedColumn,
  rotation: Rotation,
): Promise<void> {
  const [from, key, value] = [table, keyColumn, column].map(escapeIdentifier);
  const kind = only ? `and ${escapeIdentifier(only.column)}::text = $3` : "";
  for (let after = 0; ; ) {
    const { rows } = await pool().query<{ id: number; sealed: Buffer }>(
      `select ${key} as id, ${value} as sealed from ${from} where ${value} is not null and ${key} > $1 ${kind} order by ${key} limit $2`,
      [after, BATCH, ...(only ? [only.value] : [])],
    );
    for (const { id, sealed } of rows) {
      after = id;
      try {
        const fresh = reseal(sealed, purpose);
        if (!fresh) continue;
        const change = `update ${from} set ${value} = $1 where ${key} = $2 and ${value} = $3`;
        const { rowCount } = await pool().query(change, [Buffer.from(fresh), id, sealed]);
        rotation.resealed += rowCount ?? 0;
      } catch (error) {
        if ("severity" in (error as object)) throw error;
        rotation.unreadable.push(`${table} ${id}`);
      }
    }
    if (rows.length < BATCH) return;
  }
}
