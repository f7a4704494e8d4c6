import type * as z from "zod";
import type { Patterns } from "@/server/core/fold";
import { Fragment, statement } from "./statement";

/**
 * The newest rows of a large table that have all words. Two common words that no row has together make PostgreSQL walk the
 * whole table from its end; so it walks a little of it, and asks the index for the rest only where that was too little.
 */
export function newestOf<Row extends z.ZodType>(
  row: Row,
  { columns, table, living }: { columns: string; table: string; living: string },
) {
  const [COLUMNS, ROWS] = [new Fragment(columns), new Fragment(`${table} where ${living}`)];
  return statement(row)<Patterns & { take: number }>`
  with newest as materialized (
    select ${COLUMNS}, search_text from ${ROWS} order by id desc limit 2000),
  hits as materialized (
    select ${COLUMNS} from newest
     where search_text like ${({ first }) => first} and search_text like ${({ second }) => second}
       and ' ' || search_text like all(${({ others }) => others}::text[])
     order by id desc limit ${({ take }) => take}::int),
  indexed as materialized (
    select ${COLUMNS} from ${ROWS}
       and search_text like ${({ first }) => first} and search_text like ${({ second }) => second}
       and ' ' || search_text like all(${({ others }) => others}::text[]))
  select ${COLUMNS} from (
    select * from hits
    union
    select * from indexed where (select count(*) from hits) < ${({ take }) => take}::int) as found
   order by id desc limit ${({ take }) => take}::int`;
}
