/** Metadata of a backup, needed before a restore. */
export interface Manifest {
  at: string;
  postgres: string;
  migrations: string[];
  /** Number of the queue's last migration. */
  queue: number;
  tables: Table[];
}

/** Table with its schema, and its columns, both quoted for SQL. */
export interface Table {
  name: string;
  columns: string;
}

/** Header of an entry, in this order: manifest, tables, files, end. */
export type Head =
  | ({ kind: "manifest" } & Manifest)
  /** Rows in the text format of COPY, compressed by gzip. */
  | { kind: "table"; name: string }
  | { kind: "file"; key: string }
  | ({ kind: "end" } & Totals);

export interface Totals {
  rows: Record<string, number>;
  files: number;
  bytes: number;
  sequences: Record<string, string>;
}

const lengthOf = (bytes: Uint8Array) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return length;
};

/** Yields an entry: header, then blocks of content, each preceded by its length, then the length 0. */
export async function* entry(
  head: Head,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array> = [],
): AsyncGenerator<Uint8Array> {
  const text = Buffer.from(JSON.stringify(head));
  yield lengthOf(text);
  yield text;
  for await (const block of content) {
    if (block.length === 0) continue;
    yield lengthOf(block);
    yield block;
  }
  yield Buffer.alloc(4);
}

/** Reads entries in sequence; unread content is skipped. */
export async function* entries(
  source: AsyncIterable<Buffer>,
): AsyncGenerator<{ head: Head; content: AsyncGenerator<Buffer> }> {
  const bytes = new Bytes(source[Symbol.asyncIterator]());
  try {
    for (;;) {
      const length = await bytes.take(4);
      if (!length) return;
      const head = JSON.parse(String(await bytes.need(length.readUInt32BE()))) as Head;
      const content = contentOf(bytes);
      yield { head, content };
      for await (const _ of content);
    }
  } finally {
    await bytes.end();
  }
}

async function* contentOf(bytes: Bytes): AsyncGenerator<Buffer> {
  for (;;) {
    const length = (await bytes.need(4)).readUInt32BE();
    if (length === 0) return;
    yield await bytes.need(length);
  }
}

/** Reads exact numbers of bytes from a stream of chunks. */
class Bytes {
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly source: AsyncIterator<Buffer>) {}

  /** Returns undefined at the end of the stream. */
  async take(length: number): Promise<Buffer | undefined> {
    while (this.rest.length < length) {
      const next = await this.source.next();
      if (next.done) break;
      this.rest = this.rest.length === 0 ? next.value : Buffer.concat([this.rest, next.value]);
    }
    if (this.rest.length === 0 && length > 0) return undefined;
    const bytes = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(length);
    return bytes;
  }

  async need(length: number): Promise<Buffer> {
    const bytes = await this.take(length);
    if (bytes?.length !== length) throw new Error("the backup ends within an entry");
    return bytes;
  }

  async end(): Promise<void> {
    await this.source.return?.();
  }
}
