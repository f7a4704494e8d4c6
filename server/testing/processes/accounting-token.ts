import "@/server/transports/rest/operations";
import { getAccessToken } from "@/server/domains/billing/accounting/service/access";
import { openDatabase } from "@/server/infrastructure/database/client";

/* Fetches an accounting token concurrently with the test. */

openDatabase(process.env.DATABASE_URL!);
process.stdout.write("ready\n");
await getAccessToken();
process.exit(0);
