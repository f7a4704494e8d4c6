import type { Readable } from "node:stream";
import type { FileContent } from "@/server/core/contract";

export interface StoredFile extends FileContent {
  size: number;
}

export interface ListedFile {
  key: string;
  changedAt: Date;
}

/** Keys have a folder and a name; content never changes under a key. Throws {@link StorageError}. */
export interface StorageDriver {
  /** Stores a file atomically, even over a crash, and returns its size. Replaces an existing file. */
  write(key: string, content: Readable): Promise<number>;
  /** Moves a complete local file into the storage. */
  moveIn(key: string, path: string): Promise<void>;
  read(key: string): Promise<StoredFile | undefined>;
  remove(key: string): Promise<void>;
  /** Lists a folder; the local driver includes incomplete files. */
  list(folder: string): Promise<ListedFile[]>;
  /** Streams all complete files below {@link BACKED_UP_FOLDERS}, unordered. */
  listAll(): AsyncIterable<ListedFile>;
  /** Removes unfinished uploads that a crash left and that `list` does not return. */
  removeUnfinishedUploads(before: Date): Promise<void>;
  checkAccess(): Promise<void>;
  /** Identifies the storage: equal for all processes that share it. */
  getStorageId(): Promise<string>;
}

/** The storage is unreachable or denies access. The message contains its response, but no URL or secret. */
export class StorageError extends Error {
  override name = "StorageError";
  constructor(
    message: string,
    /** Permanent: the storage responded, and a retry cannot help. */
    readonly isPermanent: boolean,
  ) {
    super(message);
  }
}

/** Folders that a backup contains. All files named by rows are below these. */
export const BACKED_UP_FOLDERS = ["media", "exports", "invoices", "receipts"] as const;

/** `checks` is for files that a self-check writes and removes. */
const FOLDER_PATTERN_TEXT = `(?:${BACKED_UP_FOLDERS.join("|")}|checks)(\\/[a-z]+)*(\\/[0-9a-f]{2})?`;
const KEY_PATTERN = new RegExp(`^${FOLDER_PATTERN_TEXT}\\/[0-9A-Za-z]+\\.[a-z0-9]+(\\.part)?$`);
const FOLDER_PATTERN = new RegExp(`^${FOLDER_PATTERN_TEXT}$`);

export const isStorageKey = (text: string) => KEY_PATTERN.test(text);

export function requireStorageKey(key: string): string {
  if (!isStorageKey(key)) throw new Error(`No key of a file: ${key}`);
  return key;
}

export function requireStorageFolder(folder: string): string {
  if (!FOLDER_PATTERN.test(folder)) throw new Error(`No folder of files: ${folder}`);
  return folder;
}
