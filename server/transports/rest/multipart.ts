import { isUtf8 } from "node:buffer";
import { finished } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import type { Upload } from "@/server/core/contract";
import { type AppError, invalid, refuse } from "@/server/core/errors";

/** The longest head of a part, and the longest boundary that RFC 2046 allows. */
const MAX_HEAD = 4096;
/** Fields without a file that a form may have, and the longest value of one, in bytes. */
const MAX_FIELDS = 20;
const MAX_VALUE = 16_384;
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
 * The one file of a form, while it arrives: nothing is buffered, and content beyond the limit is not read. Fields without a
 * file, which forms and clients add, are passed over, a few short ones. What stands around the delimiters is refused, not
 * skipped. Throws `validation` on the field, `body_too_large`, `malformed_request`.
 */
export async function readFile(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  rules: MultipartRules,
): Promise<Upload> {
  const form: Form = { pieces: body[Symbol.asyncIterator](), boundary, field: rules.field, passed: 0 };
  const file = await fileAfter(form, await firstHead(form));
  if (file?.field !== rules.field) throw invalid(rules.field, "required");
  // Browsers send a part without name and content when no file is chosen.
  const ifEmpty = invalid(rules.field, file.name ? "file_empty" : "required");
  return { name: file.name || null, content: untilDelimiter(file.rest, form, { ...rules, ifEmpty }) };
}

/** A form on its way. */
interface Form {
  pieces: AsyncIterator<Uint8Array>;
  boundary: string;
  /** The field of the file. */
  field: string;
  /** Fields without a file so far. */
  passed: number;
}

/** A delimiter with the head of its part, and what has arrived behind them. */
interface Begun {
  head: Buffer;
  rest: Buffer;
}

async function firstHead({ pieces, boundary, field }: Form): Promise<Begun> {
  const opening = Buffer.from(`--${boundary}\r\n`);
  const rest = await more(pieces, Buffer.alloc(0), (read) => read.length >= opening.length);
  if (rest.subarray(0, opening.length).equals(opening)) return headOf(pieces, rest, opening.length);
  const empty = rest.length === 0 || rest.subarray(0, opening.length).equals(Buffer.from(`--${boundary}--`));
  throw empty ? invalid(field, "required") : refuse("malformed_request");
}

/** The first part from here on that has a file; undefined when the form ends before. */
async function fileAfter(
  form: Form,
  begun: Begun,
): Promise<{ field: string; name: string; rest: Buffer } | undefined> {
  const { pieces, boundary } = form;
  for (let { head, rest } = begun; ; ) {
    const part = await partOf(head, boundary);
    if (!part) throw refuse("malformed_request");
    if (part.name !== undefined) return { field: part.field, name: part.name, rest };
    if (++form.passed > MAX_FIELDS) throw invalid(form.field, "one_file");
    const delimiter = Buffer.from(`\r\n--${boundary}`);
    const value = await more(pieces, rest, (read) => read.includes(delimiter) || read.length > MAX_VALUE);
    const end = value.indexOf(delimiter);
    if ((end < 0 ? value.length : end) > MAX_VALUE) throw invalid(form.field, "one_file");
    if (end < 0) throw refuse("malformed_request");
    const next = await nextHead(form, value.subarray(end + delimiter.length));
    if (!next) return undefined;
    ({ head, rest } = next);
  }
}

/** Behind a delimiter: the next part's head; undefined where the form ends, with two dashes and at most a line break. */
async function nextHead({ pieces, boundary }: Form, begun: Buffer): Promise<Begun | undefined> {
  const rest = await more(pieces, begun, (read) => read.length > "--\r\n".length);
  if (/^--(\r?\n)?$/.test(rest.toString("latin1"))) return undefined;
  if (rest.subarray(0, 2).toString() !== "\r\n") throw refuse("malformed_request");
  const opening = Buffer.from(`--${boundary}`);
  return headOf(pieces, Buffer.concat([opening, rest]), opening.length + 2);
}

async function headOf(pieces: AsyncIterator<Uint8Array>, begun: Buffer, from: number): Promise<Begun> {
  const whole = (read: Buffer) => read.includes(END_OF_HEAD) || read.length > from + MAX_HEAD;
  const read = await more(pieces, begun, whole);
  const end = read.indexOf(END_OF_HEAD);
  if (end < 0 || end > from + MAX_HEAD) throw refuse("malformed_request");
  const length = end + END_OF_HEAD.length;
  return { head: read.subarray(0, length), rest: read.subarray(length) };
}

/** Reads on until that is enough, or the form is over. */
async function more(
  pieces: AsyncIterator<Uint8Array>,
  begun: Buffer,
  isEnough: (read: Buffer) => boolean,
): Promise<Buffer> {
  let read = begun;
  while (!isEnough(read)) {
    const { value, done } = await pieces.next();
    if (done) break;
    read = Buffer.concat([read, value]);
  }
  return read;
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
    part = { field: name, name: extendedName(head) ?? unescaped(filename) };
    file.resume();
  });
  form.end(Buffer.concat([inUtf8(head), Buffer.from(`.\r\n--${boundary}--\r\n`)]));
  await finished(form).catch((cause) => Promise.reject(refuse("malformed_request", { cause })));
  return part;
}

const EXTENDED = /;\s*filename\*\s*=\s*"?([\w-]+)'[^']*'([^;\s"]*)/i;

/** `filename*` of RFC 8187 is the name that a client cannot write into `filename`. */
function extendedName(head: Buffer): string | undefined {
  const [, charset, written] = EXTENDED.exec(head.toString("latin1")) ?? [];
  if (!charset || !written) return undefined;
  const bytes = written.replace(/%([\da-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  try {
    return new TextDecoder(charset, { fatal: true }).decode(Buffer.from(bytes, "latin1"));
  } catch {
    return undefined;
  }
}

/** Clients that do not write UTF-8 are Turkish more often than not. */
function inUtf8(head: Buffer): Buffer {
  return isUtf8(head) ? head : Buffer.from(new TextDecoder("windows-1254").decode(head));
}

/** Browsers escape these three characters of a name, and no percent sign. */
function unescaped(name: string | undefined): string | undefined {
  return name?.replace(/%(22|0D|0A)/gi, (each) => decodeURIComponent(each));
}

/** The content of a part up to its delimiter, behind which no other file may come. */
async function* untilDelimiter(
  begun: Buffer,
  form: Form,
  { field, maxBytes, tooLarge, ifEmpty }: MultipartRules & { ifEmpty: AppError },
): AsyncGenerator<Uint8Array> {
  const { pieces, boundary } = form;
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
      if (at >= 0) {
        const next = await nextHead(form, piece.subarray(at + delimiter.length));
        if (next && (await fileAfter(form, next))) throw invalid(field, "one_file");
        if (room === maxBytes) throw ifEmpty;
        return;
      }
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

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Busboy reads a header's value as bytes of UTF-8, and a backslash in it as an escape. */
function contentTypeOf(boundary: string): string {
  const bytes = Buffer.from(boundary.replaceAll("\\", "\\\\")).toString("latin1");
  return `multipart/form-data; boundary="${bytes}"`;
}
