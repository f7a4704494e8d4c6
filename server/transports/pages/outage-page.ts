import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AppError } from "@/server/core/errors";
import { directionOf, isLocale, type Locale, matchLocale } from "@/server/core/locale";
import { text } from "@/server/core/texts";
import { cachedPortalName } from "@/server/infrastructure/brand/brand";
import { hostOf } from "../request-origin";
import { securityHeaders } from "../rest/headers";
import { failureResponse } from "../rest/response";
import { readCookie } from "../session/cookie";
import type { Outage } from "./outage";

/*
 * Next responds 500 to a page that fails. When the database is unavailable or full, we respond 503 with a
 * self-contained page, or JSON for scripts.
 */

const STYLE = `:root{color-scheme:light dark}body{margin:0;min-height:100dvh;display:grid;place-items:center;
font:1rem/1.5 system-ui,sans-serif}main{max-width:46ch;padding:1rem;text-align:center}h1{font-size:1.375rem}
a{display:inline-block;padding:.625rem 1.25rem;border:1px solid;border-radius:.5rem;color:inherit}`;
const POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; frame-ancestors 'none'; base-uri 'none'`;

interface OutageResponse {
  status: number;
  headers: Record<string, string | number>;
  body?: string;
}

/** Replaces a 5xx response of Next caused by `outage`, before its first byte is sent. */
export function replaceOutageResponse(req: IncomingMessage, res: ServerResponse, outage: Outage): void {
  const { writeHead, write, end } = res;
  let isReplaced = false;
  const replace = (status: number): boolean => {
    const { failure } = outage;
    if (isReplaced || !failure || status < 500 || res.headersSent) return isReplaced;
    isReplaced = true;
    const reason = failure.code === "storage_full" ? "errors.storage_full" : "responses.outage.text";
    const response = outageResponse(req, failure, reason);
    for (const name of res.getHeaderNames()) res.removeHeader(name);
    writeHead.call(res, response.status, response.headers);
    end.call(res, response.body, "utf8");
    return true;
  };
  const unlessReplaced = <F extends (...args: never[]) => unknown>(
    method: F,
    done: unknown,
    statusOf: (...args: Parameters<F>) => number,
  ) => ((...args: Parameters<F>) => (replace(statusOf(...args)) ? done : method.apply(res, args))) as F;
  res.writeHead = unlessReplaced(writeHead as never, res, (status: number) => status);
  res.write = unlessReplaced(write as never, true, () => res.statusCode);
  res.end = unlessReplaced(end as never, res, () => res.statusCode);
}

/** Explains in the user's language why there is no page; `reason` is a message key. */
export function outageResponse(req: IncomingMessage, failure: AppError, reason: string): OutageResponse {
  const chosen = readCookie(req.headers.cookie, "locale");
  const locale = isLocale(chosen) ? chosen : matchLocale(req.headers["accept-language"]);
  const isPage = /text\/html/.test(req.headers.accept ?? "");
  const body = isPage ? pageOf(failure, { req, locale, reason }) : failureResponse(failure, locale).body;
  const headers = {
    ...securityHeaders(req.headers.host),
    ...(isPage && { "content-security-policy": POLICY }),
    "content-type": `${isPage ? "text/html" : "application/json"}; charset=utf-8`,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "retry-after": String(failure.extras.retryAfter ?? 2),
    "x-error-code": failure.code,
  };
  return { status: failure.status, headers, ...(req.method !== "HEAD" && { body }) };
}

interface PageOptions {
  req: IncomingMessage;
  locale: Locale;
  reason: string;
}

function pageOf({ status }: AppError, { req, locale, reason }: PageOptions): string {
  const message = (key: string) => escapeHtml(text(locale, key));
  const title = message(status === 429 ? "responses.outage.limited" : "responses.outage.title");
  // A portal shows its brand if it is cached; the database is not asked.
  const brand = cachedPortalName(
    hostOf({ header: (name) => (name === "host" ? (req.headers.host ?? null) : null) }),
  );
  return `<!doctype html><html lang="${locale}" dir="${directionOf(locale)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${[title, ...(brand ? [escapeHtml(brand)] : [])].join(" · ")}</title>
<style>${STYLE}</style></head><body><main><h1>${title}</h1><p>${message(reason)}</p>
<p><a href="">${message("ui.error.retry")}</a></p></main></body></html>`;
}

function escapeHtml(value: string): string {
  return value.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
