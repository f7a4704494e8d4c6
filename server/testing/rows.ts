import { randomBytes } from "node:crypto";
import { type AccountRelation, getRegisteredDomains } from "@/server/core/domain";
import { makePayment, makeSite, makeUser } from "@/server/demo/factories";
import { listAccountRelations } from "@/server/domains/accounts/users/statements";
import { pool } from "@/server/infrastructure/database/client";

/* Rows by the database catalogue, so that tests of account relations include new tables. */

interface Column {
  name: string;
  type: string;
  required: boolean;
  labels: string[] | null;
}

/** Creates a row that belongs to an account through `column`. Returns its id. */
export async function makeRow(
  table: string,
  { column, ownerId, textPrefix }: { column: string; ownerId: number; textPrefix: string },
): Promise<number | string> {
  const { rows: columns } = await pool().query<Column>(
    `select a.attname as name, t.typname as type,
            a.attnotnull and not a.atthasdef and a.attidentity = '' as required,
            (select array_agg(enumlabel::text order by enumsortorder) from pg_enum where enumtypid = t.oid) as labels
       from pg_attribute a join pg_type t on t.oid = a.atttypid
      where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped`,
    [table],
  );
  const row: Record<string, unknown> = {};
  for (const columnInfo of columns)
    if (columnInfo.required || columnInfo.type === "text")
      row[columnInfo.name] = createValue(columnInfo, textPrefix);
  row[column] = ownerId;
  if ("site_id" in row) row.site_id = (await makeSite(ownerId)).id;
  if ("payment_id" in row) row.payment_id = (await makePayment(ownerId)).id;
  // Values that check constraints and types of these tables require.
  if (table === "customer_imports") row.rows = "[]";
  if (table === "brands") row.color = null;
  if (table === "webhook_endpoints") row.disabled_reason = null;
  if (table === "view_as" && column === "actor_id") row.target_id = (await makeUser()).id;
  if ("run_id" in row) {
    row.run_id = await makeRow("cleanup_runs", { column: "asked_by_id", ownerId, textPrefix });
    row.connection_id = randomBytes(4).readUInt32BE();
  }
  const names = Object.keys(row);
  const placeholders = names.map((_, index) => `$${index + 1}`);
  const { rows } = await pool().query(
    `insert into ${table} (${names}) values (${placeholders}) returning *`,
    Object.values(row),
  );
  return rows[0].id;
}

function createValue({ type, labels }: Column, textPrefix: string): unknown {
  if (labels) return labels[0];
  if (type === "text" || type === "varchar") return `${textPrefix}${randomBytes(3).toString("hex")}`;
  if (type === "bytea") return randomBytes(32);
  if (type === "timestamptz" || type === "date") return new Date(Date.now() + 3_600_000);
  if (type === "jsonb") return "{}";
  if (type === "bool") return true;
  return type.startsWith("_") ? [] : 1;
}

/** Adds a row to each related table in which the account has none. `rules` filters by deletion rule. */
export async function makeMissingRows(
  userId: number,
  {
    textPrefix,
    rules,
    excludedTables = [],
  }: {
    textPrefix: string;
    rules: ReadonlyArray<AccountRelation["onDeletion"]>;
    excludedTables?: readonly string[];
  },
): Promise<void> {
  for (const { table, column, onDeletion } of listAccountRelations()) {
    if (["users", ...excludedTables].includes(table) || !rules.includes(onDeletion)) continue;
    const { rowCount } = await pool().query(`select 1 from ${table} where ${column} = $1 limit 1`, [userId]);
    if (!rowCount) await makeRow(table, { column, ownerId: userId, textPrefix });
  }
}

export function listRelationsOfOperation(operationId: string): AccountRelation[] {
  const domain = getRegisteredDomains().find(({ operations = {} }) =>
    Object.values(operations).some(({ operation }) => operation.id === operationId),
  );
  return (domain?.relations ?? []).flatMap((relation) => ("rowsBelongTo" in relation ? [] : [relation]));
}
