import pg from "pg";
import { beginStatement } from "../tracing/trace";
import { noteResponse, patience } from "./patience";
import { type DataRow, readRowsLater } from "./rows";
import { type Columns, columnsOf, encode, type NamedStatement, SYNC, type Wire } from "./wire";

export type Done<Result = pg.QueryResult> = (error: Error, result: Result) => void;

/** What the driver's own query has; its types leave it out. */
interface Driver {
  name: string;
  text: string;
  callback: Done;
  _accumulateRows: boolean;
  _result: Columns & {
    command: string | null;
    fields: pg.FieldDef[];
    parseRow(fields: unknown[]): Record<string, unknown>;
    addRow(row: unknown): void;
  };
  handleRowDescription(message: unknown): void;
  handleDataRow(message: DataRow): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
  handleReadyForQuery(wire: Wire): void;
  handleError(error: Error, wire: Wire): void;
}

/** The driver's query without its constructor, which copies settings and listeners for what is never set here. */
const Query = function Query() {} as unknown as new () => Driver;
Query.prototype = pg.Query.prototype;
const { Result } = pg as unknown as {
  Result: new (rowMode?: string, types?: pg.CustomTypesConfig) => Driver["_result"];
};

/** How Prisma wants its rows. */
type Given = NamedStatement & { rowMode?: string; types?: pg.CustomTypesConfig };

/**
 * A named statement in one write: the driver alone makes four or five, which cost a third of a small request, and asks
 * for the columns each time. Statements whose rows nobody needs go before it, in the same write.
 */
class NamedQuery extends Query {
  private known?: Columns;
  private described = false;
  sent = false;
  protected readonly _results: Driver["_result"];

  constructor(
    private readonly own: Given,
    private readonly before: NamedStatement[],
  ) {
    super();
    this._result = new Result(own.rowMode, own.types);
    this._results = this._result;
    this.present();
  }

  /** Tells the driver which statement PostgreSQL is at: it notes under this name what has been prepared. */
  private present(): void {
    const { name, text } = this.before[0] ?? this.own;
    this.name = name;
    this.text = text;
  }

