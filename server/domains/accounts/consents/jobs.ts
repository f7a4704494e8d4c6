import { createSystemContext } from "@/server/core/context";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { recordHead } from "./service/ledger";
import { lockLedger } from "./statements";

export async function recordHeadJob(): Promise<void> {
  await inTransaction(async (tx) => {
    await lockLedger(tx);
    await recordHead(createSystemContext(tx));
  });
}
