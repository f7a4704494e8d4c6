import { randomBytes } from "node:crypto";
import { escapeLiteral, type QueryConfig, type QueryResult } from "pg";
import type * as z from "zod";
import { env } from "@/server/core/env";
import type { Sql, SqlText } from "@/server/core/sql";

export type NamedStatement = Required<Pick<QueryConfig, "name" | "text">> &
  Pick<QueryConfig, "values"> & {
    /** The place of a column of text that is passed on undecoded, as an `Unread`. */
    unread?: number;
  };

/** A named statement with its values. */
export interface BoundStatement<Row extends z.ZodType = z.ZodType> extends NamedStatement {
  row: Row;
}

/**
 * A constant piece of SQL that several statements share, or one created when it is first needed. Never made from
 * input.
 */
export class Fragment implements SqlText {
  constructor(private readonly made: string | (() => string)) {}
  get text(): string {
    return typeof this.made === "string" ? this.made : this.made();
  }
}

/** A setting as SQL text, for fragments: those have no parameters. */
export function settingSql(value: string): string {
  return escapeLiteral(value);
}

/** SQL for a timestamp in the format of docs/contract.md 2. */
export function isoMicrosSql(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

interface NamedText {
  name: string;
  text: string;
  unread?: number;
}

/** A template with what else its statement says; see {@link NamedStatement}. */
type Template = TemplateStringsArray & { unread?: number };

/** Keyed by the place in the code: every evaluation of a template passes the same array. */
const statements = new WeakMap<TemplateStringsArray, NamedText>();
let count = 0;
/** The module is loaded twice in one process, by the server and by the pages: their names must not collide. */
const copy = randomBytes(4).toString("hex");

function namedText(strings: Template, values: unknown[]): NamedText {
  let known = statements.get(strings);
  if (!known) {
    known = { name: `s${copy}_${count++}`, text: textOf(strings, values), unread: strings.unread };
    statements.set(strings, known);
  }
  return known;
}

/** Returns the text of a template, with `$1`, `$2`, … for its values. */
function textOf(strings: TemplateStringsArray, values: unknown[]): string {
  let parameter = 0;
  return strings.reduce((left, right, index) => {
    const value = values[index - 1];
    return `${left}${value instanceof Fragment ? value.text : `$${++parameter}`}${right}`;
  });
}

/** A statement with its values, as the driver takes it. */
function bind(strings: TemplateStringsArray, values: unknown[]): NamedStatement {
  return {
    ...namedText(strings, values),
    values: values.filter((value) => !(value instanceof Fragment)),
  };
}

/** Named statements on a pool, on one connection, or on lanes. */
export function statementsOn(target: { query(query: QueryConfig): Promise<QueryResult> }): Sql {
  return async <Row>(strings: TemplateStringsArray, ...values: unknown[]) => {
    const { rows } = await target.query(bind(strings, values));
    return rows as Row[];
  };
}

type Value<Given> = Fragment | ((given: Given) => unknown);

/** A piece of SQL with values of its own, which a domain offers to the statements of others. */
export class Part<Given> {
  constructor(
    readonly strings: readonly string[],
    readonly values: ReadonlyArray<Value<Given> | Part<Given>>,
  ) {}

  /** Returns the same template without parts in it. */
  flat(): { strings: string[]; values: Value<Given>[] } {
    const [first = "", ...others] = this.strings;
    const strings = [first];
    const append = (text: string) => strings.push((strings.pop() ?? "") + text);
    const values = others.flatMap((text, index) => {
      const value = this.values[index]!;
      const inner = value instanceof Part ? value.flat() : { strings: ["", ""], values: [value] };
      append(inner.strings[0]!);
      strings.push(...inner.strings.slice(1));
      append(text);
      return inner.values;
    });
    return { strings, values };
  }
}

export function part<Given>(
  strings: TemplateStringsArray,
  ...values: Array<Value<Given> | Part<Given>>
): Part<Given> {
  return new Part(strings, values);
}

/** The connection of a statement: the pool, or a transaction. */
interface OnSql {
  sql: Sql;
}

/** A named statement: its text, the schema of its rows, and how to run it. */
export interface Statement<Row extends z.ZodType = z.ZodType, Given = never> {
  (work: OnSql, given: Given): Promise<Array<z.output<Row>>>;
  /**
   * Runs it where nobody needs its rows: in a transaction together with the statement that follows, which fails when this
   * one does, else at once.
   */
  later(work: OnSql, given: Given): Promise<void>;
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
 * nothing holds up: outside of transactions they share connections (`lanes.ts`). `unread` is the place of a column that
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
    const execute = async ({ sql }: OnSql, given: Given) => {
      const run = (short && sql.short) || sql;
      const rows = await run<z.output<Row>>(own, ...valuesOf(given));
      return env().STRICT_OUTPUT ? rows.map((each) => row.parse(each)) : rows;
    };
    const bound = (given: Given) => ({ ...bind(own, valuesOf(given)), row });
    const later = async (work: OnSql, given: Given) => {
      if (work.sql.later) work.sql.later(bound(given));
      else await execute(work, given);
    };
    return Object.defineProperty(Object.assign(execute, { text: "", row, with: bound, later }), "text", {
      get: () => textOf(own, values),
    });
  };
}
