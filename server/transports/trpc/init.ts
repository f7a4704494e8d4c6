import { initTRPC, TRPCError } from "@trpc/server";
import { type AppError, createError, isAppError } from "@/server/core/errors";
import { isLocale, type Locale, matchLocale } from "@/server/core/locale";
import type { CallOrigin } from "../admission";
import { authenticate, type Caller } from "../authenticate";
import { renderError, toAppError } from "../render-error";
import { getRequestHost, isFromOwnPage } from "../request-origin";
import { getSessionCookieName, readCookie } from "../session/cookie";
import type { CookieAccess } from "../session/trusted-device-cookie";

/** Context of a panel request. The session is loaded once, on first use. */
export interface PanelContext {
  origin: CallOrigin;
  locale: Locale;
  getCaller(): Promise<Caller>;
  idempotencyKey: string | null;
  /** Id of the account that the calling page belongs to, from `X-Account`. */
  accountId: string | null;
  cookies: CookieAccess;
}

interface PanelError {
  error: AppError["code"];
  status: number;
  body: Record<string, unknown>;
  retryAfter: number | null;
  requestId: string;
}

export interface PanelRequest {
  method: string;
  header(name: string): string | null;
  ip: string;
  requestId: string;
  isBatch?: boolean;
  isRendering?: boolean;
}

export function createPanelContext(
  request: PanelRequest,
  setCookie?: CookieAccess["setCookie"],
): PanelContext {
  const cookies = request.header("cookie");
  const cookieLocale = readCookie(cookies, "locale");
  const acceptLanguage = request.header("accept-language");
  const session = readCookie(cookies, getSessionCookieName());
  let callerPromise: Promise<Caller> | undefined;
  const ctx: PanelContext = {
    origin: {
      requestId: request.requestId,
      ip: request.ip,
      userAgent: request.header("user-agent"),
      acceptLanguage: isLocale(cookieLocale) ? cookieLocale : acceptLanguage,
      host: getRequestHost(request),
      isRendering: request.isRendering,
    },
    locale: isLocale(cookieLocale) ? cookieLocale : matchLocale(acceptLanguage),
    getCaller: () => (callerPromise ??= findCaller()),
    idempotencyKey: request.isBatch ? null : request.header("idempotency-key"),
    accountId: request.header("x-account"),
    cookies: { requestHeader: cookies, setCookie },
  };
  async function findCaller(): Promise<Caller> {
    if (!session) throw createError("unauthenticated");
    const authenticatedCaller = await authenticate({ session }, request);
    ctx.locale = authenticatedCaller.locale ?? ctx.locale;
    return authenticatedCaller;
  }
  return ctx;
}

/** CSRF protection: a mutation must come from our own pages and be JSON, which no foreign form can send. */
export function requireSameOrigin(request: Pick<PanelRequest, "method" | "header">): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  const isJson = /^application\/json\s*(;|$)/i.test(request.header("content-type") ?? "");
  if (!isFromOwnPage(request) || !isJson) throw toTRPCError(createError("forbidden"));
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
    const failure = isAppError(error.cause) ? error.cause : fromTrpcError(error);
    const response: PanelError = {
      error: failure.code,
      status: failure.status,
      body: renderError(failure, ctx?.locale ?? matchLocale(null), { usesFixedText: false }),
      retryAfter: failure.extras.retryAfter ?? null,
      requestId: ctx?.origin.requestId ?? "",
    };
    return {
      message: failure.code,
      code: shape.code,
      data: { code: shape.data.code, httpStatus: failure.status, ...response },
    };
  },
});

export function buildRetryHeaders({ errors }: { errors: readonly TRPCError[] }): {
  headers: Record<string, string>;
} {
  const delays = errors.map(({ cause }) => (isAppError(cause) && cause.extras.retryAfter) || 0);
  const longestDelay = Math.max(0, ...delays);
  return { headers: longestDelay > 0 ? { "retry-after": String(longestDelay) } : {} };
}

function fromTrpcError(error: TRPCError): AppError {
  if (error.code === "INTERNAL_SERVER_ERROR") return toAppError(error.cause ?? error);
  if (error.code === "NOT_FOUND") return createError("route_not_found", { params: { path: "trpc" } });
  if (error.code === "METHOD_NOT_SUPPORTED")
    return createError("method_not_allowed", { params: { method: "", path: "trpc", allow: "" } });
  if (error.code === "UNSUPPORTED_MEDIA_TYPE")
    return createError("media_type_unsupported", { params: { type: "application/json" } });
  return createError("malformed_request");
}
