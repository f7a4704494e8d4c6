import { escapeIdentifier } from "pg";
import { declared, type Sealed } from "@/server/core/domain";
import { pool } from "@/server/infrastructure/database/client";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { adoptSecret } from "./known";
import { reseal } from "./seal";

/** Rows that are read at once. */
const BATCH = 200;

/** What a rotation did. */
export interface Rotation {
  resealed: number;
  /** Rows that no given secret opens, as `table 7`. */
  unreadable: string[];
}

/**
 * Seals everything again under APP_SECRET that was sealed under one of APP_SECRET_OLD. Rows change one by one, and only
 * while they are what was read, so servers go on meanwhile. A second run finds what they wrote during the first.
 */
export async function rotateSecrets(): Promise<Rotation> {
  const rotation: Rotation = { resealed: 0, unreadable: [] };
  for (const place of declared().flatMap(({ sealed }) => sealed ?? [])) await rotateColumn(place, rotation);
  await inTransaction(adoptSecret);
  return rotation;
}

async function rotateColumn(
  { table, numbered = "id", column, purpose, only }: Sealed,
  rotation: Rotation,
): Promise<void> {
  const [from, key, what] = [table, numbered, column].map(escapeIdentifier);
  const kind = only ? `and ${escapeIdentifier(only.column)}::text = $3` : "";
  for (let after = 0; ; ) {
    const { rows } = await pool().query<{ id: number; sealed: Buffer }>(
      `select ${key} as id, ${what} as sealed from ${from} where ${what} is not null and ${key} > $1 ${kind} order by ${key} limit $2`,
      [after, BATCH, ...(only ? [only.value] : [])],
    );
    for (const { id, sealed } of rows) {
      after = id;
      try {
        const fresh = reseal(sealed, purpose);
        if (!fresh) continue;
        const change = `update ${from} set ${what} = $1 where ${key} = $2 and ${what} = $3`;
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
