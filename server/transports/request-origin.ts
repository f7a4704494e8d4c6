import { isIP } from "node:net";
import { unmapped } from "@/server/core/address";
import { env } from "@/server/core/env";
import { toAscii } from "@/server/core/schema";

/** True in the process of our HTTP server, which sets X-Forwarded-For for the pages itself. */
const shared = globalThis as { tellalHttpServer?: boolean };

/** Trusts X-Forwarded-For in this process: only our HTTP server calls it. */
export function trustForwardedFor(): void {
  shared.tellalHttpServer = true;
}

/**
 * Each trusted proxy appends the address it saw, so with n hops the n-th entry from the right is the
 * client's; the rest may be forged. A request with fewer entries bypassed a proxy.
 */
export function clientAddress(
  socketAddress: string | null | undefined,
  forwardedFor: string | null | undefined,
): string {
  if (socketAddress === null && shared.tellalHttpServer && isIP(forwardedFor ?? "")) return forwardedFor!;
  const hops = env().TRUSTED_PROXY_HOPS;
  const own = unmapped(socketAddress ?? "") || "0.0.0.0";
  if (hops === 0) return own;
  const addresses = (forwardedFor ?? "")
    .split(",")
    .map((part) => unmapped(part.trim()))
    .filter(Boolean);
  const candidate = addresses.at(-hops);
  return candidate && isIP(candidate) ? candidate : own;
}

/**
 * Host in lower case and punycode, without port. `X-Portal-Host`, set by integrators' servers, takes
 * precedence.
 */
export function hostOf({ header }: { header(name: string): string | null }): string | null {
  const hostHeader = header("x-portal-host") ?? header("host");
  if (!hostHeader || hostHeader.length > 300) return null;
  // Headers arrive as Latin-1; decode names that were sent as UTF-8.
  const decodedHost = /[\u0080-\u00ff]/.test(hostHeader)
    ? Buffer.from(hostHeader, "latin1").toString("utf8")
    : hostHeader;
  return toAscii(
    decodedHost
      .trim()
      .replace(/:\d{1,5}$/, "")
      .replace(/\.$/, ""),
  );
}

/** Checks that our own page sent the request, by headers that pages cannot forge. */
export function isFromOwnPage({ header }: { header(name: string): string | null }): boolean {
  return header("sec-fetch-site") === "same-origin" || header("origin") === new URL(env().APP_URL).origin;
}
