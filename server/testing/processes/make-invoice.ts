import "@/server/operations";
import { advance } from "@/server/domains/billing/accounting/service/advance";
import { connectTo } from "@/server/infrastructure/database/client";

/* Makes one invoice: killed in the middle of it by a test. */

connectTo(process.env.DATABASE_URL!);
process.stdout.write("ready\n");
for (let round = 0; round < 20; round++) await advance(Number(process.argv[2]));
process.exit(0);
