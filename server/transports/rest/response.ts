import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { type AnyOperation, type FileContent, FileOutput, RawJson } from "@/server/core/contract";
import type { AppError } from "@/server/core/errors";
import { contentDisposition } from "@/server/core/file-name";
import type { Locale } from "@/server/core/locale";
import { Unread } from "@/server/core/unread";
import { renderError } from "../render-error";
import type { RestRequest } from "./input";

const pack = promisify(gzip);

/** Minimum length at which sending costs more time than compressing. */
const LONG = 16_384;

/** The request header that changes a compressed response. */
const VARY = "Accept-Encoding";

/** A response without its transport: what both doors send. */
export interface RestResponse {
  status: number;
  headers: Record<string, string>;
  /** Bytes once it is compressed. */
  body: string | Unread | Uint8Array<ArrayBuffer> | null;
  /** The body as well as it can be compressed, for texts that are made once. */
  packed?: () => Promise<Uint8Array<ArrayBuffer>>;
  /** Sent instead of the body. */
  file?: FileContent;
}

/** Returns the response of an operation that succeeded. */
export function outputResponse(request: RestRequest, operation: AnyOperation, output: unknown): RestResponse {
  const { status, cacheControl } = operation;
  if (output instanceof FileOutput) return fileResponse(output, status);
  if (cacheControl && output instanceof RawJson) {
    const { tag, packed } = keptOf(output);
    return { ...cachedResponse(request, { cacheControl, tag }, output.text, status), packed };
  }
  if (!cacheControl)
    return { status, headers: {}, body: output instanceof RawJson ? output.body : JSON.stringify(output) };
  const body = JSON.stringify(output);
  return cachedResponse(request, { cacheControl, tag: etag(body) }, body, status);
}

interface Kept {
  tag: string;
  packed: () => Promise<Uint8Array<ArrayBuffer>>;
}
const kept = new WeakMap<RawJson, Kept>();

/** What is the same for everybody who asks for a text that was made once: it is hashed and compressed once, too. */
function keptOf(json: RawJson): Kept {
  const known = kept.get(json);
  if (known) return known;
  let packing: ReturnType<typeof packWell> | undefined;
  const made = {
    tag: etag(json.text),
    packed: () => {
      packing ??= packWell(json.text);
      return packing;
    },
  };
  kept.set(json, made);
  return made;
}

/** The documented response of an error; its code, which no body has, is a header. */
export function failureResponse(failure: AppError, locale: Locale): RestResponse & { body: string } {
  return {
    status: failure.status,
    headers: {
      "x-error-code": failure.code,
      ...(failure.code === "unauthenticated" ? { "www-authenticate": "Bearer" } : {}),
      ...failure.extras.headers,
    },
    body: JSON.stringify(renderError(failure, locale, { technical: true })),
  };
}

/** Headers make the browser save the file and never show it as a page of ours. */
function fileResponse({ content, save }: FileOutput, status: number): RestResponse {
  const headers = {
    "content-type": save.type,
    ...(content.size !== undefined && { "content-length": String(content.size) }),
    "content-disposition": contentDisposition("attachment", save.name),
  };
  return { status, headers, body: null, file: content };
}

/** A public response carries its content's tag; a client that has it already gets 304. */
function cachedResponse(
  request: RestRequest,
  { cacheControl, tag }: { cacheControl: string; tag: string },
  body: string,
  status: number,
): RestResponse {
  // Also on a 304: caches keep one answer for each encoding.
  const headers = { "cache-control": cacheControl, etag: tag, ...(isLong(body) && { vary: VARY }) };
  const known = request
    .header("if-none-match")
    ?.split(",")
    .map((item) => item.trim().replace(/^W\//, ""));
  return known?.includes(tag) || known?.includes("*")
    ? { status: 304, headers, body: null }
    : { status, headers, body };
}

/** Returns a strong ETag of a body. */
function etag(body: string): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
}

function isLong(body: string | Unread | Uint8Array): boolean {
  return body.length >= LONG;
}

/** Smallest output, for a text that is made once and sent often. */
export async function packWell(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return pack(text, { level: constants.Z_BEST_COMPRESSION });
}

/** Fastest, for a body that one caller gets. */
async function packFast(text: string | Unread | Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return pack(Unread.is(text) ? text.buffer : text, { level: constants.Z_BEST_SPEED });
}

/** `gzip`, unless the client refuses it by `q=0`. */
const TAKEN = /(?:^|,)\s*gzip\s*(?:;\s*q=(?:0\.0*[1-9]\d*|1(?:\.0*)?)\s*)?(?:,|$)/i;

/**
 * Compresses a long response for clients that accept gzip, and adds the headers that caches need. The length reveals
 * nothing to foreign pages: lists need a bearer token, which a browser does not send on its own.
 */
export async function compress(response: RestResponse, accepted: string | null): Promise<void> {
  const { body, headers } = response;
  if (body === null || !isLong(body)) return;
  headers.vary = VARY;
  if (!accepted || !TAKEN.test(accepted)) return;
  response.body = (await response.packed?.()) ?? (await packFast(body));
  headers["content-encoding"] = "gzip";
  // The tag is of the body before compression.
  if (headers.etag) headers.etag = `W/${headers.etag}`;
}
