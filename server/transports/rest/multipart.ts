import { finished } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import type { Upload } from "@/server/core/contract";
import { type AppError, invalid, refuse } from "@/server/core/errors";

/** The longest head of a part, and the longest boundary that RFC 2046 allows. */
const MAX_HEAD = 4096;
const BOUNDARY =
  /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s";,]{1,70}))\s*(?:;|$)/i;
const END_OF_HEAD = "\r\n\r\n";

export interface MultipartRules {
  field: string;
  /** Maximum size of the file. */
  maxBytes: number;
  tooLarge: (limit: number) => AppError;
}

/** Returns the boundary of a multipart content type; undefined for any other type. */
export function boundaryOf(contentType: string | null): string | undefined {
  const found = BOUNDARY.exec(contentType ?? "");
  return found?.[1] ?? found?.[2];
}

/**
 * The one file of a form, while it arrives: nothing is buffered, and content beyond the limit is not read. The form
 * must contain that file and nothing else: what stands around its delimiters is refused, not skipped. Throws
 * `validation` on the field, `body_too_large`, `malformed_request`.
 */
export async function readFile(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  rules: MultipartRules,
): Promise<Upload> {
  const { field } = rules;
  const pieces = body[Symbol.asyncIterator]();
  const { head, rest } = await readHead(pieces, boundary, field);
  const part = await partOf(head, boundary);
  if (!part) throw refuse("malformed_request");
  if (part.field !== field || part.name === undefined) throw invalid(field, "one_file");

  return { name: part.name || null, content: untilDelimiter(rest, pieces, boundary, rules) };
}

/** The first delimiter with the head of its part, and what has arrived behind them. */
async function readHead(
  pieces: AsyncIterator<Uint8Array>,
  boundary: string,
  field: string,
): Promise<{ head: Buffer; rest: Buffer }> {
  const opening = Buffer.from(`--${boundary}\r\n`);
  let read: Buffer = Buffer.alloc(0);
  for (;;) {
    const { value, done } = await pieces.next();
    if (done) break;
    read = Buffer.concat([read, value]);
    if (read.length < opening.length) continue;
    if (!read.subarray(0, opening.length).equals(opening)) break;
    const end = read.indexOf(END_OF_HEAD);
    if ((end < 0 ? read.length : end) > opening.length + MAX_HEAD) break;
    if (end < 0) continue;
    const length = end + END_OF_HEAD.length;
    return { head: read.subarray(0, length), rest: read.subarray(length) };
  }
  const empty = read.length === 0 || read.subarray(0, opening.length).equals(Buffer.from(`--${boundary}--`));
  throw empty ? invalid(field, "required") : refuse("malformed_request");
}

/**
 * Field and file name of a part: a name that is undefined belongs to a field without a file, and undefined stands for
 * what is no part of a form.
 */
async function partOf(
  head: Buffer,
  boundary: string,
): Promise<{ field: string; name: string | undefined } | undefined> {
  const form = new Busboy({
    headers: { "content-type": contentTypeOf(boundary) },
    isPartAFile: () => true,
  });
  let part: { field: string; name: string | undefined } | undefined;
  form.on("file", (name, file, filename) => {
    part = { field: name, name: filename };
    file.resume();
  });
  form.end(Buffer.concat([head, Buffer.from(`.\r\n--${boundary}--\r\n`)]));
  await finished(form).catch((cause) => Promise.reject(refuse("malformed_request", { cause })));
  return part;
}

/** The content of a part up to its delimiter, which must end the form. */
async function* untilDelimiter(
  begun: Buffer,
  pieces: AsyncIterator<Uint8Array>,
  boundary: string,
  { field, maxBytes, tooLarge }: MultipartRules,
): AsyncGenerator<Uint8Array> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  let piece = begun;
  let room = maxBytes;
  try {
    for (;;) {
      const at = piece.indexOf(delimiter);
      const certain = at >= 0 ? at : partialAt(piece, delimiter);
      room -= certain;
      if (room < 0) throw tooLarge(maxBytes);
      if (certain > 0) yield piece.subarray(0, certain);
      if (at >= 0) return await requireEnd(piece.subarray(at + delimiter.length), pieces, field);
      const held = piece.subarray(certain);
      const { value, done } = await pieces.next();
      if (done) throw refuse("malformed_request");
      piece = held.length > 0 ? Buffer.concat([held, value]) : asBuffer(value);
    }
  } finally {
    await pieces.return?.();
  }
}

/** Where the last bytes may begin a delimiter that the next piece goes on with; their end when they do not. */
function partialAt(bytes: Buffer, delimiter: Buffer): number {
  const from = Math.max(0, bytes.length - delimiter.length + 1);
  for (let at = bytes.indexOf("\r", from); at >= 0; at = bytes.indexOf("\r", at + 1))
    if (delimiter.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return at;
  return bytes.length;
}

/** After the last delimiter come two dashes and at most a line break; anything else begins another part. */
async function requireEnd(begun: Buffer, pieces: AsyncIterator<Uint8Array>, field: string): Promise<void> {
  let rest = begun;
  while (rest.length <= "--\r\n".length) {
    const { value, done } = await pieces.next();
    if (done) break;
    rest = Buffer.concat([rest, value]);
  }
  if (rest.subarray(0, 2).toString() === "\r\n") throw invalid(field, "one_file");
  if (!/^--(\r?\n)?$/.test(rest.toString("latin1"))) throw refuse("malformed_request");
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Busboy reads a header's value as bytes of UTF-8, and a backslash in it as an escape. */
function contentTypeOf(boundary: string): string {
  const bytes = Buffer.from(boundary.replaceAll("\\", "\\\\")).toString("latin1");
  return `multipart/form-data; boundary="${bytes}"`;
}
