import { certifiableDomains } from "@/server/domains/tenancy/portals/service/check";
import { closeDatabase, connectTo } from "@/server/infrastructure/database/client";
import { outside } from "@/server/infrastructure/database/transaction";
import { withDatabase } from "./lib/with-embedded";

/* npm run portals   prints the domains of resellers' portals that may have a certificate, one a line */

try {
  await withDatabase(async (url) => {
    connectTo(url);
    const domains = await certifiableDomains(outside()).finally(closeDatabase);
    process.stdout.write(domains.map((domain) => `${domain}\n`).join(""));
  });
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
