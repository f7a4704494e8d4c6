import { Socket } from "node:net";
import pg from "pg";
import { env } from "@/server/core/env";
import { beginStatement } from "../tracing/trace";
import { noteResponse, patience } from "./patience";
import type { NamedStatement } from "./statement";

/** The driver calls it without an error when the statement succeeded. */
export type Done = (error: Error, result: pg.QueryResult) => void;
export type Query = pg.QueryConfig & Pick<NamedStatement, "unread">;

const BEGIN = /^begin$/i;
const COMMIT = /^commit$/i;
const ROLLBACK = /^rollback$/i;
const BEGUN: pg.QueryResult = { command: "BEGIN", rows: [], fields: [], rowCount: null, oid: 0 };

/** Part of each time limit that runs after a stall of this process, in milliseconds: timers run before sockets are read. */
const GRACE = 100;

/**
 * Writes JSON, so that a value that cannot be written fails before anything is sent. The driver would find it when part
 * of a transaction is on its way.
 */
export function writable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(writable);
  const isJson =
    typeof value === "object" && value !== null && !ArrayBuffer.isView(value) && !(value instanceof Date);
  return isJson ? JSON.stringify(value) : value;
}

/**
 * A connection that sends each statement without waiting for those before it. A transaction begins with its first
 * statement, in one round trip. A statement without a response in time ends the connection.
 */
export class Connection extends pg.Client {
  /** Whether statements wait for the end of this turn of the event loop. */
  isGathering = false;
  private readonly socket: Socket;
  /** The error of a `later` statement of this transaction. */
  private failure: Error | undefined;

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, pipeline: true, stream: () => socket });
    this.socket = socket;
  }

  /** Sends a statement of a transaction without a callback. When it fails, the next one and the commit fail, too. */
  later(statement: Query): void {
    this.send(statement);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver has ten signatures, and this one passes them all on
  override query(config: any, values?: any, callback?: Done): any {
    if (config?.submit) return super.query(config, values, callback as never);
    const query = { ...(config.text ? config : { text: config }), ...(Array.isArray(values) && { values }) };
    const done = typeof values === "function" ? values : callback;
    if (done) return this.send(query, done);
    if (BEGIN.test(query.text)) {
      // Without a name it cannot be missing behind a pooler, which would leave statements outside of a transaction.
      this.later({ text: query.text });
      return Promise.resolve(BEGUN);
    }
    return new Promise((resolve, reject) => {
      this.send(query, (error, result) => (error ? reject(error) : resolve(result)));
    }).catch((error: Error) => {
      // The driver's own stack ends at the socket.
      Error.captureStackTrace(error);
      throw error;
    });
  }

  /** Passes a statement to the driver. */
  protected submit(query: Query, done: Done): void {
    super.query(query, done);
  }

  private send(query: Query, done?: Done): void {
    const name = env().DATABASE_STATEMENTS === "named" ? query.name : undefined;
    const sent = { ...query, name, values: query.values?.map(writable) };
    this.gather();
    const stopClock = this.startClock();
    const endTrace = beginStatement(query.text);
    this.submit(sent, (error, result) => {
      stopClock();
      endTrace?.(error);
      if (!error) noteResponse(true);
      done?.(this.errorOf(query.text, error, result) as Error, result);
      if (!done) this.failure ??= error;
    });
  }

  /** The error that ends a statement: its own, that of one before it, or of a commit that PostgreSQL made a rollback. */
  private errorOf(text: string, error: Error, result: pg.QueryResult): Error | undefined {
    const { failure } = this;
    const isCommit = COMMIT.test(text);
    const isRollback = ROLLBACK.test(text);
    if (isCommit || isRollback) this.failure = undefined;
    if (failure && !isRollback) return failure;
    if (!error && isCommit && result.command === "ROLLBACK")
      return new Error("A statement had failed: the transaction was rolled back");
    return error;
  }

  /** Lets the statements of this turn leave in one write. Over TLS each has its own: that socket is made by the driver. */
  private gather(): void {
    if (this.isGathering) return;
    this.isGathering = true;
    this.socket.cork();
    setImmediate(() => {
      this.isGathering = false;
      this.socket.uncork();
    });
  }

  /** Ends the connection unless the returned function is called in time. */
  private startClock(): () => void {
    const limit = patience();
    const end = () => {
      noteResponse(false);
      this.socket.destroy(new Error(`PostgreSQL did not respond: timeout exceeded after ${limit} ms`));
    };
    let clock = setTimeout(() => {
      clock = setTimeout(end, GRACE);
    }, limit - GRACE);
    return () => clearTimeout(clock);
  }
}
