import { ReadableStream } from "node:stream/web";
import { Unread } from "@/server/core/unread";
import { clientAddress } from "../request-origin";
import { tooLarge } from "./input";
import { serve } from "./run";

/*
 * Handlers of the route files in `app/api`, for hosts without our HTTP server. A 405 has a documented JSON
 * body, so every method is exported.
 */

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
  const { status, headers, body, file } = await serve({
    method: request.method,
    pathname,
    search,
    header: (name) => request.headers.get(name),
    ip: clientAddress(null, request.headers.get("x-forwarded-for")),
    isWhole: async () => request.body === null,
    body: (limit) => readBody(request, limit),
    stream: (limit) => streamBody(request, limit),
  });
  const { connection: _, ...responseHeaders } = headers;
  // Not Readable.toWeb(): see media.ts.
  const bytes = Unread.is(body) ? body.buffer : body;
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
    if (size > limit) throw tooLarge(limit);
    yield chunk;
  }
}
