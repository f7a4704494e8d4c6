import "@/server/transports/rest/operations";
import { performAll } from "@/server/domains/sites/connections/service/run";
import { connectTo } from "@/server/infrastructure/database/client";

/* Performs clean-up items as a request does. The test kills it or runs two at once. */

connectTo(process.env.DATABASE_URL!);
process.stdout.write("ready\n");
await performAll(process.argv.slice(2).map(Number));
process.exit(0);
