import { outside } from "@/server/infrastructure/database/transaction";
import { forgetEvents } from "./statements";

/** How long events are kept with their deliveries, in days. */
const KEPT = 30;
/** Events that one statement removes. */
const BATCH = 5000;

/** Removes what is older, with its deliveries and their attempts. */
export async function forgetWebhookEventsJob(): Promise<void> {
  while ((await forgetEvents(outside(), { days: KEPT, limit: BATCH })).length === BATCH);
}