  /** Returns an error when nothing was sent. */
  submit(wire: Wire): Error | null {
    try {
      const first = this.before.flatMap((statement) => encode(wire, statement).messages);
      const { messages, columns } = encode(wire, this.own);
      this.known = columns;
      if (columns) {
        Object.assign(this._result, columns);
        this._accumulateRows = true;
      }
      if (wire.stream.writable) wire.stream.write(Buffer.concat([...first, ...messages, SYNC]));
      this.sent = true;
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  override handleRowDescription(message: unknown): void {
    if (this.before.length > 0) return;
    super.handleRowDescription(message);
    this.described = true;
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    columnsOf.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }

  override handleDataRow(message: DataRow): void {
    if (this.before.length > 0) return;
    const { unread } = this.own;
    if (unread === undefined) {
      super.handleDataRow(message);
      return;
    }
    const fields: unknown[] = message.fieldsExcept(unread);
    const bytes = fields[unread];
    // The driver would make text of it.
    fields[unread] = null;
    const row = this._result.parseRow(fields);
    row[this._result.fields[unread]!.name] = bytes;
    this._result.addRow(row);
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.before.shift()) {
      this.present();
      return;
    }
    super.handleCommandComplete(message, wire);
    if (!this.known && !this.described)
      columnsOf.set(this.name, { fields: [], _parsers: undefined, _prebuiltEmptyResultObject: null });
  }

  override handleReadyForQuery(wire: Wire): void {
    // PostgreSQL ends a transaction in which a statement failed without an error: whoever swallowed that one is told.
    if (this._result.command === "ROLLBACK" && COMMIT.test(this.text))
      this.callback(new Error("A statement had failed: the transaction was rolled back"), undefined as never);
    else super.handleReadyForQuery(wire);
  }

  /** What comes after a statement that failed is not prepared. */
  override handleError(error: Error, wire: Wire): void {
    for (const { name } of [...this.before, this.own]) delete wire.submittedNamedStatements[name];
    super.handleError(error, wire);
  }
}

const BEGIN = /^begin$/i;
const COMMIT = /^commit$/i;
const ROLLBACK = /^rollback$/i;
const NO_ROWS = { rows: [], fields: [], rowCount: null, oid: 0 };

/** Notes the end of a statement, and of those that went along, in the trace that it belongs to, if there is one. */
export function noted<Result>(text: string, done: Done<Result>, before?: NamedStatement[]): Done<Result> {
  const end = beginStatement(text, before);
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
  private waiting: NamedStatement[] = [];

  constructor(config?: pg.ClientConfig) {
    super(config);
    readRowsLater((this as unknown as { connection: Parameters<typeof readRowsLater>[0] }).connection);
  }

  /**
   * Sends a statement of a transaction with the next one, in this order and in one round trip: for those whose rows
   * nobody needs. When it fails, the next one does. What a rollback overtakes is never sent.
   */
  later(statement: NamedStatement): void {
    this.waiting.push(statement);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver has ten signatures, and this one passes them all on
  override query(config: any, values?: any, callback?: Done): any {
    if (config?.submit) return super.query(config, values, callback as never);
    const given = Array.isArray(values) ? values : undefined;
    const text: string = config.text ?? config;
    const done: Done | undefined = typeof values === "function" ? values : callback;
    if (!done && this.needNotBeSent(config, text)) return Promise.resolve({ command: text, ...NO_ROWS });
    const before = this.waiting.splice(0);
    const named = typeof config !== "string" && config.name;
    const query =
      named && !given
        ? new NamedQuery(config, before)
        : named || before.length > 0
          ? new NamedQuery(
              { name: "", text, ...(config.text && config), ...(given && { values: given }) },
              before,
            )
          : undefined;
    const send = (settle: Done) => {
      if (query) return super.query(query as never, this.keeping(query, before, settle) as never);
      return given ? super.query(config, given, settle) : super.query(config, settle as never);
    };
    const settled = (settle: Done) => this.inTime(noted(text, settle, before));
    if (done) return void send(settled(done));
    return new Promise((resolve, reject) => {
      send(settled((error, result) => (error ? reject(error) : resolve(result))));
    }).catch((error: Error) => {
      // What went before it may have failed, and whoever commits believes the transaction over.
      if (COMMIT.test(text)) super.query("rollback", () => {});
      // The driver's own stack ends at the socket.
      Error.captureStackTrace(error);
      throw error;
    });
  }

  /** What could not be sent is still to be sent: without its beginning, statements would stand alone. */
  private keeping(query: { sent: boolean }, before: NamedStatement[], settle: Done): Done {
    return (error, result) => {
      if (!query.sent) this.waiting.unshift(...before);
      settle(error, result);
    };
  }

  /** A transaction begins with its first statement; one that was rolled back before is none. */
  private needNotBeSent(config: unknown, text: string): boolean {
    if (BEGIN.test(text) && typeof config !== "string") {
      this.later(config as NamedStatement);
      return true;
    }
    if (!ROLLBACK.test(text)) return false;
    const [first] = this.waiting.splice(0);
    return first !== undefined && BEGIN.test(first.text);
  }

  /** Ends the connection unless `done` is called in time. */
  inTime<Result>(done: Done<Result>): Done<Result> {
    const limit = patience();
    const end = () => {
      noteResponse(false);
      const error = new Error(`PostgreSQL did not respond: timeout exceeded after ${limit} ms`);
      (this as unknown as { connection: Wire }).connection.stream.destroy(error);
    };
    let last: NodeJS.Immediate | undefined;
    const clock = setTimeout(() => {
      // After a stall, timers run before sockets are read: the response may be there already.
      last = setImmediate(end);
    }, limit);
    return (error, result) => {
      clearTimeout(clock);
      clearImmediate(last);
      if (!error) noteResponse(true);
      done(error, result);
    };
  }
}
