import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ReadableStream } from "node:stream/web";
import { isAppError } from "@/server/core/errors";
import { servedMedia } from "@/server/domains/sites/media/service/served";
import { type Place, type PublicFile, placeOf, publicFile } from "@/server/infrastructure/storage/public";
import { authenticate } from "./actor";
import { type Door, failedResponse, limited } from "./door-limit";
import { rangeOf } from "./range";
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

/** Headers of a file that only its owner may read. */
const OWNER_ONLY = { "cache-control": "private, no-store", "cross-origin-resource-policy": "same-site" };

/** Pages ask for many files at once; a page of deleted ones asks for a hundred. */
const FILES: Door = { name: "media", misses: 1200, hits: 6000 };

/**
 * Returns the response for a stored file; another path to the same file is redirected. The headers prevent the content
 * from running or passing as a page of ours. One range of bytes is sent alone; several are the whole file.
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
  const found = await limited(FILES, { ip, key: path, hasFound: Boolean }, () => findReadable(request));
  if (!found) return { status: 404, headers: absent };
  if (found.location) return { status: 301, headers: { ...absent, location: found.location } };
  const { file, etag, place } = found;
  const headers = { ...fixed, ...found.headers, etag, "accept-ranges": "bytes" };
  if (knows(header("if-none-match"), etag)) return { status: 304, headers };
  const range = rangeOf({ range: header("range"), ifRange: header("if-range"), etag, size: file.size });
  if (range === "beyond") {
    const refused = { ...absent, "content-range": `bytes */${file.size}`, "content-length": "0" };
    return { status: 416, headers: refused };
  }
  const content = method === "GET" ? await begun(file.open(range)).catch(removed(place)) : undefined;
  if (content === "removed") return { status: 404, headers: absent };
  if (!range) return { status: 200, headers: { ...headers, "content-length": String(file.size) }, content };
  const part = {
    "content-range": `bytes ${range.start}-${range.end}/${file.size}`,
    "content-length": String(range.end - range.start + 1),
  };
  return { status: 206, headers: { ...headers, ...part }, content };
}

interface Target extends PublicFile {
  place: Place;
  /** The file's only path, if another one was requested. */
  location?: string;
}

/** Returns the file at a path if the sender of the request may read it. */
async function findReadable(request: MediaRequest): Promise<Target | undefined> {
  const { path } = request;
  const place = placeOf(path);
  if (!place) return undefined;
  const media = place.isMedia ? await servedMedia(place.key, path) : undefined;
  const isReadable =
    !place.isMedia || media?.isPublic || (media && (await readerOf(request)) === media.userId);
  const found = isReadable ? await publicFile(place, media?.file) : undefined;
  if (!found) return undefined;
  return {
    ...found,
    place,
    headers: { ...found.headers, ...(media && !media.isPublic && OWNER_ONLY) },
    ...(media && media.path !== path && { location: media.path }),
  };
}

/** Returns the account of the bearer token or of the panel's session; undefined without a valid one. */
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

/** Waits for a stream's first bytes: what cannot be read is refused before a status is sent. */
function begun(content: Readable): Promise<Readable> {
  return new Promise((resolve, reject) => {
    content.once("error", reject);
    content.once("readable", () => {
      content.off("error", reject);
      resolve(content);
    });
  });
}

/** A file may be removed between a look at it and its first byte. */
const removed = (place: Place) => async (error: unknown) => {
  if (await publicFile(place)) throw error;
  return "removed" as const;
};

/** Whether a client says that it has this version. */
function knows(ifNoneMatch: string | null, etag: string): boolean {
  const tags = ifNoneMatch?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes(etag) || tags.includes("*");
}

/** Serves `/media/**` at the front door. */
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

/** The same as a Next route handler, for hosts without our front door. */
export async function mediaRoute(request: Request): Promise<Response> {
  const response = await responseTo({
    method: request.method,
    path: new URL(request.url).pathname,
    ip: clientAddress(null, request.headers.get("x-forwarded-for")),
    header: (name) => request.headers.get(name),
  }).catch((error: unknown) => failedResponse(error, request));
  if (response instanceof Response) return response;
  const { status, headers, content } = response;
  // Readable.toWeb() of Node.js 20 throws where nobody can catch it when the client leaves.
  return new Response(content ? (ReadableStream.from(content) as BodyInit) : null, { status, headers });
}
