import { isIP } from "node:net";
import { env } from "@/server/core/env";

/** Set in the process of the front door, which writes the header of what it hands to the pages itself. */
const shared = globalThis as { tellalFrontDoor?: boolean };

/** Pages of this process are reached through the front door only: its X-Forwarded-For is the client. */
export function believeFrontDoor(): void {
  shared.tellalFrontDoor = true;
}

/**
 * The client's address: the socket's own, unless so many proxies are trusted. Each trusted proxy has
 * appended the address it saw, so with n hops the n-th entry from the right is the client; what stands
 * left of it was written by the client and is ignored.
 *
 * Behind a host that hides the socket (`socketAddress` null) and without trusted hops nothing can be
 * believed, and all clients share one address.
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
  const candidate = seen.at(-hops) ?? seen[0];
  return candidate && isIP(candidate) ? candidate : own;
}

function unmapped(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
