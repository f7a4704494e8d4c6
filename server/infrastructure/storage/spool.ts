import { type FileHandle, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { env } from "@/server/core/env";
import { randomText } from "@/server/infrastructure/secrets/tokens";

const HEAD = 65_536;

export interface SpooledFile {
  path: string;
  file: FileHandle;
  size: number;
  head: Buffer;
}

/** Decides the size limit by the first bytes, or throws. */
type JudgeHead = (head: Buffer) => Promise<{ limit: number; tooLarge: () => Error }>;

const folder = () => join(env().DATA_DIR, "spool");

/**
 * Receives a file into a temporary file for `work` and deletes it afterwards, unless `work` moved it.
 * `judgeHead` sets the limit after the first 64 KB.
 */
export async function withSpooledFile<T>(
  content: AsyncIterable<Uint8Array>,
  judgeHead: JudgeHead,
  work: (file: SpooledFile) => Promise<T>,
): Promise<T> {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  const path = join(folder(), `${randomText(26)}.part`);
  const file = await open(path, "wx+", 0o600);
  try {
    return await work({ path, file, ...(await receive(file, content, judgeHead)) });
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

async function receive(
  file: FileHandle,
  content: AsyncIterable<Uint8Array>,
  judgeHead: JudgeHead,
): Promise<Pick<SpooledFile, "size" | "head">> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let head: Buffer | undefined;
  let rule: Awaited<ReturnType<JudgeHead>> | undefined;
  let written = Promise.resolve();
  const judge = async () => {
    head = Buffer.concat(chunks).subarray(0, HEAD);
    rule = await judgeHead(head);
  };
  for await (const chunk of content) {
    size += chunk.length;
    if (!rule) {
      chunks.push(chunk);
      if (size >= HEAD) await judge();
    }
    if (rule && size > rule.limit) throw rule.tooLarge();
    // At most one pending write: waiting chunks would be promoted to the old generation and cause full
    // collections.
    await written;
    written = write(file, chunk);
    // Avoids an unhandled rejection: the next await, if any, gets the error.
    written.catch(() => {});
  }
  await written;
  if (!rule) await judge();
  return { size, head: head! };
}

/** A nearly full disk may write only a part. */
async function write(file: FileHandle, piece: Uint8Array): Promise<void> {
  const { bytesWritten } = await file.write(piece);
  if (bytesWritten < piece.length) await file.writeFile(piece.subarray(bytesWritten));
}

/** Removes temporary files that a crash left. */
export async function sweepSpool(before: Date): Promise<void> {
  const names = await readdir(folder()).catch(() => [] as string[]);
  for (const name of names) {
    const path = join(folder(), name);
    const info = await stat(path).catch(() => undefined);
    if (info && info.mtime < before) await rm(path, { force: true });
  }
}
