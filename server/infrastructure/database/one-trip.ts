import pg from "pg";
import type * as z from "zod";
import { env } from "@/server/core/env";
import { pool } from "./client";
import { type Connection, type Done, noted } from "./connection";
import type { BoundStatement } from "./statement";
import { type Columns, columnsOf, encode, type NamedStatement, SYNC, type Wire } from "./wire";

type Rows<B> = B extends BoundStatement<infer Row> ? Array<z.output<Row>> : never;

/**
 * Runs statements that do not need each other's rows, in this order, in one transaction and one round trip: PostgreSQL
 * commits what is sent together, or none of it. Each sees what those before it did and what others committed meanwhile,
 * so that a lock may come first and a count after it.
 */
export async function inOneTrip<const B extends readonly BoundStatement[]>(
  ...bound: B
): Promise<{ [K in keyof B]: Rows<B[K]> }> {
  const client = (await pool().connect()) as Connection & pg.PoolClient;
  let failed = true;
  try {
    const results = await new Promise<pg.QueryResult[]>((resolve, reject) => {
      client.query(
        new Batch(
          bound,
          client.inTime(
            noted(bound.map(({ text }) => text).join(";\n"), (error, done) =>
              error ? reject(error) : resolve(done),
            ),
          ),
        ),
      );
    });
    failed = false;
    return results.map(({ rows }, index) =>
      env().STRICT_OUTPUT ? rows.map((row) => bound[index]!.row.parse(row)) : rows,
    ) as { [K in keyof B]: Rows<B[K]> };
  } finally {
    // Which of its statements the connection has prepared is unknown after a failure.
    client.release(failed);
  }
}

/** The driver's own, which its types leave out. */
interface Result extends pg.QueryResult, Columns {
  fields: pg.FieldDef[];
  addFields(fields: pg.FieldDef[]): void;
  parseRow(fields: unknown[]): unknown;
  addRow(row: unknown): void;
  addCommandComplete(message: unknown): void;
}
const { Result } = pg as unknown as { Result: new () => Result };

/** Several statements as one query of the driver. */
class Batch {
  private readonly results: Result[];
  private at = 0;

  constructor(
    private readonly statements: readonly NamedStatement[],
    readonly callback: Done<pg.QueryResult[]>,
  ) {
    this.results = statements.map(() => new Result());
  }

  submit(wire: Wire): Error | null {
    try {
      const encoded = this.statements.map((statement) => encode(wire, statement));
      for (const [index, { columns }] of encoded.entries()) Object.assign(this.results[index]!, columns);
      const messages = encoded.flatMap((each) => each.messages);
      if (wire.stream.writable) wire.stream.write(Buffer.concat([...messages, SYNC]));
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.current.addFields(fields);
  }

  handleDataRow({ fields }: { fields: unknown[] }): void {
    this.current.addRow(this.current.parseRow(fields));
  }

  handleCommandComplete(message: unknown): void {
    this.current.addCommandComplete(message);
    this.at++;
  }

  handleError(error: Error): void {
    this.callback(error, undefined as never);
  }

  handleReadyForQuery(wire: Wire): void {
    for (const [index, { name, text }] of this.statements.entries()) {
      wire.parsedStatements[name] = text;
      const { fields, _parsers, _prebuiltEmptyResultObject } = this.results[index]!;
      columnsOf.set(name, { fields, _parsers, _prebuiltEmptyResultObject });
    }
    this.callback(null as never, this.results);
  }

  private get current() {
    return this.results[this.at]!;
  }
}
