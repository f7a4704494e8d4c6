import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { env } from "@/server/core/env";
import { parseIpAddress } from "@/server/core/ip-address";

/** IPv4-compatible addresses, which once routed to IPv4 hosts; ipaddr.js has no range for them. */
const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR("::/96");

/** Tests for a public IP address; IPv4-mapped addresses count as IPv4. */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text);
  if (address instanceof ipaddr.IPv6 && address.match(IPV4_COMPATIBLE)) return false;
  return address?.range() === "unicast";
}

export class PrivateHostError extends Error {}

/**
 * Resolves a customer's mail host. Connect to the returned address: a second lookup could return another.
 * Throws `PrivateHostError` for a private address unless the setting `MAIL_PRIVATE_HOSTS` allows it.
 */
export async function resolveMailHost(host: string): Promise<string> {
  const addresses = await lookup(host, { all: true, verbatim: true });
  const [firstAddress] = addresses;
  if (!firstAddress) throw new Error(`No address of ${host}`);
  if (!env().MAIL_PRIVATE_HOSTS && !addresses.every(({ address }) => isPublicAddress(address)))
    throw new PrivateHostError(host);
  return firstAddress.address;
}
