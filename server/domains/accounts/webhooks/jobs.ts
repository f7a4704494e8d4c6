import { outside } from "@/server/infrastructure/database/transaction";
import { settingNow } from "@/server/infrastructure/settings";
import { forgetEvents } from "./service/events";
import { fanOutWaiting } from "./service/fan-out";
import { lookForDue, pump } from "./service/pump";
import { tell } from "./service/tell";

/** Writes the deliveries of the events that have none yet. Repeated, it does nothing. */
export async function fanOutWebhooksJob(): Promise<void> {
  await fanOutWaiting();
}

/** Sends what is due. */
export async function pumpWebhooksJob(): Promise<void> {
  await pump();
}

/** Hands out and sends what nobody woke anybody for. */
export async function resumeWebhooksJob(): Promise<void> {
  await fanOutWaiting();
  await lookForDue();
}

/** Removes events that are older than administrators keep them. */
export async function forgetWebhookEventsJob(): Promise<void> {
  await forgetEvents(await settingNow(outside(), "webhook_retention_days"));
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
