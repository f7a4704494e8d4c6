import { listCertifiableDomains } from "@/server/domains/accounts/portals/service/check";
import { closeDatabase, openDatabase } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { runCommand } from "./lib/command";
import { withInstallation } from "./lib/installation";
import { readArguments } from "./lib/usage.mjs";

/*
 * npm run portals   prints the portal domains that may have a certificate, one per line
 */
readArguments(import.meta.url);

await runCommand(() =>
  withInstallation(async (url) => {
    openDatabase(url);
    const domains = await listCertifiableDomains(withoutTransaction()).finally(closeDatabase);
    process.stdout.write(domains.map((domain) => `${domain}\n`).join(""));
  }),
);
