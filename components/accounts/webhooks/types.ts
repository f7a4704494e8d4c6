import type { Output } from "@/server/core/contract";
import type { getWebhook, listWebhookDeliveries } from "@/server/domains/accounts/webhooks/contract";

export type Webhook = Output<typeof getWebhook>["webhook"];
export type Delivery = Output<typeof listWebhookDeliveries>["deliveries"][number];
export type EventType = Delivery["type"];
