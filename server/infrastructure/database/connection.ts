import { Socket } from "node:net";
import pg from "pg";
import { env } from "@/server/core/env";
import { startStatementSpan } from "../tracing/trace";
import type { NamedStatement } from "./statement";
import { getStatementTimeoutMs, recordHasResponded } from "./statement-timeout";

/** Callback of the driver; `error` is null after success. */
export type QueryCallback = (error: Error, result: pg.QueryResult) => void;
export type Query = pg.QueryConfig & Pick<NamedStatement, "rawColumn">;

const BEGIN = /^begin$/i;
const COMMIT = /^commit$/i;
const ROLLBACK = /^rollback$/i;
const BEGIN_RESULT: pg.QueryResult = { command: "BEGIN", rows: [], fields: [], rowCount: null, oid: 0 };

/** A second timer of this length ends each timeout: after a stall, the first fires before a read. */
const TIMEOUT_GRACE_MS = 100;

/** Serialises JSON up front: the driver would fail after sending part of a transaction. */
export function serializeValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(serializeValue);
  const isJson =
    typeof value === "object" && value !== null && !ArrayBuffer.isView(value) && !(value instanceof Date);
  return isJson ? JSON.stringify(value) : value;
}

/** Pipelining connection: sends statements without waiting, and closes when a response is late. */
export class Connection extends pg.Client {
  /** The socket is corked until the end of this event-loop turn. */
  isCorked = false;
  private readonly socket: Socket;
  /** Error of a `sendWithoutWaiting` statement in this transaction. */
  private failure: Error | undefined;

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, pipeline: true, stream: () => socket });
    this.socket = socket;
  }

  /** Sends a statement without awaiting it. If it fails, so do the next statement and the commit. */
  sendWithoutWaiting(statement: Query): void {
    this.send(statement);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver has ten signatures, and this one passes them all on
  override query(config: any, values?: any, callback?: QueryCallback): any {
    if (config?.submit) return super.query(config, values, callback as never);
    const query = { ...(config.text ? config : { text: config }), ...(Array.isArray(values) && { values }) };
    const queryCallback = typeof values === "function" ? values : callback;
    if (queryCallback) return this.send(query, queryCallback);
    if (BEGIN.test(query.text)) {
      // Unnamed: a pooler could lose a prepared `begin`, and statements would run outside of a transaction.
      this.sendWithoutWaiting({ text: query.text });
      return Promise.resolve(BEGIN_RESULT);
    }
    return new Promise((resolve, reject) => {
      this.send(query, (error, result) => (error ? reject(error) : resolve(result)));
    }).catch((error: Error) => {
      // The driver's own stack ends at the socket.
      Error.captureStackTrace(error);
      throw error;
    });
  }

  protected submit(query: Query, queryCallback: QueryCallback): void {
    super.query(query, queryCallback);
  }

  private send(query: Query, queryCallback?: QueryCallback): void {
    const name = env().DATABASE_STATEMENTS === "named" ? query.name : undefined;
    const preparedQuery = { ...query, name, values: query.values?.map(serializeValue) };
    this.corkSocket();
    const stopTimeout = this.startTimeout();
    const endSpan = startStatementSpan(query.text);
    this.submit(preparedQuery, (error, result) => {
      stopTimeout();
      endSpan?.(error);
      if (!error) recordHasResponded(true);
      queryCallback?.(this.findError(query.text, error, result) as Error, result);
      if (!queryCallback) this.failure ??= error;
    });
  }

  /** Returns the error of a statement or an earlier one: COMMIT after a failure answers ROLLBACK. */
  private findError(text: string, error: Error, result: pg.QueryResult): Error | undefined {
    const { failure } = this;
    const isCommit = COMMIT.test(text);
    const isRollback = ROLLBACK.test(text);
    if (isCommit || isRollback) this.failure = undefined;
    if (failure && !isRollback) return failure;
    if (!error && isCommit && result.command === "ROLLBACK")
      return new Error("A statement had failed: the transaction was rolled back");
    return error;
  }

  /** Sends the statements of one event-loop turn in one write; not over TLS, which has its own socket. */
  private corkSocket(): void {
    if (this.isCorked) return;
    this.isCorked = true;
    this.socket.cork();
    setImmediate(() => {
      this.isCorked = false;
      this.socket.uncork();
    });
  }

  /** Closes the connection unless the returned function is called in time. */
  private startTimeout(): () => void {
    const timeoutMs = getStatementTimeoutMs();
    const onTimeout = () => {
      recordHasResponded(false);
      this.socket.destroy(new Error(`PostgreSQL did not respond: timeout exceeded after ${timeoutMs} ms`));
    };
    let timer = setTimeout(() => {
      timer = setTimeout(onTimeout, TIMEOUT_GRACE_MS);
    }, timeoutMs - TIMEOUT_GRACE_MS);
    return () => clearTimeout(timer);
  }
}
