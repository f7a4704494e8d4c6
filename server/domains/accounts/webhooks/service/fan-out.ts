import { inTransaction } from "@/server/infrastructure/database/transaction";
import { fanOut } from "../statements";
import { wakePump } from "./pump";

/** Events that one transaction hands out. */
const BATCH = 200;

/** Makes the deliveries of all events that wait for them, the oldest first, and wakes the pump. */
export async function fanOutWaiting(): Promise<void> {
  for (let events = BATCH; events === BATCH; )
    events = await inTransaction(async (tx) => {
      const [made] = await fanOut(tx, { limit: BATCH });
      if (made!.deliveries > 0) await wakePump(tx);
      return made!.events;
    });
}
