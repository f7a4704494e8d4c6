import { type NextRequest, NextResponse } from "next/server";
import { env } from "@/server/core/env";
import { securityHeaders } from "@/server/transports/rest/headers";

/** Pages that carry a secret in their address: no referrer at all, not even to ourselves. */
const SECRET_ADDRESSES = [
  "/reset-password",
  "/verify-email",
  "/undo-email-change",
  "/stop-factor-reset",
  "/accept-invitation",
  "/review-additions",
  "/certificates",
];

function contentSecurityPolicy(nonce: string): string {
  const { development, https } = env();
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
    ...(https ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}

/** Gives every page its own nonce and policies; what is no page has the strict ones of the front door. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.randomUUID()).toString("base64");
  const policy = contentSecurityPolicy(nonce);
  const path = request.nextUrl.pathname;

  const inward = new Headers(request.headers);
  inward.set("x-nonce", nonce);
  inward.set("x-path", path + request.nextUrl.search);
  inward.set("Content-Security-Policy", policy);

  const response = NextResponse.next({ request: { headers: inward } });
  const secret = SECRET_ADDRESSES.some((address) => path === address || path.startsWith(`${address}/`));
  for (const [name, value] of Object.entries(securityHeaders(request.headers.get("host"))))
    response.headers.set(name, value);
  response.headers.set("Content-Security-Policy", policy);
  response.headers.set("Referrer-Policy", secret ? "no-referrer" : "strict-origin-when-cross-origin");
  response.headers.set(
    "Permissions-Policy",
    "camera=(self), microphone=(), geolocation=(), payment=(), usb=()",
  );
  return response;
}

export const config = {
  matcher: [
    // Pages only: not the API, tRPC, the session routes, stored media or Next's own files.
    "/((?!api(?:/|$)|trpc(?:/|$)|session(?:/|$)|media/|_next/).*)",
  ],
};
