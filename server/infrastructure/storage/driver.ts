import type { Readable } from "node:stream";

/** A stored file, ready to be read. */
export interface StoredFile {
  /** Bytes. */
  size: number;
  /** Whole, or from one byte to another, both included. */
  open(range?: { start: number; end: number }): Readable;
}

/**
 * Where files are kept, by keys such as `exports/01J….zip`: one folder, one name, no way out. A key is written once
 * and never changed.
 */
export interface Driver {
  /** Keeps a file whole or not at all, over a crash too; answers its size. A second write of a key replaces the first. */
  write(key: string, content: Readable): Promise<number>;
  /** Takes over a complete file of this machine, which is gone from its place afterwards. */
  adopt(key: string, path: string): Promise<void>;
  read(key: string): Promise<StoredFile | undefined>;
  /** Does nothing when there is no such file. */
  remove(key: string): Promise<void>;
  /** Lists a folder, incomplete files included, with the time of the last change. */
  list(folder: string): Promise<Array<{ key: string; changedAt: Date }>>;
}
