import { isIP, isIPv4 } from "node:net";
import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";

/** Reads an address in any spelling, an IPv4-mapped one as the IPv4 address that it maps; undefined when it is none. */
export function parseAddress(text: string): IPv4 | IPv6 | undefined {
  if (!isIP(text)) return undefined;
  // The library takes the IPv4-compatible `::192.0.2.1` for the IPv4-mapped `::ffff:192.0.2.1`.
  return ipaddr.process(text.replace(/^::(?=\d+\.)/, "::0:"));
}

/** An address as it is counted, compared and shown: an IPv4-mapped one as IPv4. Text that is no address stays as it is. */
export function unmapped(text: string): string {
  // Dotted numbers have one spelling only.
  if (isIPv4(text)) return text;
  const address = parseAddress(text);
  return address?.kind() === "ipv4" ? address.toString() : text;
}
