import "@/server/transports/rest/operations";
import { performAll } from "@/server/domains/sites/connections/service/run";
import { connectTo } from "@/server/infrastructure/database/client";

/* Performs items of clean-ups, as a request does: killed in the middle by a test, or one of two that do the same. */

connectTo(process.env.DATABASE_URL!);
process.stdout.write("ready\n");
await performAll(process.argv.slice(2).map(Number));
process.exit(0);
