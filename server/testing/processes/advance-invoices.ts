import "@/server/transports/rest/operations";
import { processDocument } from "@/server/domains/billing/accounting/service/process";
import { openDatabase } from "@/server/infrastructure/database/client";

openDatabase(process.env.DATABASE_URL!);
process.stdout.write("ready\n");
await Promise.all(process.argv.slice(2).map((id) => processDocument(Number(id))));
process.exit(0);
