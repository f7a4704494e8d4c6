import "@/server/transports/rest/operations";
import { accessToken } from "@/server/domains/billing/accounting/service/access";
import { connectTo } from "@/server/infrastructure/database/client";

/* Fetches a token of the accounting service, at the same time as the test that starts it. */

connectTo(process.env.DATABASE_URL!);
process.stdout.write("ready\n");
await accessToken();
process.exit(0);
