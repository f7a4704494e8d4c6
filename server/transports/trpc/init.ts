import { initTRPC, TRPCError } from "@trpc/server";
import { type AppError, isAppError, refuse } from "@/server/core/errors";
import { isLocale, type Locale, matchLocale } from "@/server/core/locale";
import { authenticate, type Caller } from "../actor";
import type { Origin } from "../admission";
import { renderError, toAppError } from "../render-error";
import { fromOwnPage, hostOf } from "../request-origin";
import { readCookie, sessionCookieName } from "../session/cookie";
import type { Cookies } from "../session/device";

/** What a panel request carries; the session is looked up once, when a procedure needs it. */
export interface PanelContext {
  origin: Origin;
  /** Language of texts until the caller is known. */
  locale: Locale;
  caller(): Promise<Caller>;
  /** Key under which the call may be repeated; a request of several calls has none. */
  idempotencyKey: string | null;
  /** The account whose page calls, when the page says so. */
  account: string | null;
  cookies: Cookies;
}

/** Error data for the panel: the documented body of the REST response, in the reader's language. */
interface PanelError {
  error: AppError["code"];
  status: number;
  body: Record<string, unknown>;
  retryAfter: number | null;
  requestId: string;
}

/** A panel request independent of its transport. */
export interface PanelRequest {
  method: string;
  header(name: string): string | null;
  ip: string;
  requestId: string;
  /** Whether it carries several calls. */
  isBatch?: boolean;
  /** Whether it is made for a page, which was counted. */
  rendering?: boolean;
}

/** Creates the context of a panel request, for tRPC over HTTP and for server components alike. */
export function panelContext(request: PanelRequest, setCookie?: Cookies["set"]): PanelContext {
  const cookies = request.header("cookie");
  const chosen = readCookie(cookies, "locale");
  const acceptLanguage = request.header("accept-language");
  const session = readCookie(cookies, sessionCookieName());
  let caller: Promise<Caller> | undefined;
  const ctx: PanelContext = {
    origin: {
      requestId: request.requestId,
      ip: request.ip,
      userAgent: request.header("user-agent"),
      // What a person chose on our pages wins over what their browser asks for.
      acceptLanguage: isLocale(chosen) ? chosen : acceptLanguage,
      host: hostOf(request),
      rendering: request.rendering,
    },
    locale: isLocale(chosen) ? chosen : matchLocale(acceptLanguage),
    caller: () => (caller ??= find()),
    idempotencyKey: request.isBatch ? null : request.header("idempotency-key"),
    account: request.header("x-account"),
    cookies: { sent: cookies, set: setCookie },
  };
  async function find(): Promise<Caller> {
    if (!session) throw refuse("unauthenticated");
    const found = await authenticate({ session }, request);
    ctx.locale = found.locale ?? ctx.locale;
    return found;
  }
  return ctx;
}

/**
 * Browsers also send the cookie with requests of other sites, so a request that changes something must come from our
 * own pages and carry JSON, which no foreign form can send.
 */
export function checkSameOrigin(request: Pick<PanelRequest, "method" | "header">): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  const json = /^application\/json\s*(;|$)/i.test(request.header("content-type") ?? "");
  if (!fromOwnPage(request) || !json) throw toTRPCError(refuse("forbidden"));
}

const TRPC_CODES = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  402: "PAYMENT_REQUIRED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_SUPPORTED",
  408: "TIMEOUT",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  503: "SERVICE_UNAVAILABLE",
} as const;

export function toTRPCError(error: AppError): TRPCError {
  return new TRPCError({
    code: TRPC_CODES[error.status as keyof typeof TRPC_CODES] ?? "INTERNAL_SERVER_ERROR",
    cause: error,
  });
}

export const t = initTRPC.context<PanelContext>().create({
  isDev: false,
  errorFormatter({ shape, error, ctx }) {
    const known = isAppError(error.cause) ? error.cause : ownError(error);
    const response: PanelError = {
      error: known.code,
      status: known.status,
      body: renderError(known, ctx?.locale ?? matchLocale(null), { technical: false }),
      retryAfter: known.extras.retryAfter ?? null,
      requestId: ctx?.origin.requestId ?? "",
    };
    return {
      message: known.code,
      code: shape.code,
      data: { code: shape.data.code, httpStatus: known.status, ...response },
    };
  },
});

/** The headers of a response: when to try again, if a call of it was told to wait. */
export function retryHeaders({ errors }: { errors: readonly TRPCError[] }): {
  headers: Record<string, string>;
} {
  const waits = errors.map(({ cause }) => (isAppError(cause) && cause.extras.retryAfter) || 0);
  const longest = Math.max(0, ...waits);
  return { headers: longest > 0 ? { "retry-after": String(longest) } : {} };
}

/** Converts tRPC's own refusals, such as an unknown procedure or malformed JSON. */
function ownError(error: TRPCError): AppError {
  if (error.code === "INTERNAL_SERVER_ERROR") return toAppError(error.cause ?? error);
  if (error.code === "NOT_FOUND") return refuse("route_not_found", { params: { path: "trpc" } });
  if (error.code === "METHOD_NOT_SUPPORTED")
    return refuse("method_not_allowed", { params: { method: "", path: "trpc", allow: "" } });
  if (error.code === "UNSUPPORTED_MEDIA_TYPE")
    return refuse("media_type_unsupported", { params: { type: "application/json" } });
  return refuse("malformed_request");
}
