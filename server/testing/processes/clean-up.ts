import "@/server/operations";
import { performItem } from "@/server/domains/sites/connections/service/perform";
import { connectTo } from "@/server/infrastructure/database/client";

/* Performs one item of a clean-up: killed in the middle of it by a test. */

connectTo(process.env.DATABASE_URL!);
process.stdout.write("ready\n");
await performItem(Number(process.argv[2]));
process.exit(0);
