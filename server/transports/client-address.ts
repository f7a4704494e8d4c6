import { isIP } from "node:net";
import { unmapped } from "@/server/core/address";
import { env } from "@/server/core/env";

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
