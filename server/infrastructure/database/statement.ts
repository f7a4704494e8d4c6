import { randomBytes } from "node:crypto";
import { escapeLiteral, type QueryConfig, type QueryResult } from "pg";
import type * as z from "zod";
import { env } from "@/server/core/env";
import type { Sql, SqlText } from "@/server/core/sql";

export type NamedStatement = Required<Pick<QueryConfig, "name" | "text">> &
  Pick<QueryConfig, "values"> & {
    /** Index of a text column that is returned undecoded, as a `RawUtf8`. */
    rawColumn?: number;
  };

export interface BoundStatement<Row extends z.ZodType = z.ZodType> extends NamedStatement {
  row: Row;
}

/** Constant SQL shared by several statements, optionally created on first use. Never derived from input. */
export class Fragment implements SqlText {
  constructor(private readonly source: string | (() => string)) {}
  get text(): string {
    return typeof this.source === "string" ? this.source : this.source();
  }
}

/** Escapes a setting for a {@link Fragment}, which cannot have parameters. */
export function toSqlLiteral(value: string): string {
  return escapeLiteral(value);
}

/** Returns SQL that formats a timestamp as in docs/contract.md 2. */
export function isoMicrosSql(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

interface NamedText {
  name: string;
  text: string;
  rawColumn?: number;
}

type Template = TemplateStringsArray & { rawColumn?: number };

/** Keyed by template: every evaluation of a tagged template passes the same array. */
const namedTexts = new WeakMap<TemplateStringsArray, NamedText>();
let statementCount = 0;
/** Avoids name collisions: a process loads this module twice, for the server and for the pages. */
const modulePrefix = randomBytes(4).toString("hex");

function getNamedText(strings: Template, values: unknown[]): NamedText {
  let namedText = namedTexts.get(strings);
  if (!namedText) {
    namedText = {
      name: `s${modulePrefix}_${statementCount++}`,
      text: buildText(strings, values),
      rawColumn: strings.rawColumn,
    };
    namedTexts.set(strings, namedText);
  }
  return namedText;
}

function buildText(strings: TemplateStringsArray, values: unknown[]): string {
  let parameterCount = 0;
  return strings.reduce((sqlSoFar, nextPart, index) => {
    const value = values[index - 1];
    return `${sqlSoFar}${value instanceof Fragment ? value.text : `$${++parameterCount}`}${nextPart}`;
  });
}

function bindValues(strings: TemplateStringsArray, values: unknown[]): NamedStatement {
  return {
    ...getNamedText(strings, values),
    values: values.filter((value) => !(value instanceof Fragment)),
  };
}

/** Returns a template tag for a pool, a connection or lanes. */
export function createSqlTag(target: { query(query: QueryConfig): Promise<QueryResult> }): Sql {
  return async <Row>(strings: TemplateStringsArray, ...values: unknown[]) => {
    const { rows } = await target.query(bindValues(strings, values));
    return rows as Row[];
  };
}

type PartSlot<Params> = Fragment | ((params: Params) => unknown);

/** Piece of SQL with its own values, which a domain offers for use in statements of other domains. */
export class SqlPart<Params> {
  constructor(
    readonly strings: readonly string[],
    readonly values: ReadonlyArray<PartSlot<Params> | SqlPart<Params>>,
  ) {}

  flatten(): { strings: string[]; values: PartSlot<Params>[] } {
    const [firstText = "", ...texts] = this.strings;
    const strings = [firstText];
    const appendToLast = (text: string) => strings.push((strings.pop() ?? "") + text);
    const values = texts.flatMap((text, index) => {
      const value = this.values[index]!;
      const part = value instanceof SqlPart ? value.flatten() : { strings: ["", ""], values: [value] };
      appendToLast(part.strings[0]!);
      strings.push(...part.strings.slice(1));
      appendToLast(text);
      return part.values;
    });
    return { strings, values };
  }
}

export function sqlPart<Params>(
  strings: TemplateStringsArray,
  ...values: Array<PartSlot<Params> | SqlPart<Params>>
): SqlPart<Params> {
  return new SqlPart(strings, values);
}

interface SqlAccess {
  sql: Sql;
}

/** Named statement: call it to run it on the pool or in a transaction. */
export interface Statement<Row extends z.ZodType = z.ZodType, Params = never> {
  (access: SqlAccess, params: Params): Promise<Array<z.output<Row>>>;
  /** Ignores the rows. In a transaction it is sent with the next statement, which fails if this one does. */
  sendWithoutWaiting(access: SqlAccess, params: Params): Promise<void>;
  /** Text with `$1`, `$2`, … for the values. */
  readonly text: string;
  readonly row: Row;
  bindParams(params: Params): BoundStatement<Row>;
}

/**
 * Declares a statement. Use it only in a `statements.ts`, with a comment that says why Prisma is not used. `short` is for fast
 * reads without locks (`lanes.ts`). `rawColumn` is the index of a column to return undecoded.
 */
export function statement<Row extends z.ZodType>(
  rowSchema: Row,
  { short = false, rawColumn }: { short?: boolean; rawColumn?: number } = {},
) {
  return <Params = void>(
    template: TemplateStringsArray,
    ...templateValues: SqlPart<Params>["values"]
  ): Statement<Row, Params> => {
    const { strings, values } = new SqlPart(template, templateValues).flatten();
    // A copy, because texts are cached by template, and one template may declare several statements.
    const ownTemplate: Template = Object.assign(strings, { raw: strings, rawColumn });
    const computeValues = (params: Params) =>
      values.map((value) => (value instanceof Fragment ? value : value(params)));
    const execute = async ({ sql }: SqlAccess, params: Params) => {
      const runSql = (short && sql.short) || sql;
      const rows = await runSql<z.output<Row>>(ownTemplate, ...computeValues(params));
      return env().STRICT_OUTPUT ? rows.map((each) => rowSchema.parse(each)) : rows;
    };
    const bindParams = (params: Params) => ({
      ...bindValues(ownTemplate, computeValues(params)),
      row: rowSchema,
    });
    const sendOrExecute = async (access: SqlAccess, params: Params) => {
      if (access.sql.sendWithoutWaiting) access.sql.sendWithoutWaiting(bindParams(params));
      else await execute(access, params);
    };
    return Object.defineProperty(
      Object.assign(execute, { text: "", row: rowSchema, bindParams, sendWithoutWaiting: sendOrExecute }),
      "text",
      {
        get: () => buildText(ownTemplate, values),
      },
    );
  };
}
