import { isIP, isIPv4 } from "node:net";
import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";

/** Parses an IP address in any notation; an IPv4-mapped address becomes IPv4. Undefined for other text. */
export function parseIpAddress(text: string): IPv4 | IPv6 | undefined {
  if (!isIP(text)) return undefined;
  // ipaddr.js parses the IPv4-compatible `::192.0.2.1` as the IPv4-mapped `::ffff:192.0.2.1`.
  return ipaddr.process(text.replace(/^::(?=\d+\.)/, "::0:"));
}

/** Returns an IPv4-mapped address as IPv4, for counting, comparing and display; any other text unchanged. */
export function toUnmappedAddress(text: string): string {
  if (isIPv4(text)) return text;
  const address = parseIpAddress(text);
  return address?.kind() === "ipv4" ? address.toString() : text;
}
