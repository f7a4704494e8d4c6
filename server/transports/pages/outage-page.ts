import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AppError } from "@/server/core/errors";
import { getTextDirection, isLocale, type Locale, matchLocale } from "@/server/core/locale";
import { formatText } from "@/server/core/texts";
import { getCachedPortalName } from "@/server/infrastructure/brand/brand";
import { getRequestHost } from "../request-origin";
import { buildSecurityHeaders } from "../rest/headers";
import { buildFailureResponse } from "../rest/response";
import { readCookie } from "../session/cookie";
import type { Outage } from "./outage";

/* Next responds 500 when the database is unavailable or full. We respond 503 with our own page or JSON. */

const STYLE = `:root{color-scheme:light dark}body{margin:0;min-height:100dvh;display:grid;place-items:center;
font:1rem/1.5 system-ui,sans-serif}main{max-width:46ch;padding:1rem;text-align:center}h1{font-size:1.375rem}
a{display:inline-block;padding:.625rem 1.25rem;border:1px solid;border-radius:.5rem;color:inherit}`;
const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; frame-ancestors 'none'; base-uri 'none'`;

interface OutageResponse {
  status: number;
  headers: Record<string, string | number>;
  body?: string;
}

/** Patches `res`, so that a 5xx response of Next caused by `outage` is replaced before its first byte. */
export function interceptOutageResponse(req: IncomingMessage, res: ServerResponse, outage: Outage): void {
  const { writeHead, write, end } = res;
  let isReplaced = false;
  const replaceOnce = (status: number): boolean => {
    const { failure } = outage;
    if (isReplaced || !failure || status < 500 || res.headersSent) return isReplaced;
    isReplaced = true;
    const reasonKey = failure.code === "storage_full" ? "errors.storage_full" : "responses.outage.text";
    const response = buildOutageResponse(req, failure, reasonKey);
    for (const name of res.getHeaderNames()) res.removeHeader(name);
    writeHead.call(res, response.status, response.headers);
    end.call(res, response.body, "utf8");
    return true;
  };
  const unlessReplaced = <F extends (...args: never[]) => unknown>(
    method: F,
    result: unknown,
    getStatus: (...args: Parameters<F>) => number,
  ) =>
    ((...args: Parameters<F>) => (replaceOnce(getStatus(...args)) ? result : method.apply(res, args))) as F;
  res.writeHead = unlessReplaced(writeHead as never, res, (status: number) => status);
  res.write = unlessReplaced(write as never, true, () => res.statusCode);
  res.end = unlessReplaced(end as never, res, () => res.statusCode);
}

export function buildOutageResponse(
  req: IncomingMessage,
  failure: AppError,
  reasonKey: string,
): OutageResponse {
  const cookieLocale = readCookie(req.headers.cookie, "locale");
  const locale = isLocale(cookieLocale) ? cookieLocale : matchLocale(req.headers["accept-language"]);
  const isPage = /text\/html/.test(req.headers.accept ?? "");
  const body = isPage
    ? renderOutagePage(failure, { req, locale, reasonKey })
    : buildFailureResponse(failure, locale).body;
  const headers = {
    ...buildSecurityHeaders(req.headers.host),
    ...(isPage && { "content-security-policy": CONTENT_SECURITY_POLICY }),
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
  reasonKey: string;
}

function renderOutagePage({ status }: AppError, { req, locale, reasonKey }: PageOptions): string {
  const formatHtmlText = (key: string) => escapeHtml(formatText(locale, key));
  const title = formatHtmlText(status === 429 ? "responses.outage.limited" : "responses.outage.title");
  // The database may be down: only a cached brand is shown.
  const brandName = getCachedPortalName(
    getRequestHost({ header: (name) => (name === "host" ? (req.headers.host ?? null) : null) }),
  );
  return `<!doctype html><html lang="${locale}" dir="${getTextDirection(locale)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${[title, ...(brandName ? [escapeHtml(brandName)] : [])].join(" · ")}</title>
<style>${STYLE}</style></head><body><main><h1>${title}</h1><p>${formatHtmlText(reasonKey)}</p>
<p><a href="">${formatHtmlText("ui.error.retry")}</a></p></main></body></html>`;
}

function escapeHtml(value: string): string {
  return value.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
