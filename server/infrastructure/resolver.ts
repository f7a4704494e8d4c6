import { Resolver } from "node:dns/promises";
import { env } from "@/server/core/env";
import { SECOND } from "@/server/core/time";

const TIMEOUT = 3 * SECOND;

/** Asks the name servers of `DNS_SERVERS`, else those of the system, and says why a name has no address. */
export function resolver(): Resolver {
  const own = new Resolver({ timeout: TIMEOUT, tries: 1 });
  const servers = env().DNS_SERVERS?.split(",");
  if (servers) own.setServers(servers.map((server) => server.trim()));
  return own;
}
