import type { Readable } from "node:stream";
import type { FileContent } from "@/server/core/contract";

/** A stored file, ready to be read. */
export interface StoredFile extends FileContent {
  size: number;
}

/** A stored file, and when it was last changed. */
export interface ListedFile {
  key: string;
  changedAt: Date;
}

/**
 * Where files are kept, by keys such as `exports/01J….zip`: one folder, one name, no way out. A key is written once
 * and never changed. What the place itself refuses, or does not answer, is a {@link StorageError}.
 */
export interface Driver {
  /** Keeps a file whole or not at all, over a crash too; answers its size. A second write of a key replaces the first. */
  write(key: string, content: Readable): Promise<number>;
  /** Takes over a complete file of this machine, which is gone from its place afterwards. */
  adopt(key: string, path: string): Promise<void>;
  read(key: string): Promise<StoredFile | undefined>;
  /** Does nothing when there is no such file. */
  remove(key: string): Promise<void>;
  /** Lists a folder; incomplete files, too, where they are files. */
  list(folder: string): Promise<ListedFile[]>;
  /** Walks all complete files below {@link KEPT_FOLDERS}, in no order and without a list of them in memory. */
  all(): AsyncIterable<ListedFile>;
  /** Removes what a crash left of files that were being written and are in no list. */
  sweepUnfinished(before: Date): Promise<void>;
  /** Throws when the place cannot be reached, or does not let us in. */
  check(): Promise<void>;
  /** The same text for all processes that find each other's files. */
  place(): Promise<string>;
}

/** The place of files is away or refuses us; the message says what it answered, and no address or secret. */
export class StorageError extends Error {
  override name = "StorageError";
  constructor(
    message: string,
    /** Whether it answered, with a refusal that a second try does not change. */
    readonly refused: boolean,
  ) {
    super(message);
  }
}

/** What a backup takes: whatever rows name is below these. */
export const KEPT_FOLDERS = ["media", "exports", "invoices", "receipts"] as const;

/** `checks` holds files that a self-check writes and removes. */
const FOLDER = `(?:${KEPT_FOLDERS.join("|")}|checks)(\\/[a-z]+)*(\\/[0-9a-f]{2})?`;
const KEY = new RegExp(`^${FOLDER}\\/[0-9A-Za-z]+\\.[a-z0-9]+(\\.part)?$`);
const WHOLE_FOLDER = new RegExp(`^${FOLDER}$`);

export const isKey = (text: string) => KEY.test(text);

/** Returns a key, or throws for what is none. */
export function checkedKey(key: string): string {
  if (!isKey(key)) throw new Error(`No key of a file: ${key}`);
  return key;
}

/** Returns the name of a folder, or throws for what is none. */
export function checkedFolder(folder: string): string {
  if (!WHOLE_FOLDER.test(folder)) throw new Error(`No folder of files: ${folder}`);
  return folder;
}
