/** Augmented by the module that opens the database, because the client's types are generated. @public */
// biome-ignore lint/suspicious/noEmptyInterface: declarations merge into it
export interface DatabaseTypes {}

export type Database = DatabaseTypes extends { client: infer Client } ? Client : never;

/** Constant SQL text included in a statement; never derived from input. */
export interface SqlText {
  readonly text: string;
}

/** Tagged template for a prepared statement: values become parameters, only {@link SqlText} becomes text. */
export interface Sql {
  <Row = Record<string, unknown>>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>;
  /** Variant for short reads; undefined in a transaction. */
  short?: Sql;
  /** Sends a statement without awaiting its result; only in a transaction. */
  sendWithoutWaiting?(statement: { name: string; text: string; values?: unknown[] }): void;
}
