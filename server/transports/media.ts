import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { env } from "@/server/core/env";
import { publicFile } from "@/server/infrastructure/storage/public";
import { securityHeaders } from "./rest/headers";

interface MediaResponse {
  status: number;
  headers: Record<string, string>;
  open?: () => Readable;
}

/**
 * Returns the response for a stored file. Its headers prevent the content from running or passing as a page of ours.
 */
async function responseTo(method: string, path: string): Promise<MediaResponse> {
  const fixed = {
    ...securityHeaders(env().https),
    "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  };
  const reads = method === "GET" || method === "HEAD";
  const found = reads ? await publicFile(path) : undefined;
  if (!found) {
    const headers = { ...fixed, "cache-control": "no-store", ...(!reads && { allow: "GET, HEAD" }) };
    return { status: reads ? 404 : 405, headers };
  }
  const open = method === "GET" ? found.file.open : undefined;
  return { status: 200, headers: { ...fixed, ...found.headers }, open };
}

/** Serves `/media/**` at the front door. */
export async function serveMedia(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
  const { status, headers, open } = await responseTo(req.method ?? "GET", path);
  res.writeHead(status, headers);
  if (!open) return void res.end();
  await pipeline(open(), res).catch(() => res.destroy());
}

/** The same as a Next route handler, for hosts without our front door. */
export async function mediaRoute(request: Request): Promise<Response> {
  const { status, headers, open } = await responseTo(request.method, new URL(request.url).pathname);
  return new Response(open ? (Readable.toWeb(open()) as ReadableStream) : null, { status, headers });
}
