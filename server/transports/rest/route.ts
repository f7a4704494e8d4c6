import { ReadableStream } from "node:stream/web";
import { RawUtf8 } from "@/server/core/raw-utf8";
import { getClientAddress } from "../request-origin";
import { createBodyTooLargeError } from "./input";
import { serveRequest } from "./serve-request";

/* Handlers of the route files in `app/api`, for hosts without our HTTP server. */

// Every method, so that a 405 has our JSON body instead of Next's empty one.
export {
  respond as DELETE,
  respond as GET,
  respond as HEAD,
  respond as OPTIONS,
  respond as PATCH,
  respond as POST,
  respond as PUT,
};

async function respond(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { status, headers, body, file } = await serveRequest({
    method: request.method,
    pathname,
    search,
    header: (name) => request.headers.get(name),
    ip: getClientAddress(null, request.headers.get("x-forwarded-for")),
    isComplete: async () => request.body === null,
    readBody: (limit) => readBody(request, limit),
    streamBody: (limit) => streamBody(request, limit),
  });
  const { connection: _, ...responseHeaders } = headers;
  // Readable.toWeb() of Node.js 20 throws an uncatchable error when the client disconnects.
  const bytes = RawUtf8.is(body) ? body.buffer : body;
  return new Response(file ? (ReadableStream.from(file.open()) as BodyInit) : bytes, {
    status,
    headers: responseHeaders,
  });
}

async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of streamBody(request, limit)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* streamBody(request: Request, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) throw createBodyTooLargeError(limit);
    yield chunk;
  }
}
