/** What somebody must know of a backup before it is restored. */
export interface Manifest {
  /** When the rows were as they are in it. */
  at: string;
  /** Version of the PostgreSQL that they come from. */
  postgres: string;
  /** Names of the migrations that made their tables. */
  migrations: string[];
  /** Number of the queue's own last migration. */
  queue: number;
  tables: Table[];
}

/** Name with its schema, and the columns that are written, both ready for SQL. */
export interface Table {
  name: string;
  columns: string;
}

/** What a backup holds, in this order: the manifest, the tables, the files, the end. */
export type Head =
  | ({ kind: "manifest" } & Manifest)
  /** Rows as PostgreSQL copies them, in its text format, packed by gzip. */
  | { kind: "table"; name: string }
  | { kind: "file"; key: string }
  | ({ kind: "end" } & Totals);

/** What was written, so that what is read can be compared. */
export interface Totals {
  /** Rows by table. */
  rows: Record<string, number>;
  files: number;
  /** Bytes of the files. */
  bytes: number;
  /** Last numbers by sequence. */
  sequences: Record<string, string>;
}

const lengthOf = (bytes: Uint8Array) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return length;
};

/** Writes one entry: its head, then blocks of its content, each after its length, then the length 0. */
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

/** Reads entries one after the other; what is left of a content is passed over. */
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

/** Pieces of one size, cut out of pieces of another. */
class Bytes {
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly source: AsyncIterator<Buffer>) {}

  /** Undefined at the end of everything. */
  async take(length: number): Promise<Buffer | undefined> {
    while (this.rest.length < length) {
      const next = await this.source.next();
      if (next.done) break;
      this.rest = this.rest.length === 0 ? next.value : Buffer.concat([this.rest, next.value]);
    }
    if (this.rest.length === 0 && length > 0) return undefined;
    const taken = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(length);
    return taken;
  }

  async need(length: number): Promise<Buffer> {
    const taken = await this.take(length);
    if (taken?.length !== length) throw new Error("the backup ends within an entry");
    return taken;
  }

  async end(): Promise<void> {
    await this.source.return?.();
  }
}
