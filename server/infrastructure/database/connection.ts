import pg from "pg";
import { beginStatement } from "../tracing/trace";
import { noteResponse, patience } from "./patience";
import { type Columns, columnsOf, encode, SYNC, type Wire } from "./wire";

interface Driver {
  name: string;
  text: string;
  values?: unknown[];
  callback: Done;
  _accumulateRows: boolean;
  _result: Columns & { command: string | null };
  handleRowDescription(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
  handleReadyForQuery(wire: Wire): void;
}

export type Done<Result = pg.QueryResult> = (error: Error, result: Result) => void;

/**
 * A named statement in one write: the driver alone makes four or five, which cost a third of a small request, and asks
 * for the columns each time.
 */
const NamedQuery = class extends (pg.Query as unknown as new (config: pg.QueryConfig) => Driver) {
  private known?: Columns;
  private described = false;

  /** Returns an error when nothing was sent. */
  submit(wire: Wire): Error | null {
    try {
      const { messages, columns } = encode(wire, this);
      this.known = columns;
      if (columns) {
        Object.assign(this._result, columns);
        this._accumulateRows = true;
      }
      if (wire.stream.writable) wire.stream.write(Buffer.concat([...messages, SYNC]));
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message);
    this.described = true;
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    columnsOf.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    super.handleCommandComplete(message, wire);
    if (!this.known && !this.described)
      columnsOf.set(this.name, { fields: [], _parsers: undefined, _prebuiltEmptyResultObject: null });
  }

  override handleReadyForQuery(wire: Wire): void {
    // PostgreSQL ends a transaction in which a statement failed without an error: whoever swallowed that one is told.
    if (this._result.command === "ROLLBACK" && /^commit$/i.test(this.text))
      this.callback(new Error("A statement had failed: the transaction was rolled back"), undefined as never);
    else super.handleReadyForQuery(wire);
  }
};

/** Notes the end of a statement in the trace that it belongs to, if there is one. */
export function noted<Result>(text: string, done: Done<Result>): Done<Result> {
  const end = beginStatement(text);
  if (!end) return done;
  return (error, result) => {
    end(error);
    done(error, result);
  };
}

/**
 * A connection of the pool. Statements with a name are sent in one write, the others as the driver sends them. One that
 * gets no response in time ends the connection: nobody may use it while a response is still to come.
 */
export class Connection extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the driver has ten signatures, and this one passes them all on
  override query(config: any, values?: any, callback?: Done): any {
    if (config?.submit) return super.query(config, values, callback as never);
    const given = Array.isArray(values) ? values : undefined;
    const named = typeof config !== "string" && config.name;
    const query = named ? new NamedQuery(given ? { ...config, values: given } : config) : config;
    const send = (settle: Done) =>
      given && !named ? super.query(query, given, settle) : super.query(query, settle as never);
    const settled = (settle: Done) =>
      this.inTime(noted(typeof config === "string" ? config : config.text, settle));
    const done: Done | undefined = typeof values === "function" ? values : callback;
    if (done) return void send(settled(done));
    return new Promise((resolve, reject) => {
      send(settled((error, result) => (error ? reject(error) : resolve(result))));
    }).catch((error: Error) => {
      // The driver's own stack ends at the socket.
      Error.captureStackTrace(error);
      throw error;
    });
  }

  /** Ends the connection unless `done` is called in time. */
  inTime<Result>(done: Done<Result>): Done<Result> {
    const limit = patience();
    const clock = setTimeout(() => {
      noteResponse(false);
      const error = new Error(`PostgreSQL did not respond: timeout exceeded after ${limit} ms`);
      (this as unknown as { connection: Wire }).connection.stream.destroy(error);
    }, limit);
    return (error, result) => {
      clearTimeout(clock);
      if (!error) noteResponse(true);
      done(error, result);
    };
  }
}
