import type { FileHandle } from "node:fs/promises";
import { invalid, invalidCounted } from "@/server/core/errors";
import { ALLOWED, FORMATS, type Format } from "../policy";

export interface Spooled {
  path: string;
  file: FileHandle;
  size: number;
  /** First bytes, at most 64 KB. */
  head: Buffer;
}

export interface DetectedFile {
  format: Format;
  /** Audio codec, if it belongs into the media type. */
  codec?: "opus";
  width?: number;
  height?: number;
  durationMs?: number;
}

export async function readAt(
  { file }: Pick<Spooled, "file">,
  position: number,
  length: number,
): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

export const refusedFormat = (found: string) => invalid("file", "media_format", { found, allowed: ALLOWED });

export const damagedFile = (format: Format) =>
  invalidCounted("file", "media_broken", { found: FORMATS[format].title });

/** Undefined for streams and damaged files: no duration, or one that exceeds the column. */
export function milliseconds(seconds: number | null): number | undefined {
  const ms = Math.round((seconds ?? 0) * 1000);
  return ms > 0 && ms < 2 ** 31 ? ms : undefined;
}
