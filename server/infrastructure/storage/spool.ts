import { type FileHandle, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { env } from "@/server/core/env";
import { randomText } from "@/server/infrastructure/secrets/tokens";

/** Bytes by which a file is recognised before the rest of it is read. */
const HEAD = 65_536;

/** A file that has arrived and is not stored yet. */
export interface SpooledFile {
  path: string;
  file: FileHandle;
  /** Bytes. */
  size: number;
  /** The first bytes, at most 64 KB. */
  head: Buffer;
}

/** Decides by the first bytes how many are accepted. */
type JudgeHead = (head: Buffer) => Promise<{ limit: number; tooLarge: () => Error }>;

const folder = () => join(env().DATA_DIR, "spool");

/**
 * Receives a file onto this machine's disk and lends it to `work`; afterwards it is gone, unless `work` moved it. Once
 * the first bytes are there, `judgeHead` says how many more are read, or throws.
 */
export async function spooled<T>(
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
  const begun: Uint8Array[] = [];
  let size = 0;
  let head: Buffer | undefined;
  let rule: Awaited<ReturnType<JudgeHead>> | undefined;
  let written = Promise.resolve();
  const judged = async () => {
    head = Buffer.concat(begun).subarray(0, HEAD);
    rule = await judgeHead(head);
  };
  for await (const chunk of content) {
    size += chunk.length;
    if (!rule) {
      begun.push(chunk);
      if (size >= HEAD) await judged();
    }
    if (rule && size > rule.limit) throw rule.tooLarge();
    // While one piece is written the next arrives, and no more: what waits outlives two collections of garbage, after
    // which the engine searches its whole heap for it.
    await written;
    written = write(file, chunk);
    // Who comes next gets the error; nobody may, when the sender goes away.
    written.catch(() => {});
  }
  await written;
  if (!rule) await judged();
  return { size, head: head! };
}

/** A disk that is nearly full takes a part of a write and refuses the rest. */
async function write(file: FileHandle, piece: Uint8Array): Promise<void> {
  const { bytesWritten } = await file.write(piece);
  if (bytesWritten < piece.length) await file.writeFile(piece.subarray(bytesWritten));
}

/** Removes what a crash left of files that were arriving. */
export async function sweepSpool(before: Date): Promise<void> {
  const names = await readdir(folder()).catch(() => [] as string[]);
  for (const name of names) {
    const path = join(folder(), name);
    const info = await stat(path).catch(() => undefined);
    if (info && info.mtime < before) await rm(path, { force: true });
  }
}
