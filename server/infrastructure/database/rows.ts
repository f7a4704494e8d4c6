import { Parser } from "pg-protocol/dist/parser.js";
import { Unread } from "@/server/core/unread";

/** The code of a row among PostgreSQL's messages. */
const DATA_ROW = "D".charCodeAt(0);

/** A row whose columns are read when they are asked for, which must be while it is handled: its bytes are then overwritten. */
export class DataRow {
  readonly name = "dataRow";
  length = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly start: number,
  ) {}

  /** Each column as text, as the driver wants it. */
  get fields(): Array<string | Unread | null> {
    return this.fieldsExcept(-1);
  }

  /** The same with one column left as its bytes are. */
  fieldsExcept(unread: number): Array<string | Unread | null> {
    const { bytes } = this;
    const fields = new Array<string | Unread | null>(bytes.readInt16BE(this.start));
    let at = this.start + 2;
    for (let column = 0; column < fields.length; column++) {
      const length = bytes.readInt32BE(at);
      at += 4;
      const end = at + Math.max(0, length);
      if (length < 0) fields[column] = null;
      else if (column === unread) fields[column] = new Unread(bytes.toString("latin1", at, end));
      else fields[column] = bytes.toString("utf8", at, end);
      at = end;
    }
    return fields;
  }
}

interface Message {
  name: string;
}
/** What the driver's parser has; its types keep that to themselves. */
const DriverParser = Parser as unknown as new () => {
  parse(bytes: Buffer, callback: (message: Message) => void): void;
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): Message;
};

/** The driver's parser, but for rows. */
class RowParser extends DriverParser {
  override handlePacket(offset: number, code: number, length: number, bytes: Buffer): Message {
    if (code !== DATA_ROW) return super.handlePacket(offset, code, length, bytes);
    const row = new DataRow(bytes, offset);
    row.length = length;
    return row;
  }
}

interface Listener {
  attachListeners(stream: NodeJS.ReadableStream): void;
  emit(event: string, message: Message): void;
}

/** Has a connection of the driver read its rows as {@link DataRow}. */
export function readRowsLater(connection: Listener): void {
  connection.attachListeners = (stream) => {
    const parser = new RowParser();
    stream.on("data", (bytes: Buffer) =>
      parser.parse(bytes, (message) =>
        connection.emit(message.name === "error" ? "errorMessage" : message.name, message),
      ),
    );
  };
}
