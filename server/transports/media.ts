import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ReadableStream } from "node:stream/web";
import { isAppError } from "@/server/core/errors";
import { servedMedia } from "@/server/domains/sites/media/service/served";
import {
  type MediaPath,
  type PublicFile,
  parseMediaPath,
  publicFile,
} from "@/server/infrastructure/storage/public";
import { authenticate } from "./authenticate";
import { limitEndpoint, type PublicEndpoint, routeFailureResponse } from "./endpoint-limit";
import { parseRange } from "./range";
import { clientAddress } from "./request-origin";
import { securityHeaders } from "./rest/headers";
import { readCookie, sessionCookieName } from "./session/cookie";

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

const OWNER_ONLY = { "cache-control": "private, no-store", "cross-origin-resource-policy": "same-site" };

/** Pages load many files at once; a page of deleted files misses a hundred times. */
const FILES: PublicEndpoint = { name: "media", misses: 1200, hits: 6000 };

/**
 * The headers keep content from running or posing as our page. A single byte range is supported; several
 * return the whole file.
 */
async function responseTo(request: MediaRequest): Promise<MediaResponse> {
  const { method, path, ip, header } = request;
  const fixed = {
    ...securityHeaders(header("host")),
    "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  };
  const absent = { ...fixed, "cache-control": "no-store" };
  if (method !== "GET" && method !== "HEAD")
    return { status: 405, headers: { ...absent, allow: "GET, HEAD" } };
  const target = await limitEndpoint(FILES, { ip, key: path, hasFound: Boolean }, () =>
    findReadable(request),
  );
  if (!target) return { status: 404, headers: absent };
  if (target.location) return { status: 301, headers: { ...absent, location: target.location } };
  const { file, etag, place } = target;
  const headers = { ...fixed, ...target.headers, etag, "accept-ranges": "bytes" };
  if (hasVersion(header("if-none-match"), etag)) return { status: 304, headers };
  const range = parseRange({ range: header("range"), ifRange: header("if-range"), etag, size: file.size });
  if (range === "beyond") {
    const refused = { ...absent, "content-range": `bytes */${file.size}`, "content-length": "0" };
    return { status: 416, headers: refused };
  }
  const content =
    method === "GET" ? await waitForData(file.open(range)).catch(handleRemoval(place)) : undefined;
  if (content === "removed") return { status: 404, headers: absent };
  if (!range) return { status: 200, headers: { ...headers, "content-length": String(file.size) }, content };
  const part = {
    "content-range": `bytes ${range.start}-${range.end}/${file.size}`,
    "content-length": String(range.end - range.start + 1),
  };
  return { status: 206, headers: { ...headers, ...part }, content };
}

interface Target extends PublicFile {
  place: MediaPath;
  location?: string;
}

async function findReadable(request: MediaRequest): Promise<Target | undefined> {
  const { path } = request;
  const place = parseMediaPath(path);
  if (!place) return undefined;
  const media = place.isMedia ? await servedMedia(place.key, path) : undefined;
  const isReadable =
    !place.isMedia || media?.isPublic || (media && (await readerOf(request)) === media.userId);
  const file = isReadable ? await publicFile(place, media?.file) : undefined;
  if (!file) return undefined;
  return {
    ...file,
    place,
    headers: { ...file.headers, ...(media && !media.isPublic && OWNER_ONLY) },
    ...(media && media.path !== path && { location: media.path }),
  };
}

async function readerOf({ header, ip }: MediaRequest): Promise<number | undefined> {
  const bearer = header("authorization");
  const session = readCookie(header("cookie"), sessionCookieName());
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
const handleRemoval = (place: MediaPath) => async (error: unknown) => {
  if (await publicFile(place)) throw error;
  return "removed" as const;
};

function hasVersion(ifNoneMatch: string | null, etag: string): boolean {
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
  const { status, headers, content } = await responseTo({
    method: req.method ?? "GET",
    path,
    ip,
    header,
  });
  res.writeHead(status, headers);
  if (!content) return void res.end();
  await pipeline(content, res).catch(() => res.destroy());
}

/** Route handler for hosts that run Next without our HTTP server. */
export async function mediaRoute(request: Request): Promise<Response> {
  const response = await responseTo({
    method: request.method,
    path: new URL(request.url).pathname,
    ip: clientAddress(null, request.headers.get("x-forwarded-for")),
    header: (name) => request.headers.get(name),
  }).catch((error: unknown) => routeFailureResponse(error, request));
  if (response instanceof Response) return response;
  const { status, headers, content } = response;
  // Readable.toWeb() of Node.js 20 throws an uncatchable error when the client disconnects.
  return new Response(content ? (ReadableStream.from(content) as BodyInit) : null, { status, headers });
}
