import type { IncomingMessage, ServerResponse } from "node:http";
import { createError } from "@/server/core/errors";
import {
  receiveWebhook,
  type WebhookResponse,
} from "@/server/domains/sites/connections/service/receive-webhook";
import { Channel } from "@/server/infrastructure/database/generated/enums";
import { type EndpointLimit, limitEndpoint } from "./endpoint-limit";
import { buildSecurityHeaders } from "./rest/headers";
import { receiveBody } from "./rest/node";

/** Largest webhook body: Meta's limit. */
const MAX_HOOK_BODY_BYTES = 3 * 1024 * 1024;

/** Hits for a busy connection; misses for removed connections, which providers call for days. */
const HOOKS_LIMIT: EndpointLimit = { name: "hooks", missesPerMinute: 300, hitsPerMinute: 6000 };

export async function serveHook(
  req: IncomingMessage,
  res: ServerResponse,
  { path, search, ip }: { path: string; search: string; ip: string },
): Promise<void> {
  const [, channel = "", secret = ""] = /^\/hooks\/([a-z_]{1,20})\/([\w-]{1,100})$/.exec(path) ?? [];
  if (!Object.hasOwn(Channel, channel)) throw createError("route_not_found", { params: { path } });
  const method = req.method ?? "GET";
  if (method !== "GET" && method !== "POST")
    throw createError("method_not_allowed", {
      params: { method, path: "/hooks", allow: "GET, POST" },
      headers: { allow: "GET, POST" },
    });
  const limitOptions = {
    ip,
    key: `${channel}/${secret}`,
    isHit: ({ isVerified }: WebhookResponse) => isVerified,
  };
  const response = await limitEndpoint(HOOKS_LIMIT, limitOptions, async () =>
    receiveWebhook({
      channel: channel as Channel,
      pathKey: secret,
      method,
      query: new URLSearchParams(search),
      header: (name) => {
        const value = req.headers[name];
        return Array.isArray(value) ? value.join(", ") : value;
      },
      body: (await receiveBody(req, MAX_HOOK_BODY_BYTES)) ?? new Uint8Array(),
    }),
  );
  res.writeHead(response.status, {
    ...buildSecurityHeaders(req.headers.host),
    "content-type": "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(response.body),
    "cache-control": "no-store",
  });
  res.end(response.body);
}
