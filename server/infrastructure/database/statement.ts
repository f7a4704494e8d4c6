import type * as z from "zod";
import { env } from "@/server/core/env";
import type { Lanes } from "./lanes";
import { Part } from "./part";
import { bind, Fragment, type NamedStatement, type Template, textOf } from "./sql";
import type { Work } from "./transaction";

/** A named statement with its values. */
export interface BoundStatement<Row extends z.ZodType = z.ZodType> extends NamedStatement {
  row: Row;
}

/** A named statement: its text, the schema of its rows, and how to run it. */
export interface Statement<Row extends z.ZodType = z.ZodType, Given = never> {
  (work: Pick<Work, "sql">, given: Given): Promise<Array<z.output<Row>>>;
  /**
   * Runs it where nobody needs its rows: in a transaction together with the statement that follows, which fails when this
   * one does, else at once.
   */
  later(work: Pick<Work, "sql">, given: Given): Promise<void>;
  /** With `$1`, `$2`, … for its values. */
  readonly text: string;
  readonly row: Row;
  /** For statements that are sent together ({@link inOneTrip}). */
  with(given: Given): BoundStatement<Row>;
}

/**
 * Declares a statement of a `statements.ts`, next to the reason why Prisma is not used. Each value is a function of
 * the input. The row's schema gives the type; every row is checked in development and tests, and a test has
 * PostgreSQL describe every statement, so that a renamed column is found early. `short` is for reads of few rows that
 * nothing holds up: outside of transactions they share connections ({@link Lanes}). `unread` is the place of a column that
 * is passed on as it comes, as {@link Unread}.
 */
export function statement<Row extends z.ZodType>(
  row: Row,
  { short = false, unread }: { short?: boolean; unread?: number } = {},
) {
  return <Given = void>(
    template: TemplateStringsArray,
    ...parts: Part<Given>["values"]
  ): Statement<Row, Given> => {
    const { strings, values } = new Part(template, parts).flat();
    // The place in the code may declare several, with other fragments.
    const own: Template = Object.assign(strings, { raw: strings, unread });
    const valuesOf = (given: Given) =>
      values.map((value) => (value instanceof Fragment ? value : value(given)));
    const execute = async ({ sql }: Pick<Work, "sql">, given: Given) => {
      const run = (short && sql.short) || sql;
      const rows = await run<z.output<Row>>(own, ...valuesOf(given));
      return env().STRICT_OUTPUT ? rows.map((each) => row.parse(each)) : rows;
    };
    const bound = (given: Given) => ({ ...bind(own, valuesOf(given)), row });
    const later = async (work: Pick<Work, "sql">, given: Given) => {
      if (work.sql.later) work.sql.later(bound(given));
      else await execute(work, given);
    };
    return Object.defineProperty(Object.assign(execute, { text: "", row, with: bound, later }), "text", {
      get: () => textOf(own, values),
    });
  };
}
