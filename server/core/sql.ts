/** Filled by the module that opens the database: the types of the client are generated. @public */
// biome-ignore lint/suspicious/noEmptyInterface: declarations merge into it
export interface DatabaseTypes {}

/** The database client, or a transaction of it. */
export type Database = DatabaseTypes extends { client: infer Client } ? Client : never;

/** Constant SQL text that a statement includes; never made from input. */
export interface SqlText {
  readonly text: string;
}

/**
 * A tagged template that runs one named statement: each place in the code is prepared once per connection and never
 * parsed again. Values are always parameters, never part of the text; only {@link SqlText} becomes text.
 */
export interface Sql {
  <Row = Record<string, unknown>>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>;
  /** For short reads outside of transactions; missing in one. */
  short?: Sql;
  /** Sends a statement without waiting for its response; only in a transaction. */
  later?(statement: { name: string; text: string; values?: unknown[] }): void;
}
