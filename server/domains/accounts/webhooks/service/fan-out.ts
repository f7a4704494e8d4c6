import { inTransaction } from "@/server/infrastructure/database/transaction";
import { fanOut } from "../statements";
import { wakeDispatcher } from "./dispatcher";

const BATCH = 200;

/** Creates the deliveries of all waiting events, oldest first, and wakes the dispatcher. */
export async function fanOutWaiting(): Promise<void> {
  for (let events = BATCH; events === BATCH; )
    events = await inTransaction(async (tx) => {
      const [result] = await fanOut(tx, { limit: BATCH });
      if (result!.deliveries > 0) await wakeDispatcher(tx);
      return result!.events;
    });
}
