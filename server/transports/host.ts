import { toAscii } from "@/server/core/schema";

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
