import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http";
import { updateSpan } from "@/server/infrastructure/tracing/trace";
import { toAppError } from "../render-error";
import { securityHeaders } from "../rest/headers";
import { MAX_BODY } from "../rest/input";
import { drainBody, receiveBody } from "../rest/node";
import { checkSameOrigin, type PanelRequest, panelContext, retryHeaders, toTRPCError } from "./init";
import { appRouter } from "./root";

/** Maximum calls per request. Limits count calls, so a batch does not evade them. */
export const MAX_BATCH = 10;

/** tRPC fails on a path that cannot be decoded: send it to a procedure that does not exist. */
export function procedurePath(path: string): string {
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
  // tRPC builds a URL from it and fails on an invalid host.
  req.headers.host = "panel";
  for (const [name, value] of Object.entries(securityHeaders(host))) res.setHeader(name, value);
  res.setHeader("cache-control", "no-store");
  updateSpan(`${req.method} /trpc`);
  const request = { method: req.method ?? "GET", header, ip, requestId: randomUUID() };
  const refusal = await receive(req, request).catch((error: Error) => toAppError(error.cause ?? error));
  if (refusal) await drainBody(req);
  // An unread body would be parsed as the next request of the connection.
  if (!req.complete) res.setHeader("connection", "close");
  return nodeHTTPRequestHandler({
    req,
    res,
    path: procedurePath(path),
    router: appRouter(),
    maxBatchSize: MAX_BATCH,
    responseMeta: retryHeaders,
    createContext: async ({ info }) => {
      if (refusal) throw toTRPCError(refusal);
      return panelContext({ ...request, isBatch: info.isBatchCall }, (cookie) =>
        res.appendHeader("set-cookie", cookie),
      );
    },
  });
}

/** Receives the body of a call from our own pages. tRPC would wait for it without a limit. */
async function receive(req: IncomingMessage & { body?: string }, request: PanelRequest): Promise<undefined> {
  req.body = "";
  checkSameOrigin(request);
  const body = await receiveBody(req, MAX_BODY);
  req.body = body && Buffer.from(body).toString("utf8");
}
