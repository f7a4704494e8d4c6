import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http";
import { tellTrace } from "@/server/infrastructure/tracing/trace";
import { toAppError } from "../render-error";
import { securityHeaders } from "../rest/headers";
import { MAX_BODY } from "../rest/input";
import { drain, receiveBody } from "../rest/node";
import { checkSameOrigin, type PanelRequest, panelContext, retryHeaders, toTRPCError } from "./init";
import { appRouter } from "./root";

/** Calls that one request may carry. Limits count calls, so a batch does not evade them. */
export const MAX_BATCH = 10;

/** Returns the procedure's path. A path that cannot be decoded matches none; tRPC itself would fail on it. */
export function procedurePath(path: string): string {
  try {
    decodeURIComponent(path);
    return path;
  } catch {
    return "-";
  }
}

/** Serves `/trpc/*` at the front door. */
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
  // tRPC makes a URL from it and fails on a host that is not one.
  req.headers.host = "panel";
  for (const [name, value] of Object.entries(securityHeaders(host))) res.setHeader(name, value);
  res.setHeader("cache-control", "no-store");
  tellTrace(`${req.method} /trpc`);
  const request = { method: req.method ?? "GET", header, ip, requestId: randomUUID() };
  const refused = await receive(req, request).catch((error: Error) => toAppError(error.cause ?? error));
  if (refused) await drain(req);
  // An unread body would be taken for the next request of this connection.
  if (!req.complete) res.setHeader("connection", "close");
  return nodeHTTPRequestHandler({
    req,
    res,
    path: procedurePath(path),
    router: appRouter(),
    maxBatchSize: MAX_BATCH,
    responseMeta: retryHeaders,
    createContext: async ({ info }) => {
      if (refused) throw toTRPCError(refused);
      return panelContext({ ...request, isBatch: info.isBatchCall }, (cookie) =>
        res.appendHeader("set-cookie", cookie),
      );
    },
  });
}

/** Receives the body of a call from our own pages. tRPC would wait for it as long as its sender likes. */
async function receive(req: IncomingMessage & { body?: string }, request: PanelRequest): Promise<undefined> {
  req.body = "";
  checkSameOrigin(request);
  const body = await receiveBody(req, MAX_BODY);
  req.body = body && Buffer.from(body).toString("utf8");
}
