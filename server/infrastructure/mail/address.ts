import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { env } from "@/server/core/env";

/** Networks that no customer's server is in: ourselves, private and link-local ones, and ranges that map to those. */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  PRIVATE.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const)
  PRIVATE.addSubnet(network, prefix, "ipv6");

/** Whether an address is on the public internet. An IPv4-mapped address counts as the IPv4 address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  return !PRIVATE.check(address, family === 6 ? "ipv6" : "ipv4");
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
