import { outside } from "@/server/infrastructure/database/transaction";
import { settingNow } from "@/server/infrastructure/settings";
import { forgetEvents } from "./service/events";
import { fanOutWaiting } from "./service/fan-out";
import { lookForDue, pump } from "./service/pump";
import { tell } from "./service/tell";

export async function fanOutWebhooksJob(): Promise<void> {
  await fanOutWaiting();
}

export async function pumpWebhooksJob(): Promise<void> {
  await pump();
}

/** Safety net for lost jobs. */
export async function resumeWebhooksJob(): Promise<void> {
  await fanOutWaiting();
  await lookForDue();
}

export async function forgetWebhookEventsJob(): Promise<void> {
  await forgetEvents(await settingNow(outside(), "webhook_retention_days"));
}

export async function tellWebhookJob({
  endpointId,
  news,
}: {
  endpointId: number;
  news: "failures" | "gone" | "failing";
}): Promise<void> {
  await tell(endpointId, news);
}
