import type { QueryConfig } from "pg";
import { prepareValue } from "pg/lib/utils.js";
import { serialize } from "pg-protocol";
import { env } from "@/server/core/env";

/** What the driver knows about one connection; its types leave it out. */
export interface Wire {
  stream: {
    writable: boolean;
    write(bytes: Buffer): void;
    cork(): void;
    uncork(): void;
    destroy(error: Error): void;
  };
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
}

/** How the rows of one statement are read. */
export interface Columns {
  fields: unknown[];
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

/** Each connection describes a statement when it prepares it, so changed columns are seen by every new connection. */
export const columnsOf = new Map<string, Columns>();

export type NamedStatement = Required<Pick<QueryConfig, "name" | "text">> &
  Pick<QueryConfig, "values"> & {
    /** The place of a column of text that is passed on as it comes, an `Unread`. */
    unread?: number;
  };

const EXECUTE = serialize.execute();
const DESCRIBE_AND_EXECUTE = Buffer.concat([serialize.describe({ type: "P" }), EXECUTE]);
export const SYNC = serialize.sync();

/**
 * The messages that run one named statement on a connection, without the one that ends its transaction; `columns` are
 * missing the first time, when PostgreSQL describes them, and always where a pooler may hand the next statement to another
 * connection (`DATABASE_STATEMENTS=unnamed`). Throws when nothing may be sent.
 */
export function encode(
  wire: Wire,
  { name, text, values }: NamedStatement,
): { messages: Buffer[]; columns?: Columns } {
  if (env().DATABASE_STATEMENTS === "unnamed") {
    const bind = serialize.bind({ values, valueMapper: prepareValue });
    return { messages: [serialize.parse({ text }), bind, DESCRIBE_AND_EXECUTE] };
  }
  const prepared = name ? (wire.parsedStatements[name] ?? wire.submittedNamedStatements[name]) : undefined;
  if (prepared !== undefined && prepared !== text)
    throw new Error(`The name ${name} belongs to another statement`);
  const bind = serialize.bind({ statement: name, values, valueMapper: prepareValue });
  const columns = prepared === undefined ? undefined : columnsOf.get(name);
  const messages = [bind, columns ? EXECUTE : DESCRIBE_AND_EXECUTE];
  if (prepared === undefined) {
    messages.unshift(serialize.parse({ name, text }));
    if (name) wire.submittedNamedStatements[name] = text;
  }
  return { messages, columns };
}
