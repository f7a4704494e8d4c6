import { Resolver } from "node:dns/promises";
import { env } from "@/server/core/env";
import { SECOND } from "@/server/core/time";

const TIMEOUT_MS = 3 * SECOND;

/** Returns a resolver that, unlike `lookup`, distinguishes the reasons for failures. */
export function createResolver(): Resolver {
  const dns = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  const servers = env().DNS_SERVERS?.split(",");
  if (servers) dns.setServers(servers.map((server) => server.trim()));
  return dns;
}
