import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { Dicer } from "@fastify/busboy";
import type { Upload } from "@/server/core/contract";
import { type AppError, createError, invalidField } from "@/server/core/errors";

/** Limits of the fields that are not the file. */
const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 16_384;
const MAX_HEADER_BYTES = 4096;
const BOUNDARY_PATTERN =
  /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s";,]{1,70}))\s*(?:;|$)/i;
const PARAMETER_PATTERN = /;\s*([\w-]+\*?)=(?:"((?:\\.|[^"\\])*)"|([^;\s"]*))\s*/gy;
const DISPOSITION_PATTERN = /^form-data\s*(?:;\s*[\w-]+\*?=(?:"(?:\\.|[^"\\])*"|[^;\s"]*)\s*)*(?:;\s*)?$/i;

interface MultipartRules {
  field: string;
  maxBytes: number;
  createTooLargeError: (limit: number) => AppError;
}

export function parseBoundary(contentType: string | null): string | undefined {
  const match = BOUNDARY_PATTERN.exec(contentType ?? "");
  return match?.[1] ?? match?.[2];
}

/** Streams the only file of a form and skips a few short fields. Parses each chunk on demand. */
export async function readFormFile(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  { field, maxBytes, createTooLargeError }: MultipartRules,
): Promise<Upload> {
  const oneFileError = invalidField(field, "one_file");
  // The high-water mark prevents pauses: a paused part never ends the form.
  const settings = { boundary, maxHeaderSize: MAX_HEADER_BYTES, partHwm: 2 ** 31, autoDestroy: false };
  const formParser = new Dicer(settings);
  const pieces: Buffer[] = [];
  let filename: string | undefined;
  let fieldCount = 0;
  let failure: AppError | undefined;
  const recordFailure = (reason: AppError) => {
    failure ??= reason;
  };
  const recordMalformed = (cause?: Error) => recordFailure(createError("malformed_request", { cause }));
  const skipField = (fieldStream: Readable) => {
    let size = 0;
    if (++fieldCount > MAX_FIELDS) recordFailure(oneFileError);
    fieldStream.on("data", (piece: Buffer) => {
      size += piece.length;
      if (size > MAX_FIELD_BYTES) recordFailure(oneFileError);
    });
  };
  formParser.on("part", (part) => {
    part.on("error", recordMalformed).on("header", (header: Record<string, string[]>) => {
      const disposition = parseDisposition(header["content-disposition"]?.[0]);
      if (!disposition) recordMalformed();
      else if (disposition.filename === undefined) return skipField(part);
      else if (filename !== undefined) recordFailure(oneFileError);
      else if (disposition.name !== field) recordFailure(invalidField(field, "required_choice"));
      else filename = disposition.filename;
      part.on("data", (piece: Buffer) => pieces.push(piece));
    });
  });
  const formEnd = new Promise<void>((resolve) => {
    formParser.on("finish", resolve).on("error", (cause: Error) => resolve(recordMalformed(cause)));
  });
  const chunks = body[Symbol.asyncIterator]();
  const parseNextChunk = async (): Promise<boolean> => {
    const { value, done = false } = await chunks.next();
    if (done) await Promise.all([formParser.end(), formEnd]);
    else await new Promise((resolve) => formParser.write(value, resolve));
    if (failure) throw failure;
    return done;
  };
  async function* streamContent(): AsyncGenerator<Uint8Array> {
    let remaining = maxBytes;
    try {
      for (let isDone = false; ; isDone = await parseNextChunk()) {
        for (const piece of pieces.splice(0)) {
          remaining -= piece.length;
          if (remaining < 0) throw createTooLargeError(maxBytes);
          yield piece;
        }
        if (isDone) break;
      }
      // Without a chosen file, browsers send a part without name and content.
      if (remaining === maxBytes) throw invalidField(field, filename ? "file_empty" : "required_choice");
    } finally {
      await chunks.return?.();
    }
  }
  while (filename === undefined) if (await parseNextChunk()) throw invalidField(field, "required_choice");
  return { name: filename || null, content: streamContent() };
}

/** Returns undefined for a malformed header. A part without `filename` is an ordinary field. */
function parseDisposition(header: string | undefined): { name?: string; filename?: string } | undefined {
  if (!header || !DISPOSITION_PATTERN.test(header)) return undefined;
  const bytes = Buffer.from(header, "latin1");
  // Non-UTF-8 names are usually Turkish here.
  const text = isUtf8(bytes) ? bytes.toString() : new TextDecoder("windows-1254").decode(bytes);
  const parameters = new Map<string, string>();
  for (const [, key, quoted, plain] of text.slice(text.indexOf(";")).matchAll(PARAMETER_PATTERN))
    parameters.set(key!.toLowerCase(), quoted?.replace(/\\(["\\])/g, "$1") ?? plain!);
  const filename = parameters.get("filename")?.replace(/^.*[/\\]/s, "");
  // Browsers percent-encode only these three characters.
  const unescapedName = filename?.replace(/%(22|0D|0A)/gi, (each) => decodeURIComponent(each));
  return {
    name: parameters.get("name"),
    filename: decodeExtendedName(parameters.get("filename*")) ?? unescapedName,
  };
}

/** Decodes `filename*` (RFC 8187), used for names that `filename` cannot represent. */
function decodeExtendedName(value: string | undefined): string | undefined {
  const [, charset, encoded] = /^([\w-]+)'[^']*'(.+)$/.exec(value ?? "") ?? [];
  if (!charset || !encoded) return undefined;
  const bytes = encoded.replace(/%([\da-f]{2})/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  try {
    return new TextDecoder(charset, { fatal: true }).decode(Buffer.from(bytes, "latin1"));
  } catch {
    return undefined;
  }
}
