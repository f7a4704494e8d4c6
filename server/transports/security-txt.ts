import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "@/server/core/env";
import { LOCALES } from "@/server/core/locale";
import { DAY, fromNow } from "@/server/core/time";
import { buildSecurityHeaders } from "./rest/headers";

export const SECURITY_TXT_PATH = "/.well-known/security.txt";

/** RFC 9116 recommends less than a year. */
const VALIDITY_MS = 180 * DAY;

function buildSecurityTxt(): string | undefined {
  const { SECURITY_CONTACT, APP_URL } = env();
  if (!SECURITY_CONTACT) return undefined;
  return [
    `Contact: ${SECURITY_CONTACT}`,
    `Expires: ${fromNow(VALIDITY_MS).toISOString()}`,
    `Preferred-Languages: ${LOCALES.join(", ")}`,
    `Canonical: ${APP_URL}${SECURITY_TXT_PATH}`,
    "",
  ].join("\n");
}

function buildResponse(host: string | null | undefined) {
  const body = buildSecurityTxt();
  const headers = { ...buildSecurityHeaders(host), "content-type": "text/plain; charset=utf-8" };
  return { status: body ? 200 : 404, headers, body };
}

export function serveSecurityTxt(req: IncomingMessage, res: ServerResponse): void {
  const { status, headers, body } = buildResponse(req.headers.host);
  res.writeHead(status, headers).end(req.method === "HEAD" ? undefined : body);
}

export function serveSecurityTxtRoute(request: Request): Response {
  const { status, headers, body } = buildResponse(request.headers.get("host"));
  return new Response(body, { status, headers });
}
