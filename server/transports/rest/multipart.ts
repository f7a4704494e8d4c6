import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import type { Upload } from "@/server/core/contract";
import { AppError, invalid, refuse } from "@/server/core/errors";

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
 * must contain that file and nothing else. Throws `validation` on the field, `body_too_large`, `malformed_request`.
 */
export async function readFile(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  rules: MultipartRules,
): Promise<Upload> {
  const { field, maxBytes, tooLarge } = rules;
  const form = new Busboy({
    headers: { "content-type": contentTypeOf(boundary) },
    limits: { parts: 1, fields: 0, fileSize: maxBytes },
    isPartAFile: (_name, _type, filename) => filename !== undefined,
  });
  let refusal: AppError | undefined;
  const stop = (error: AppError) => {
    refusal ??= error;
    form.destroy(refusal);
  };
  const begun = new Promise<{ file: BusboyFileStream; name: string | null }>((resolve) => {
    let files = 0;
    form.once("file", (name, file, filename) => {
      files++;
      file.once("limit", () => stop(tooLarge(maxBytes)));
      if (name === field) resolve({ file, name: filename || null });
      else stop(invalid(field, "one_file"));
    });
    form.once("fieldsLimit", () => stop(invalid(field, "one_file")));
    // A first part that is no field of a form is skipped without an event.
    form.once("partsLimit", () => stop(files ? invalid(field, "one_file") : refuse("malformed_request")));
  });
  const parsed = pipeline(framed(body, boundary, field), form).catch((error) => {
    throw refusal ?? (error instanceof AppError ? error : refuse("malformed_request", { cause: error }));
  });
  const nothing = parsed.then(() => Promise.reject(refuse("malformed_request")));
  const { file, name } = await Promise.race([begun, nothing]);
  // Whoever reads the file gets the error; nobody may be reading yet.
  file.on("error", () => {});
  parsed.catch((error) => file.destroy(error));

  async function* content(): AsyncGenerator<Uint8Array> {
    try {
      yield* file;
      await parsed;
    } finally {
      form.destroy();
    }
  }
  return { name, content: content() };
}

/** Busboy reads a header's value as bytes of UTF-8, and a backslash in it as an escape. */
function contentTypeOf(boundary: string): string {
  const bytes = Buffer.from(boundary.replaceAll("\\", "\\\\")).toString("latin1");
  return `multipart/form-data; boundary="${bytes}"`;
}

/**
 * The form from its first delimiter to its last. A parser skips what stands around them and cuts off a long head; here
 * both are refused, and a form without a part is told from one that is broken.
 */
async function* framed(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  field: string,
): AsyncGenerator<Uint8Array> {
  const opening = Buffer.from(`--${boundary}\r\n`);
  const closing = Buffer.from(`\r\n--${boundary}--`);
  let head: Buffer = Buffer.alloc(0);
  let opened = false;
  let searched: Buffer = Buffer.alloc(0);
  let closed = false;
  let after = 0;
  for await (const chunk of body) {
    let piece = chunk;
    if (!opened) {
      head = Buffer.concat([head, chunk]);
      if (head.length < opening.length) continue;
      if (!head.subarray(0, opening.length).equals(opening)) break;
      const end = head.indexOf(END_OF_HEAD);
      if ((end < 0 ? head.length : end) > opening.length + MAX_HEAD) break;
      if (end < 0) continue;
      opened = true;
      piece = head;
    }
    yield piece;
    if (closed) after += piece.length;
    else {
      searched = Buffer.concat([searched, piece]);
      const at = searched.indexOf(closing);
      closed = at >= 0;
      after = searched.length - at - closing.length;
      searched = searched.subarray(-closing.length);
    }
    // Nothing but a line break may follow.
    if (closed && after > 2) throw refuse("malformed_request");
  }
  const empty = head.length === 0 || head.subarray(0, opening.length).equals(closing.subarray(2));
  if (empty) throw invalid(field, "required");
  if (!closed) throw refuse("malformed_request");
}
