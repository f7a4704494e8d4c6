import * as z from "zod";
import { type AccountRelation, declared } from "@/server/core/domain";
import { Fragment } from "@/server/infrastructure/database/sql";
import { statement } from "@/server/infrastructure/database/statement";

interface Given {
  userId: number;
}

/** Every column that refers to an account, as the domains declare them. */
export function accountRelations(): AccountRelation[] {
  return declared()
    .flatMap(({ relations = [] }) => relations)
    .flatMap((relation) => ("of" in relation ? [] : [relation]));
}

const COUNTS = new Fragment(() =>
  accountRelations()
    .map(
      ({ table, column }) =>
        `select '${table}' as "table", '${column}' as "column", count(*)::int as count from ${table} where ${column} = (select id from target)`,
    )
    .join(" union all "),
);
/** Built from the declared relations: counts the rows of each. */
export const countRows = statement(
  z.strictObject({ table: z.string(), column: z.string(), count: z.int() }),
)<Given>`
  with target as (select ${(given) => given.userId}::int as id) ${COUNTS}`;

const FILES = new Fragment(() =>
  accountRelations()
    .flatMap(({ table, column, files = [] }) => files.map((file) => ({ table, column, file })))
    .map(
      ({ table, column, file }) =>
        `select ${file} as file from ${table} where ${column} = (select id from target) and ${file} is not null`,
    )
    .join(" union all "),
);
/** Built from the declared relations: the stored files of the rows. */
export const listFiles = statement(z.strictObject({ file: z.string() }))<Given>`
  with target as (select ${(given) => given.userId}::int as id) ${FILES}`;

const DELETES = new Fragment(() =>
  accountRelations()
    .filter(({ onDeletion }) => onDeletion === "delete")
    .map(
      ({ table, column }, index) =>
        `erased_${index} as (delete from ${table} where ${column} = (select id from target))`,
    )
    .join(", "),
);
/** Built from the declared relations: deletes all rows under the rule `delete` at once. */
export const eraseRows = statement(z.never())<Given>`
  with target as (select ${(given) => given.userId}::int as id), ${DELETES} select where false`;
