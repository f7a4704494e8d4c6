import { randomBytes } from "node:crypto";
import { escapeLiteral, type QueryConfig, type QueryResult } from "pg";
import type { Sql, SqlText } from "@/server/core/sql";

export type NamedStatement = Required<Pick<QueryConfig, "name" | "text">> &
  Pick<QueryConfig, "values"> & {
    /** The place of a column of text that is passed on undecoded, as an `Unread`. */
    unread?: number;
  };

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

interface Statement {
  name: string;
  text: string;
  unread?: number;
}

/** A template with what else its statement says; see {@link NamedStatement}. */
export type Template = TemplateStringsArray & { unread?: number };

/** Keyed by the place in the code: every evaluation of a template passes the same array. */
const statements = new WeakMap<TemplateStringsArray, Statement>();
let count = 0;
/** The module is loaded twice in one process, by the server and by the pages: their names must not collide. */
const copy = randomBytes(4).toString("hex");

function statement(strings: Template, values: unknown[]): Statement {
  let known = statements.get(strings);
  if (!known) {
    known = { name: `s${copy}_${count++}`, text: textOf(strings, values), unread: strings.unread };
    statements.set(strings, known);
  }
  return known;
}

/** Returns the text of a template, with `$1`, `$2`, … for its values. */
export function textOf(strings: TemplateStringsArray, values: unknown[]): string {
  let parameter = 0;
  return strings.reduce((left, right, index) => {
    const value = values[index - 1];
    return `${left}${value instanceof Fragment ? value.text : `$${++parameter}`}${right}`;
  });
}

/** A statement with its values, as the driver takes it. */
export function bind(strings: TemplateStringsArray, values: unknown[]): NamedStatement {
  return {
    ...statement(strings, values),
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
