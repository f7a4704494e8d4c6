import { env } from "@/server/core/env";

/** With https, the `__Host-` prefix makes browsers reject the cookie from another host or path. */
export function getCookieName(name: string): string {
  return env().usesHttps ? `__Host-${name}` : name;
}

export function getSessionCookieName(): string {
  return getCookieName("session");
}

export function getCallbackCookieName(): string {
  return getCookieName("sign-in-next");
}

export function readCookie(header: string | null | undefined, name: string): string | null {
  for (const part of (header ?? "").split(";")) {
    const equalsIndex = part.indexOf("=");
    if (equalsIndex > 0 && part.slice(0, equalsIndex).trim() === name)
      return part.slice(equalsIndex + 1).trim();
  }
  return null;
}
