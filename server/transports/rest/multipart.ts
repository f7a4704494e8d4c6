import type { Upload } from "@/server/core/contract";
import { type AppError, invalid, refuse } from "@/server/core/errors";

/** The longest head of a part, and the longest boundary that RFC 2046 allows. */
const MAX_HEAD = 4096;
const BOUNDARY =
  /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s";,]{1,70}))\s*(?:;|$)/i;
const END_OF_HEAD = Buffer.from("\r\n\r\n");

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
  const source = body[Symbol.asyncIterator]();
  const opening = Buffer.from(`--${boundary}\r\n`);
  let held: Buffer = Buffer.alloc(0);

  /** Reads the next chunk; returns false at the end. */
  async function more(): Promise<boolean> {
    const { value, done } = await source.next();
    if (done) return false;
    held = held.length > 0 ? Buffer.concat([held, value]) : Buffer.from(value);
    return true;
  }

  while (held.length < opening.length && (await more()));
  if (held.length === 0 || held.subarray(0, boundary.length + 4).toString("latin1") === `--${boundary}--`)
    throw invalid(rules.field, "required");
  if (!held.subarray(0, opening.length).equals(opening)) throw refuse("malformed_request");
  held = held.subarray(opening.length);

  let end = held.indexOf(END_OF_HEAD);
  while (end < 0) {
    if (held.length > MAX_HEAD || !(await more())) throw refuse("malformed_request");
    end = held.indexOf(END_OF_HEAD);
  }
  if (end > MAX_HEAD) throw refuse("malformed_request");
  checkHead(held.subarray(0, end).toString("utf8"), rules.field);
  held = held.subarray(end + END_OF_HEAD.length);

  async function* content(): AsyncGenerator<Uint8Array> {
    const delimiter = Buffer.from(`\r\n--${boundary}`);
    let size = 0;
    for (;;) {
      const at = held.indexOf(delimiter);
      // Keep back what might be the beginning of the delimiter.
      const ready = at >= 0 ? at : Math.max(0, held.length - delimiter.length + 1);
      size += ready;
      if (size > rules.maxBytes) throw rules.tooLarge(rules.maxBytes);
      if (ready > 0) yield held.subarray(0, ready);
      held = held.subarray(ready);
      if (at >= 0) break;
      if (!(await more())) throw refuse("malformed_request");
    }
    held = held.subarray(delimiter.length);
    while (held.length < 2 && (await more()));
    const after = held.subarray(0, 2).toString("latin1");
    if (after === "\r\n") throw invalid(rules.field, "one_file");
    if (after !== "--") throw refuse("malformed_request");
    // Only a line break may follow.
    while (held.length <= 4 && (await more()));
    if (held.length > 4) throw refuse("malformed_request");
  }
  return { content: content() };
}

/** Checks that the part is the expected file field. Its name and type are the client's claim and are ignored. */
function checkHead(head: string, field: string): void {
  const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(head)?.[1];
  if (!disposition) throw refuse("malformed_request");
  const name = /(?:^|;)\s*name="([^"]*)"/i.exec(disposition)?.[1];
  if (name !== field || !/(?:^|;)\s*filename\*?=/i.test(disposition)) throw invalid(field, "one_file");
}
