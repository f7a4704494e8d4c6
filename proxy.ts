import { type NextRequest, NextResponse } from "next/server";
import { env } from "@/server/core/env";
import { buildSecurityHeaders } from "@/server/transports/rest/headers";

/** Pages with a secret in their URL: never send a referrer, not even to our own pages. */
const SECRET_PATHS = [
  "/reset-password",
  "/verify-email",
  "/undo-email-change",
  "/stop-factor-reset",
  "/accept-invitation",
  "/review-additions",
  "/certificates",
];

function contentSecurityPolicy(nonce: string): string {
  const { development, usesHttps } = env();
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    // The development server injects style tags without a nonce.
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    `style-src-elem 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    `connect-src 'self'${development ? " ws: wss:" : ""}`,
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    ...(usesHttps ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}

/** Sets a nonce and the policies of each page. Other responses keep the strict headers of the HTTP server. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.randomUUID()).toString("base64");
  const policy = contentSecurityPolicy(nonce);
  const path = request.nextUrl.pathname;

  const requestHeaders = new Headers(request.headers);
  requestHeaders.set("x-nonce", nonce);
  requestHeaders.set("x-path", path + request.nextUrl.search);
  requestHeaders.set("Content-Security-Policy", policy);

  const response = NextResponse.next({ request: { headers: requestHeaders } });
  const hasSecret = SECRET_PATHS.some((address) => path === address || path.startsWith(`${address}/`));
  for (const [name, value] of Object.entries(buildSecurityHeaders(request.headers.get("host"))))
    response.headers.set(name, value);
  response.headers.set("Content-Security-Policy", policy);
  response.headers.set("Referrer-Policy", hasSecret ? "no-referrer" : "strict-origin-when-cross-origin");
  response.headers.set(
    "Permissions-Policy",
    "camera=(self), microphone=(), geolocation=(), payment=(), usb=()",
  );
  return response;
}

export const config = {
  matcher: [
    // Pages only: excludes the API, tRPC, session routes, stored media and Next's files.
    "/((?!api(?:/|$)|trpc(?:/|$)|session(?:/|$)|media/|_next/).*)",
  ],
};
