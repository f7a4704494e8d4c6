import { inTransaction } from "@/server/infrastructure/database/transaction";
import { lookForDue, pump, wakePump } from "./service/pump";
import { tell } from "./service/tell";
import { fanOut } from "./statements";

/** Writes the deliveries of an event. Repeated, it does nothing. */
export async function fanOutWebhookJob({ eventId }: { eventId: string }): Promise<void> {
  await inTransaction(async (tx) => {
    const [made] = await fanOut(tx, { eventId });
    if (made!.deliveries > 0) await wakePump(tx);
  });
}

/** Sends what is due. */
export async function pumpWebhooksJob(): Promise<void> {
  await pump();
}

/** Wakes the pump for what nobody woke it for. */
export async function resumeWebhooksJob(): Promise<void> {
  await lookForDue();
}

/** Mails the owner of an endpoint. */
export async function tellWebhookJob({
  endpointId,
  news,
}: {
  endpointId: number;
  news: "failures" | "gone" | "failing";
}): Promise<void> {
  await tell(endpointId, news);
}
