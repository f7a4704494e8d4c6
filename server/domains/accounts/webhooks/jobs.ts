import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { readSetting } from "@/server/infrastructure/settings";
import { dispatchDeliveries, wakeDispatcherIfDue } from "./service/dispatcher";
import { deleteOldEvents } from "./service/events";
import { fanOutWaitingEvents } from "./service/fan-out";
import { notifyEndpointOwner } from "./service/notify-owner";

export async function fanOutWebhooksJob(): Promise<void> {
  await fanOutWaitingEvents();
}

export async function dispatchWebhooksJob(): Promise<void> {
  await dispatchDeliveries();
}

export async function resumeWebhooksJob(): Promise<void> {
  await fanOutWaitingEvents();
  await wakeDispatcherIfDue();
}

export async function deleteOldWebhookEventsJob(): Promise<void> {
  await deleteOldEvents(await readSetting(withoutTransaction(), "webhook_retention_days"));
}

/** `news` is stored in queued jobs; `recordAttempt` writes it. Values: see `notifyEndpointOwner`. */
export async function notifyWebhookOwnerJob({
  endpointId,
  news,
}: {
  endpointId: number;
  news: "failures" | "gone" | "failing";
}): Promise<void> {
  await notifyEndpointOwner(endpointId, news);
}
