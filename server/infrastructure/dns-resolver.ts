import { Resolver } from "node:dns/promises";
import { env } from "@/server/core/env";
import { SECOND } from "@/server/core/time";

const DNS_TIMEOUT_MS = 3 * SECOND;

/** Returns a resolver that, unlike `lookup`, distinguishes the reasons for failures. */
export function createDnsResolver(): Resolver {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 });
  const servers = env().DNS_SERVERS?.split(",");
  if (servers) resolver.setServers(servers.map((server) => server.trim()));
  return resolver;
}
