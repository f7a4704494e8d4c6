import { systemContext } from "@/server/core/context";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { noteHead } from "./service/ledger";
import { lockLedger } from "./statements";

export async function noteHeadJob(): Promise<void> {
  await inTransaction(async (tx) => {
    await lockLedger(tx);
    await noteHead(systemContext(tx));
  });
}
