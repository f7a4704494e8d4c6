import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ReadableStream } from "node:stream/web";
import { isAppError } from "@/server/core/errors";
import { findServedMedia } from "@/server/domains/sites/media/service/served-media";
import {
  type MediaPath,
  type OpenedFile,
  parseMediaPath,
  readServedFile,
} from "@/server/infrastructure/storage/served-files";
import { authenticate } from "./authenticate";
import { buildRouteFailureResponse, type EndpointLimit, limitEndpoint } from "./endpoint-limit";
import { parseRange } from "./range";
import { getClientAddress } from "./request-origin";
import { buildSecurityHeaders } from "./rest/headers";
import { getSessionCookieName, readCookie } from "./session/cookie";

interface MediaRequest {
  method: string;
  path: string;
  ip: string;
  header(name: string): string | null;
}

interface MediaResponse {
  status: number;
  headers: Record<string, string>;
  content?: Readable;
}

const OWNER_ONLY_HEADERS = {
  "cache-control": "private, no-store",
  "cross-origin-resource-policy": "same-site",
};

/** Pages load many files at once; a page of deleted files misses a hundred times. */
const MEDIA_LIMIT: EndpointLimit = { name: "media", missesPerMinute: 1200, hitsPerMinute: 6000 };

/** Supports one byte range. The CSP sandbox keeps uploaded content from running as our page. */
async function buildMediaResponse(request: MediaRequest): Promise<MediaResponse> {
  const { method, path, ip, header } = request;
  const baseHeaders = {
    ...buildSecurityHeaders(header("host")),
    "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  };
  const uncachedHeaders = { ...baseHeaders, "cache-control": "no-store" };
  if (method !== "GET" && method !== "HEAD")
    return { status: 405, headers: { ...uncachedHeaders, allow: "GET, HEAD" } };
  const servedFile = await limitEndpoint(MEDIA_LIMIT, { ip, key: path, isHit: Boolean }, () =>
    findReadableFile(request),
  );
  if (!servedFile) return { status: 404, headers: uncachedHeaders };
  if (servedFile.location)
    return { status: 301, headers: { ...uncachedHeaders, location: servedFile.location } };
  const { file, etag, mediaPath } = servedFile;
  const headers = { ...baseHeaders, ...servedFile.headers, etag, "accept-ranges": "bytes" };
  if (hasMatchingEtag(header("if-none-match"), etag)) return { status: 304, headers };
  const range = parseRange({ range: header("range"), ifRange: header("if-range"), etag, size: file.size });
  if (range === "beyond") {
    const unsatisfiableHeaders = {
      ...uncachedHeaders,
      "content-range": `bytes */${file.size}`,
      "content-length": "0",
    };
    return { status: 416, headers: unsatisfiableHeaders };
  }
  const content =
    method === "GET" ? await waitForData(file.open(range)).catch(rethrowUnlessRemoved(mediaPath)) : undefined;
  if (content === "removed") return { status: 404, headers: uncachedHeaders };
  if (!range) return { status: 200, headers: { ...headers, "content-length": String(file.size) }, content };
  const partHeaders = {
    "content-range": `bytes ${range.start}-${range.end}/${file.size}`,
    "content-length": String(range.end - range.start + 1),
  };
  return { status: 206, headers: { ...headers, ...partHeaders }, content };
}

interface ServedFile extends OpenedFile {
  mediaPath: MediaPath;
  location?: string;
}

async function findReadableFile(request: MediaRequest): Promise<ServedFile | undefined> {
  const { path } = request;
  const mediaPath = parseMediaPath(path);
  if (!mediaPath) return undefined;
  const media = mediaPath.isLibraryFile ? await findServedMedia(mediaPath.key, path) : undefined;
  const isReadable =
    !mediaPath.isLibraryFile || media?.isPublic || (media && (await findCallerId(request)) === media.userId);
  const file = isReadable ? await readServedFile(mediaPath, media?.file) : undefined;
  if (!file) return undefined;
  return {
    ...file,
    mediaPath,
    headers: { ...file.headers, ...(media && !media.isPublic && OWNER_ONLY_HEADERS) },
    ...(media && media.path !== path && { location: media.path }),
  };
}

async function findCallerId({ header, ip }: MediaRequest): Promise<number | undefined> {
  const bearer = header("authorization");
  const session = readCookie(header("cookie"), getSessionCookieName());
  if (bearer === null && session === null) return undefined;
  try {
    const { actor } = await authenticate(bearer === null ? { session } : { bearer }, { ip });
    return actor.id;
  } catch (error) {
    if (isAppError(error)) return undefined;
    throw error;
  }
}

/** Waits for the first bytes, so that an unreadable file fails before the status is sent. */
function waitForData(content: Readable): Promise<Readable> {
  return new Promise((resolve, reject) => {
    content.once("error", reject);
    content.once("readable", () => {
      content.off("error", reject);
      resolve(content);
    });
  });
}

/** The file may be deleted between the lookup and its first byte. */
const rethrowUnlessRemoved = (mediaPath: MediaPath) => async (error: unknown) => {
  if (await readServedFile(mediaPath)) throw error;
  return "removed" as const;
};

function hasMatchingEtag(ifNoneMatch: string | null, etag: string): boolean {
  const tags = ifNoneMatch?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes(etag) || tags.includes("*");
}

export async function serveMedia(
  req: IncomingMessage,
  res: ServerResponse,
  { path, ip }: { path: string; ip: string },
): Promise<void> {
  const header = (name: string) => {
    const value = req.headers[name];
    return typeof value === "string" ? value : null;
  };
  const { status, headers, content } = await buildMediaResponse({
    method: req.method ?? "GET",
    path,
    ip,
    header,
  });
  res.writeHead(status, headers);
  if (!content) return void res.end();
  await pipeline(content, res).catch(() => res.destroy());
}

export async function serveMediaRoute(request: Request): Promise<Response> {
  const response = await buildMediaResponse({
    method: request.method,
    path: new URL(request.url).pathname,
    ip: getClientAddress(null, request.headers.get("x-forwarded-for")),
    header: (name) => request.headers.get(name),
  }).catch((error: unknown) => buildRouteFailureResponse(error, request));
  if (response instanceof Response) return response;
  const { status, headers, content } = response;
  // Readable.toWeb() of Node.js 20 throws an uncatchable error when the client disconnects.
  return new Response(content ? (ReadableStream.from(content) as BodyInit) : null, { status, headers });
}
