import type { FileHandle } from "node:fs/promises";
import { invalid, invalidCounted } from "@/server/core/errors";
import { ALLOWED, FORMATS, type Format } from "../policy";

/** A file on its way in, complete on this machine's disk. */
export interface Spooled {
  path: string;
  file: FileHandle;
  /** Bytes. */
  size: number;
  /** Its first bytes, at most 64 KB. */
  head: Buffer;
}

/** What a file turned out to be. */
export interface Judged {
  format: Format;
  /** Codec of sound, if receivers need it in the content type. */
  codec?: "opus";
  width?: number;
  height?: number;
  durationMs?: number;
}

/** Reads at most `length` bytes at a position; fewer at the end of the file. */
export async function readAt(
  { file }: Pick<Spooled, "file">,
  position: number,
  length: number,
): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** A file of a format that is not stored. */
export const otherFormat = (found: string) => invalid("file", "media_format", { found, allowed: ALLOWED });

/** A file that begins like a format and does not go on like it. */
export const broken = (format: Format) =>
  invalidCounted("file", "media_broken", { found: FORMATS[format].title });

/** Undefined for the durations of streams and damaged files: none, or more than the column holds. */
export function milliseconds(seconds: number | null): number | undefined {
  const ms = Math.round((seconds ?? 0) * 1000);
  return ms > 0 && ms < 2 ** 31 ? ms : undefined;
}
