import type * as z from "zod";
import type { LikePatterns } from "@/server/core/fold";
import { Fragment, statement } from "./statement";

/** Scans the newest 2,000 rows first: PostgreSQL would scan the table for words that never occur together. */
export function newestMatchesStatement<Row extends z.ZodType>(
  rowSchema: Row,
  { columns, table, condition }: { columns: string; table: string; condition: string },
) {
  const [COLUMNS, ROWS] = [new Fragment(columns), new Fragment(`${table} where ${condition}`)];
  return statement(rowSchema)<LikePatterns & { take: number }>`
  with newest as materialized (
    select ${COLUMNS}, search_text from ${ROWS} order by id desc limit 2000),
  hits as materialized (
    select ${COLUMNS} from newest
     where search_text like ${({ longest }) => longest} and search_text like ${({ secondLongest }) => secondLongest}
       and ' ' || search_text like all(${({ allPatterns }) => allPatterns}::text[])
     order by id desc limit ${({ take }) => take}::int),
  indexed as materialized (
    select ${COLUMNS} from ${ROWS}
       and search_text like ${({ longest }) => longest} and search_text like ${({ secondLongest }) => secondLongest}
       and ' ' || search_text like all(${({ allPatterns }) => allPatterns}::text[]))
  select ${COLUMNS} from (
    select * from hits
    union
    select * from indexed where (select count(*) from hits) < ${({ take }) => take}::int) as found
   order by id desc limit ${({ take }) => take}::int`;
}
