import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http";
import { env } from "@/server/core/env";
import { securityHeaders } from "../rest/headers";
import { MAX_BODY } from "../rest/json";
import { checkSameOrigin, panelContext } from "./init";
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
export function serveTrpc(
  req: IncomingMessage,
  res: ServerResponse,
  { path, ip }: { path: string; ip: string },
): Promise<void> {
  const header = (name: string) => {
    const value = req.headers[name];
    return Array.isArray(value) ? value.join(", ") : (value ?? null);
  };
  for (const [name, value] of Object.entries(securityHeaders(env().https))) res.setHeader(name, value);
  res.setHeader("cache-control", "no-store");
  return nodeHTTPRequestHandler({
    req,
    res,
    path: procedurePath(path),
    router: appRouter(),
    maxBodySize: MAX_BODY,
    maxBatchSize: MAX_BATCH,
    createContext: async () => {
      const request = { method: req.method ?? "GET", header, ip, requestId: randomUUID() };
      checkSameOrigin(request);
      return panelContext(request);
    },
  });
}
