import { isIP } from "node:net";
import { env } from "@/server/core/env";
import { toUnmappedAddress } from "@/server/core/ip-address";
import { toAsciiHost } from "@/server/core/schema";

/** On globalThis: the bundles of the server and of the pages each contain this module. */
const processState = globalThis as { tellalHttpServer?: boolean };

/** Trusts X-Forwarded-For without a socket address, because our HTTP server sets the header for pages. */
export function trustForwardedFor(): void {
  processState.tellalHttpServer = true;
}

/**
 * With n trusted proxies, the n-th entry from the right is the client's; others may be forged. A request
 * with fewer entries bypassed a proxy: then the socket's address counts.
 */
export function getClientAddress(
  socketAddress: string | null | undefined,
  forwardedFor: string | null | undefined,
): string {
  if (socketAddress === null && processState.tellalHttpServer && isIP(forwardedFor ?? ""))
    return forwardedFor!;
  const hops = env().TRUSTED_PROXY_HOPS;
  const socketIp = toUnmappedAddress(socketAddress ?? "") || "0.0.0.0";
  if (hops === 0) return socketIp;
  const addresses = (forwardedFor ?? "")
    .split(",")
    .map((part) => toUnmappedAddress(part.trim()))
    .filter(Boolean);
  const candidate = addresses.at(-hops);
  return candidate && isIP(candidate) ? candidate : socketIp;
}

/** Lower case and punycode, no port. `X-Portal-Host`, set by integrators' servers, takes precedence. */
export function getRequestHost({ header }: { header(name: string): string | null }): string | null {
  const hostHeader = header("x-portal-host") ?? header("host");
  if (!hostHeader || hostHeader.length > 300) return null;
  // Headers arrive as Latin-1; decode names that were sent as UTF-8.
  const decodedHost = /[\u0080-\u00ff]/.test(hostHeader)
    ? Buffer.from(hostHeader, "latin1").toString("utf8")
    : hostHeader;
  return toAsciiHost(
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
