import { env } from "@/server/core/env";

/** Returns the name of the panel's cookie. With https the browser itself refuses it from another host or path. */
export function sessionCookieName(): string {
  return env().https ? "__Host-session" : "session";
}

/** Returns one cookie of a Cookie header. */
export function readCookie(header: string | null | undefined, name: string): string | null {
  for (const part of (header ?? "").split(";")) {
    const at = part.indexOf("=");
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}
