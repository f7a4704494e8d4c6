/** Metadata of a backup, needed before a restore. Stored in the file: never rename a field. */
export interface BackupManifest {
  at: string;
  postgres: string;
  migrations: string[];
  /** Number of the last migration of the job queue. */
  queue: number;
  tables: TableColumns[];
}

/** Qualified name of a table and its columns, both quoted for SQL. */
export interface TableColumns {
  name: string;
  columns: string;
}

/** Header of an entry, in this order: manifest, tables, files, end. */
export type EntryHeader =
  | ({ kind: "manifest" } & BackupManifest)
  /** Rows in the text format of COPY, compressed by gzip. */
  | { kind: "table"; name: string }
  | { kind: "file"; key: string }
  | ({ kind: "end" } & BackupTotals);

/** Stored at the end of the file, to verify that a restore is complete. Never rename a field. */
export interface BackupTotals {
  rows: Record<string, number>;
  files: number;
  bytes: number;
  sequences: Record<string, string>;
}

const encodeLength = (bytes: Uint8Array) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return length;
};

/** Yields an entry: header, then blocks of content, each preceded by its length, then the length 0. */
export async function* encodeEntry(
  head: EntryHeader,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array> = [],
): AsyncGenerator<Uint8Array> {
  const headerBytes = Buffer.from(JSON.stringify(head));
  yield encodeLength(headerBytes);
  yield headerBytes;
  for await (const block of content) {
    if (block.length === 0) continue;
    yield encodeLength(block);
    yield block;
  }
  yield Buffer.alloc(4);
}

/** Reads entries in sequence; unread content is skipped. */
export async function* readEntries(
  source: AsyncIterable<Buffer>,
): AsyncGenerator<{ head: EntryHeader; content: AsyncGenerator<Buffer> }> {
  const reader = new ByteReader(source[Symbol.asyncIterator]());
  try {
    for (;;) {
      const length = await reader.read(4);
      if (!length) return;
      const head = JSON.parse(String(await reader.readExactly(length.readUInt32BE()))) as EntryHeader;
      const content = readContent(reader);
      yield { head, content };
      for await (const _ of content);
    }
  } finally {
    await reader.end();
  }
}

async function* readContent(reader: ByteReader): AsyncGenerator<Buffer> {
  for (;;) {
    const length = (await reader.readExactly(4)).readUInt32BE();
    if (length === 0) return;
    yield await reader.readExactly(length);
  }
}

class ByteReader {
  private buffered: Buffer = Buffer.alloc(0);

  constructor(private readonly source: AsyncIterator<Buffer>) {}

  async read(length: number): Promise<Buffer | undefined> {
    while (this.buffered.length < length) {
      const nextChunk = await this.source.next();
      if (nextChunk.done) break;
      this.buffered =
        this.buffered.length === 0 ? nextChunk.value : Buffer.concat([this.buffered, nextChunk.value]);
    }
    if (this.buffered.length === 0 && length > 0) return undefined;
    const bytes = this.buffered.subarray(0, length);
    this.buffered = this.buffered.subarray(length);
    return bytes;
  }

  async readExactly(length: number): Promise<Buffer> {
    const bytes = await this.read(length);
    if (bytes?.length !== length) throw new Error("the backup ends within an entry");
    return bytes;
  }

  async end(): Promise<void> {
    await this.source.return?.();
  }
}
