import { inTransaction } from "@/server/infrastructure/database/transaction";
import { fanOutEvents } from "../statements";
import { wakeDispatcher } from "./dispatcher";

const BATCH_SIZE = 200;

export async function fanOutWaitingEvents(): Promise<void> {
  for (let eventCount = BATCH_SIZE; eventCount === BATCH_SIZE; )
    eventCount = await inTransaction(async (tx) => {
      const [result] = await fanOutEvents(tx, { limit: BATCH_SIZE });
      if (result!.deliveryCount > 0) await wakeDispatcher(tx);
      return result!.eventCount;
    });
}
