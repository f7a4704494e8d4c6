import { type FileHandle, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { env } from "@/server/core/env";
import { randomText } from "@/server/infrastructure/secrets/tokens";

const HEAD_BYTES = 65_536;

export interface SpooledFile {
  path: string;
  file: FileHandle;
  size: number;
  head: Buffer;
}

/** Decides the size limit by the first bytes, or throws. */
type InspectHead = (head: Buffer) => Promise<{ limit: number; tooLarge: () => Error }>;

const getSpoolFolder = () => join(env().DATA_DIR, "spool");

/** Receives a temporary file for `work` and deletes it unless `work` moved it. */
export async function withSpooledFile<T>(
  content: AsyncIterable<Uint8Array>,
  inspectHead: InspectHead,
  work: (file: SpooledFile) => Promise<T>,
): Promise<T> {
  await mkdir(getSpoolFolder(), { recursive: true, mode: 0o700 });
  const path = join(getSpoolFolder(), `${randomText(26)}.part`);
  const file = await open(path, "wx+", 0o600);
  try {
    return await work({ path, file, ...(await receiveContent(file, content, inspectHead)) });
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

async function receiveContent(
  file: FileHandle,
  content: AsyncIterable<Uint8Array>,
  inspectHead: InspectHead,
): Promise<Pick<SpooledFile, "size" | "head">> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let head: Buffer | undefined;
  let sizeRule: Awaited<ReturnType<InspectHead>> | undefined;
  let lastWrite = Promise.resolve();
  const inspectFirstBytes = async () => {
    head = Buffer.concat(chunks).subarray(0, HEAD_BYTES);
    sizeRule = await inspectHead(head);
  };
  for await (const chunk of content) {
    size += chunk.length;
    if (!sizeRule) {
      chunks.push(chunk);
      if (size >= HEAD_BYTES) await inspectFirstBytes();
    }
    if (sizeRule && size > sizeRule.limit) throw sizeRule.tooLarge();
    // At most one pending write: V8 would promote waiting chunks and run full collections.
    await lastWrite;
    lastWrite = writeChunk(file, chunk);
    // Avoids an unhandled rejection: the next await, if any, gets the error.
    lastWrite.catch(() => {});
  }
  await lastWrite;
  if (!sizeRule) await inspectFirstBytes();
  return { size, head: head! };
}

/** A nearly full disk may write only a part. */
async function writeChunk(file: FileHandle, chunk: Uint8Array): Promise<void> {
  const { bytesWritten } = await file.write(chunk);
  if (bytesWritten < chunk.length) await file.writeFile(chunk.subarray(bytesWritten));
}

/** Removes temporary files that a crash left. */
export async function removeOldSpoolFiles(before: Date): Promise<void> {
  const names = await readdir(getSpoolFolder()).catch(() => [] as string[]);
  for (const name of names) {
    const path = join(getSpoolFolder(), name);
    const info = await stat(path).catch(() => undefined);
    if (info && info.mtime < before) await rm(path, { force: true });
  }
}
