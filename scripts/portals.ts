import { certifiableDomains } from "@/server/domains/accounts/portals/service/check";
import { closeDatabase, connectTo } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { perform } from "./lib/command";
import { readArguments } from "./lib/usage.mjs";
import { withInstallation } from "./lib/with-embedded";

/*
 * npm run portals   prints the portal domains that may have a certificate, one per line
 */
readArguments(import.meta.url);

await perform(() =>
  withInstallation(async (url) => {
    connectTo(url);
    const domains = await certifiableDomains(withoutTransaction()).finally(closeDatabase);
    process.stdout.write(domains.map((domain) => `${domain}\n`).join(""));
  }),
);
