import { env } from "@/server/core/env";

/** Returns the name of a cookie of ours. With https the browser itself refuses it from another host or path. */
export function cookieName(name: string): string {
  return env().https ? `__Host-${name}` : name;
}

/** Returns the name of the panel's cookie. */
export function sessionCookieName(): string {
  return cookieName("session");
}

/** Returns the name of the cookie in which next-auth stores the address to go to after a sign-in. */
export function callbackCookieName(): string {
  return cookieName("sign-in-next");
}

/** Returns one cookie of a Cookie header. */
export function readCookie(header: string | null | undefined, name: string): string | null {
  for (const part of (header ?? "").split(";")) {
    const at = part.indexOf("=");
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}
