import type { IncomingMessage, ServerResponse } from "node:http";
import { refuse } from "@/server/core/errors";
import { type HookResponse, receiveHook } from "@/server/domains/sites/connections/service/receive";
import { Channel } from "@/server/infrastructure/database/generated/enums";
import { limitEndpoint, type PublicEndpoint } from "./endpoint-limit";
import { securityHeaders } from "./rest/headers";
import { receiveBody } from "./rest/node";

/** Largest webhook body: Meta's limit. */
const MAX_BYTES = 3 * 1024 * 1024;

/** Allows a busy connection. Providers keep calling removed connections for days. */
const HOOKS: PublicEndpoint = { name: "hooks", misses: 300, hits: 6000 };

export async function serveHook(
  req: IncomingMessage,
  res: ServerResponse,
  { path, search, ip }: { path: string; search: string; ip: string },
): Promise<void> {
  const [, channel = "", secret = ""] = /^\/hooks\/([a-z_]{1,20})\/([\w-]{1,100})$/.exec(path) ?? [];
  if (!Object.hasOwn(Channel, channel)) throw refuse("route_not_found", { params: { path } });
  const method = req.method ?? "GET";
  if (method !== "GET" && method !== "POST")
    throw refuse("method_not_allowed", {
      params: { method, path: "/hooks", allow: "GET, POST" },
      headers: { allow: "GET, POST" },
    });
  const call = { ip, key: `${channel}/${secret}`, hasFound: ({ isKnown }: HookResponse) => isKnown };
  const response = await limitEndpoint(HOOKS, call, async () =>
    receiveHook({
      channel: channel as Channel,
      secret,
      method,
      query: new URLSearchParams(search),
      header: (name) => {
        const value = req.headers[name];
        return Array.isArray(value) ? value.join(", ") : value;
      },
      body: (await receiveBody(req, MAX_BYTES)) ?? new Uint8Array(),
    }),
  );
  res.writeHead(response.status, {
    ...securityHeaders(req.headers.host),
    "content-type": "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(response.body),
    "cache-control": "no-store",
  });
  res.end(response.body);
}
