import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http";
import { updateSpan } from "@/server/infrastructure/tracing/trace";
import { toAppError } from "../render-error";
import { buildSecurityHeaders } from "../rest/headers";
import { MAX_JSON_BODY_BYTES } from "../rest/input";
import { drainBody, receiveBody } from "../rest/node";
import {
  buildRetryHeaders,
  createPanelContext,
  type PanelRequest,
  requireSameOrigin,
  toTRPCError,
} from "./init";
import { getAppRouter } from "./root";

/** Maximum calls per request. Limits count calls, so a batch does not evade them. */
export const MAX_BATCH_SIZE = 10;

/** Replaces an undecodable path by an unknown procedure: tRPC would throw. */
export function toProcedurePath(path: string): string {
  try {
    decodeURIComponent(path);
    return path;
  } catch {
    return "-";
  }
}

export async function serveTrpc(
  req: IncomingMessage,
  res: ServerResponse,
  { path, ip }: { path: string; ip: string },
): Promise<void> {
  const { host = null } = req.headers;
  const header = (name: string) => {
    const value = name === "host" ? host : req.headers[name];
    return Array.isArray(value) ? value.join(", ") : (value ?? null);
  };
  // tRPC builds a URL from the host header and fails on an invalid one.
  req.headers.host = "panel";
  for (const [name, value] of Object.entries(buildSecurityHeaders(host))) res.setHeader(name, value);
  res.setHeader("cache-control", "no-store");
  updateSpan(`${req.method} /trpc`);
  const request = { method: req.method ?? "GET", header, ip, requestId: randomUUID() };
  const refusal = await receiveCall(req, request).catch((error: Error) => toAppError(error.cause ?? error));
  if (refusal) await drainBody(req);
  // An unread body would be parsed as the next request of the connection.
  if (!req.complete) res.setHeader("connection", "close");
  return nodeHTTPRequestHandler({
    req,
    res,
    path: toProcedurePath(path),
    router: getAppRouter(),
    maxBatchSize: MAX_BATCH_SIZE,
    responseMeta: buildRetryHeaders,
    createContext: async ({ info }) => {
      if (refusal) throw toTRPCError(refusal);
      return createPanelContext({ ...request, isBatch: info.isBatchCall }, (cookie) =>
        res.appendHeader("set-cookie", cookie),
      );
    },
  });
}

/** Receives the body with our limits; tRPC has none. Throws for calls from other pages. */
async function receiveCall(
  req: IncomingMessage & { body?: string },
  request: PanelRequest,
): Promise<undefined> {
  req.body = "";
  requireSameOrigin(request);
  const body = await receiveBody(req, MAX_JSON_BODY_BYTES);
  req.body = body && Buffer.from(body).toString("utf8");
}
