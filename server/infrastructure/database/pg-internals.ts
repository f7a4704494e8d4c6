import pg from "pg";
import { Parser } from "pg-protocol/dist/parser.js";
import { RawUtf8 } from "@/server/core/raw-utf8";
import { Connection, type Query, type QueryCallback } from "./connection";

/* The only file that uses undocumented parts of pg and pg-protocol; only `lanes.ts` may import it. */

interface RowDescription {
  fields: pg.FieldDef[];
}
interface DataRow {
  fields: Array<string | null>;
}

/** The driver's query, with members that its types omit. */
const DriverQuery = pg.Query as unknown as new (
  query: Query,
  callback: QueryCallback,
) => {
  name?: string;
  _result: pg.QueryResult;
  hasBeenParsed(wire: WireConnection): boolean;
  prepare(wire: WireConnection): void;
  handleRowDescription(message: RowDescription): void;
  handleDataRow(message: DataRow): void;
};

interface WireConnection {
  attachListeners(stream: NodeJS.ReadableStream): void;
  emit(event: string, message: Message): void;
}

interface Message {
  name: string;
}
const DriverParser = Parser as unknown as new () => {
  reader: { encoding: BufferEncoding };
  parse(bytes: Buffer, callback: (message: Message) => void): void;
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): Message;
};

const DATA_ROW = "D".charCodeAt(0);

/** Decodes rows as Latin-1, one character per byte; {@link ReadQuery} decodes columns as UTF-8 where needed. */
class Latin1RowParser extends DriverParser {
  override handlePacket(offset: number, code: number, length: number, bytes: Buffer): Message {
    this.reader.encoding = code === DATA_ROW ? "latin1" : "utf8";
    return super.handlePacket(offset, code, length, bytes);
  }
}

const NON_ASCII = /[\x80-\xff]/;

/** Row descriptions by statement. Every new connection asks once, so changed columns are noticed. */
const rowDescriptions = new Map<string, RowDescription>();

class ReadQuery extends DriverQuery {
  private readonly rawColumn: number | undefined;

  constructor(
    query: Query,
    callback: QueryCallback,
    private readonly wireWithoutDescribe: WireConnection,
  ) {
    super(query, callback);
    this.rawColumn = query.rawColumn;
  }

  override prepare(wire: WireConnection): void {
    const cachedDescription =
      this.name && this.hasBeenParsed(wire) ? rowDescriptions.get(this.name) : undefined;
    if (cachedDescription) super.handleRowDescription(cachedDescription);
    super.prepare(cachedDescription ? this.wireWithoutDescribe : wire);
  }

  override handleRowDescription(message: RowDescription): void {
    if (this.name) rowDescriptions.set(this.name, message);
    super.handleRowDescription(message);
  }

  override handleDataRow({ fields }: DataRow): void {
    for (const [index, bytes] of fields.entries())
      if (bytes !== null && index !== this.rawColumn && NON_ASCII.test(bytes))
        fields[index] = Buffer.from(bytes, "latin1").toString();
    super.handleDataRow({ fields });
    const column = this.rawColumn === undefined ? undefined : this._result.fields[this.rawColumn];
    const row = this._result.rows.at(-1);
    if (column && row[column.name] !== null) row[column.name] = new RawUtf8(row[column.name]);
  }
}

export class ReadConnection extends Connection {
  private readonly wireWithoutDescribe: WireConnection;

  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: WireConnection };
    this.wireWithoutDescribe = Object.create(connection, { describe: { value: () => {} } });
    connection.attachListeners = (stream) => {
      const parser = new Latin1RowParser();
      stream.on("data", (bytes: Buffer) =>
        parser.parse(bytes, (message) =>
          connection.emit(message.name === "error" ? "errorMessage" : message.name, message),
        ),
      );
    };
  }

  protected override submit(query: Query, callback: QueryCallback): void {
    super.submit(new ReadQuery(query, callback, this.wireWithoutDescribe) as never, callback);
  }
}
