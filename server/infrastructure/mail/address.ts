import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { parseAddress } from "@/server/core/address";
import { env } from "@/server/core/env";

/** The IPv4-compatible addresses: no range of the library, and they once led to hosts of IPv4. */
const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR("::/96");

/** Whether an address is on the public internet. An IPv4-mapped address counts as the IPv4 address. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address instanceof ipaddr.IPv6 && address.match(IPV4_COMPATIBLE)) return false;
  return address?.range() === "unicast";
}

/** The host is not on the public internet. */
export class PrivateHost extends Error {}

/**
 * Resolves a host that a customer named. The connection uses the returned address: a second lookup could give
 * another. Throws {@link PrivateHost} when any address is private, unless the settings allow it.
 */
export async function resolveHost(host: string): Promise<string> {
  const found = await lookup(host, { all: true, verbatim: true });
  const [first] = found;
  if (!first) throw new Error(`No address of ${host}`);
  if (!env().MAIL_PRIVATE_HOSTS && !found.every(({ address }) => isPublicAddress(address)))
    throw new PrivateHost(host);
  return first.address;
}
