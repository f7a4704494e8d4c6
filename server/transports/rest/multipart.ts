import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { Dicer } from "@fastify/busboy";
import type { Upload } from "@/server/core/contract";
import { type AppError, invalid, refuse } from "@/server/core/errors";

/** For fields without a file. */
const MAX_FIELDS = 20;
const MAX_VALUE = 16_384;
const MAX_HEADER = 4096;
const BOUNDARY =
  /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s";,]{1,70}))\s*(?:;|$)/i;
const PARAMETER = /;\s*([\w-]+\*?)=(?:"((?:\\.|[^"\\])*)"|([^;\s"]*))\s*/gy;
const DISPOSITION = /^form-data\s*(?:;\s*[\w-]+\*?=(?:"(?:\\.|[^"\\])*"|[^;\s"]*)\s*)*(?:;\s*)?$/i;

interface MultipartRules {
  field: string;
  maxBytes: number;
  tooLarge: (limit: number) => AppError;
}

export function boundaryOf(contentType: string | null): string | undefined {
  const match = BOUNDARY.exec(contentType ?? "");
  return match?.[1] ?? match?.[2];
}

/** Streams the only file of a form and skips a few short fields. Parses each chunk on demand. */
export async function readFile(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  { field, maxBytes, tooLarge }: MultipartRules,
): Promise<Upload> {
  const oneFile = invalid(field, "one_file");
  // A paused part would never call back at the end of the form: the high-water mark prevents pauses.
  const settings = { boundary, maxHeaderSize: MAX_HEADER, partHwm: 2 ** 31, autoDestroy: false };
  const form = new Dicer(settings);
  const pieces: Buffer[] = [];
  let filename: string | undefined;
  let fields = 0;
  let failure: AppError | undefined;
  const fail = (reason: AppError) => {
    failure ??= reason;
  };
  const malformed = (cause?: Error) => fail(refuse("malformed_request", { cause }));
  const skip = (value: Readable) => {
    let size = 0;
    if (++fields > MAX_FIELDS) fail(oneFile);
    value.on("data", (piece: Buffer) => {
      size += piece.length;
      if (size > MAX_VALUE) fail(oneFile);
    });
  };
  form.on("part", (part) => {
    part.on("error", malformed).on("header", (header: Record<string, string[]>) => {
      const disposition = dispositionOf(header["content-disposition"]?.[0]);
      if (!disposition) malformed();
      else if (disposition.filename === undefined) return skip(part);
      else if (filename !== undefined) fail(oneFile);
      else if (disposition.name !== field) fail(invalid(field, "required"));
      else filename = disposition.filename;
      part.on("data", (piece: Buffer) => pieces.push(piece));
    });
  });
  const finished = new Promise<void>((resolve) => {
    form.on("finish", resolve).on("error", (cause: Error) => resolve(malformed(cause)));
  });
  const chunks = body[Symbol.asyncIterator]();
  const parseNextChunk = async (): Promise<boolean> => {
    const { value, done = false } = await chunks.next();
    if (done) await Promise.all([form.end(), finished]);
    else await new Promise((resolve) => form.write(value, resolve));
    if (failure) throw failure;
    return done;
  };
  async function* content(): AsyncGenerator<Uint8Array> {
    let remaining = maxBytes;
    try {
      for (let isDone = false; ; isDone = await parseNextChunk()) {
        for (const piece of pieces.splice(0)) {
          remaining -= piece.length;
          if (remaining < 0) throw tooLarge(maxBytes);
          yield piece;
        }
        if (isDone) break;
      }
      // Without a chosen file, browsers send a part without name and content.
      if (remaining === maxBytes) throw invalid(field, filename ? "file_empty" : "required");
    } finally {
      await chunks.return?.();
    }
  }
  while (filename === undefined) if (await parseNextChunk()) throw invalid(field, "required");
  return { name: filename || null, content: content() };
}

/** Undefined when malformed; without a file name, the part is an ordinary field. */
function dispositionOf(header: string | undefined): { name?: string; filename?: string } | undefined {
  if (!header || !DISPOSITION.test(header)) return undefined;
  const bytes = Buffer.from(header, "latin1");
  // Non-UTF-8 names are usually Turkish here.
  const text = isUtf8(bytes) ? bytes.toString() : new TextDecoder("windows-1254").decode(bytes);
  const parameters = new Map<string, string>();
  for (const [, key, quoted, plain] of text.slice(text.indexOf(";")).matchAll(PARAMETER))
    parameters.set(key!.toLowerCase(), quoted?.replace(/\\(["\\])/g, "$1") ?? plain!);
  const filename = parameters.get("filename")?.replace(/^.*[/\\]/s, "");
  // Browsers percent-encode only these three characters.
  const unescaped = filename?.replace(/%(22|0D|0A)/gi, (each) => decodeURIComponent(each));
  return { name: parameters.get("name"), filename: extendedName(parameters.get("filename*")) ?? unescaped };
}

/** Decodes `filename*` (RFC 8187), used for names that `filename` cannot represent. */
function extendedName(value: string | undefined): string | undefined {
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
