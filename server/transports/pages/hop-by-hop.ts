/** Headers about one connection (RFC 9110, section 7.6.1), and those by which a proxy negotiates. */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-authentication-info",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
  "http2-settings",
]);

/** Returns headers without those about one connection, and without those that `Connection` names. */
export function withoutHopByHop<H extends Record<string, string | string[] | undefined>>(headers: H): H {
  const named = String(headers.connection ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const entries = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.includes(name));
  return Object.fromEntries(entries) as H;
}
