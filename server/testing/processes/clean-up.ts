import "@/server/transports/rest/operations";
import { performCleanupItems } from "@/server/domains/sites/connections/service/perform-items";
import { openDatabase } from "@/server/infrastructure/database/client";

/* Performs clean-up items as a request does. The test kills it or runs two concurrently. */

openDatabase(process.env.DATABASE_URL!);
process.stdout.write("ready\n");
await performCleanupItems(process.argv.slice(2).map(Number));
process.exit(0);
