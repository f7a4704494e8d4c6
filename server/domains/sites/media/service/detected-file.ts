import type { FileHandle } from "node:fs/promises";
import { countedInvalidField, invalidField } from "@/server/core/errors";
import { FORMAT_TITLES_TEXT, MEDIA_FORMATS, type MediaFormat } from "../policy";

/** Upload in the spool directory. Inspections may shorten it and update `size` and `head`. */
export interface SpooledUpload {
  path: string;
  file: FileHandle;
  size: number;
  /** First bytes, at most 64 KB. */
  head: Buffer;
}

export interface DetectedFile {
  format: MediaFormat;
  /** Audio codec, if the media type must name it. */
  codec?: "opus";
  width?: number;
  height?: number;
  durationMs?: number;
}

export async function readBytesAt(
  { file }: Pick<SpooledUpload, "file">,
  position: number,
  length: number,
): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

export const refusedFormatError = (title: string) =>
  invalidField("file", "media_format", { found: title, allowed: FORMAT_TITLES_TEXT });

export const damagedFileError = (format: MediaFormat) =>
  countedInvalidField("file", "media_broken", { found: MEDIA_FORMATS[format].title });

/** Returns undefined for no duration (streams) and for one above the column's maximum (damaged files). */
export function toMilliseconds(seconds: number | null): number | undefined {
  const ms = Math.round((seconds ?? 0) * 1000);
  return ms > 0 && ms < 2 ** 31 ? ms : undefined;
}
