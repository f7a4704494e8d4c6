import { createSystemContext } from "@/server/core/context";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { recordLedgerHead } from "./service/ledger";
import { lockLedger } from "./statements";

export async function recordConsentHeadJob(): Promise<void> {
  await inTransaction(async (tx) => {
    await lockLedger(tx);
    await recordLedgerHead(createSystemContext(tx));
  });
}
