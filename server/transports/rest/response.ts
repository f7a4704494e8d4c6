import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { type AnyOperation, type FileContent, FileOutput, RawJson } from "@/server/core/contract";
import type { AppError } from "@/server/core/errors";
import { buildContentDisposition } from "@/server/core/file-name";
import type { Locale } from "@/server/core/locale";
import { RawUtf8 } from "@/server/core/raw-utf8";
import { renderError } from "../render-error";
import type { RestRequest } from "./input";

const gzipAsync = promisify(gzip);

/** Minimum length to compress; sending a shorter body is faster. */
const MIN_LENGTH_TO_COMPRESS = 16_384;

const VARY_VALUE = "Accept-Encoding";

export interface RestResponse {
  status: number;
  headers: Record<string, string>;
  body: string | RawUtf8 | Uint8Array<ArrayBuffer> | null;
  /** Returns the body in gzip. The result is kept, because the text is constant. */
  getCompressedBody?: () => Promise<Uint8Array<ArrayBuffer>>;
  file?: FileContent;
}

export function buildOutputResponse(
  request: RestRequest,
  operation: AnyOperation,
  output: unknown,
): RestResponse {
  const { status, cacheControl } = operation;
  if (output instanceof FileOutput) return buildFileResponse(output, status);
  if (cacheControl && output instanceof RawJson) {
    const { tag, getCompressedBody } = getCachedBody(output);
    return {
      ...buildCacheableResponse(request, { cacheControl, tag }, output.text, status),
      getCompressedBody,
    };
  }
  if (!cacheControl)
    return { status, headers: {}, body: output instanceof RawJson ? output.body : JSON.stringify(output) };
  const body = JSON.stringify(output);
  return buildCacheableResponse(request, { cacheControl, tag: computeEtag(body) }, body, status);
}

interface CachedBody {
  tag: string;
  getCompressedBody: () => Promise<Uint8Array<ArrayBuffer>>;
}
const cachedBodies = new WeakMap<RawJson, CachedBody>();

function getCachedBody(json: RawJson): CachedBody {
  const cached = cachedBodies.get(json);
  if (cached) return cached;
  let pendingCompression: ReturnType<typeof compressBest> | undefined;
  const cachedBody = {
    tag: computeEtag(json.text),
    getCompressedBody: () => {
      pendingCompression ??= compressBest(json.text);
      return pendingCompression;
    },
  };
  cachedBodies.set(json, cachedBody);
  return cachedBody;
}

export function buildFailureResponse(failure: AppError, locale: Locale): RestResponse & { body: string } {
  return {
    status: failure.status,
    headers: {
      "x-error-code": failure.code,
      ...(failure.code === "unauthenticated" ? { "www-authenticate": "Bearer" } : {}),
      ...failure.extras.headers,
    },
    body: JSON.stringify(renderError(failure, locale, { usesFixedText: true })),
  };
}

/** The headers make browsers download the file instead of showing it as our page. */
function buildFileResponse({ content, download }: FileOutput, status: number): RestResponse {
  const headers = {
    "content-type": download.type,
    ...(content.size !== undefined && { "content-length": String(content.size) }),
    "content-disposition": buildContentDisposition("attachment", download.name),
  };
  return { status, headers, body: null, file: content };
}

/** Adds an ETag to a public response; returns 304 to a client that already has it. */
function buildCacheableResponse(
  request: RestRequest,
  { cacheControl, tag }: { cacheControl: string; tag: string },
  body: string,
  status: number,
): RestResponse {
  // `vary` is sent with a 304, too, because caches store one response per encoding.
  const headers = {
    "cache-control": cacheControl,
    etag: tag,
    ...(isWorthCompressing(body) && { vary: VARY_VALUE }),
  };
  const clientTags = request
    .header("if-none-match")
    ?.split(",")
    .map((item) => item.trim().replace(/^W\//, ""));
  return clientTags?.includes(tag) || clientTags?.includes("*")
    ? { status: 304, headers, body: null }
    : { status, headers, body };
}

function computeEtag(body: string): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
}

function isWorthCompressing(body: string | RawUtf8 | Uint8Array): boolean {
  return body.length >= MIN_LENGTH_TO_COMPRESS;
}

export async function compressBest(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return gzipAsync(text, { level: constants.Z_BEST_COMPRESSION });
}

async function compressFast(text: string | RawUtf8 | Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return gzipAsync(RawUtf8.is(text) ? text.buffer : text, { level: constants.Z_BEST_SPEED });
}

/** Matches `gzip`, unless the client rejects it by `q=0`. */
const ACCEPTS_GZIP_PATTERN = /(?:^|,)\s*gzip\s*(?:;\s*q=(?:0\.0*[1-9]\d*|1(?:\.0*)?)\s*)?(?:,|$)/i;

/**
 * Compresses a long body in place if the client accepts gzip. Safe against BREACH: foreign pages cannot
 * trigger requests with a bearer token.
 */
export async function compressResponse(response: RestResponse, acceptEncoding: string | null): Promise<void> {
  const { body, headers } = response;
  if (body === null || !isWorthCompressing(body)) return;
  headers.vary = VARY_VALUE;
  if (!acceptEncoding || !ACCEPTS_GZIP_PATTERN.test(acceptEncoding)) return;
  response.body = (await response.getCompressedBody?.()) ?? (await compressFast(body));
  headers["content-encoding"] = "gzip";
  // Weak, because the ETag was computed from the uncompressed body.
  if (headers.etag) headers.etag = `W/${headers.etag}`;
}
