import { isIP } from "node:net";
import { unmapped } from "@/server/core/address";
import { env } from "@/server/core/env";
import { toAscii } from "@/server/core/schema";

/** Set in the front door's process, which itself writes the header of requests it hands to the pages. */
const shared = globalThis as { tellalFrontDoor?: boolean };

/** Marks this process as reached through the front door only: its X-Forwarded-For is the client. */
export function believeFrontDoor(): void {
  shared.tellalFrontDoor = true;
}

/**
 * Returns the client's address: the socket's own, unless proxies are trusted. Each trusted proxy has appended the
 * address it saw, so with n hops the n-th entry from the right is the client; anything left of it was written by the
 * client and is ignored. A request with fewer entries came past a proxy: all of them may be the sender's.
 *
 * On a host that hides the socket (`socketAddress` null), without trusted hops, no header can be trusted, and all
 * clients share one address.
 */
export function clientAddress(
  socketAddress: string | null | undefined,
  forwardedFor: string | null | undefined,
): string {
  if (socketAddress === null && shared.tellalFrontDoor && isIP(forwardedFor ?? "")) return forwardedFor!;
  const hops = env().TRUSTED_PROXY_HOPS;
  const own = unmapped(socketAddress ?? "") || "0.0.0.0";
  if (hops === 0) return own;
  const seen = (forwardedFor ?? "")
    .split(",")
    .map((part) => unmapped(part.trim()))
    .filter(Boolean);
  const candidate = seen.at(-hops);
  return candidate && isIP(candidate) ? candidate : own;
}

/**
 * Returns the host of a request: `X-Portal-Host` where an integrator's server calls for a portal, else `Host`. Lower
 * case, punycode, without a port; null for an invalid host.
 */
export function hostOf({ header }: { header(name: string): string | null }): string | null {
  const named = header("x-portal-host") ?? header("host");
  if (!named || named.length > 300) return null;
  // Headers arrive as Latin-1; a name that was sent as UTF-8 is decoded again.
  const given = /[\u0080-\u00ff]/.test(named) ? Buffer.from(named, "latin1").toString("utf8") : named;
  return toAscii(
    given
      .trim()
      .replace(/:\d{1,5}$/, "")
      .replace(/\.$/, ""),
  );
}

/** Whether a request comes from a page of ours, by headers that the browser sets and pages cannot forge. */
export function fromOwnPage({ header }: { header(name: string): string | null }): boolean {
  return header("sec-fetch-site") === "same-origin" || header("origin") === new URL(env().APP_URL).origin;
}
