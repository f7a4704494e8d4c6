import type * as z from "zod";
import { toIsoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { getWebhook, replayWebhookDelivery } from "./contract";

export const ENDPOINT_COLUMNS = {
  id: true,
  userId: true,
  url: true,
  events: true,
  description: true,
  disabledReason: true,
  secretSealed: true,
  secretLastFour: true,
  oldSecretSealed: true,
  oldSecretUntil: true,
  failures: true,
  failingSince: true,
  lastOkAt: true,
  createdAt: true,
} as const satisfies Prisma.WebhookEndpointSelect;
export type EndpointRow = Prisma.WebhookEndpointGetPayload<{ select: typeof ENDPOINT_COLUMNS }>;
type Endpoint = z.output<typeof getWebhook.output>["webhook"];

export function toEndpoint(row: EndpointRow): Endpoint {
  const graceEndsAt = row.oldSecretUntil && row.oldSecretUntil > new Date() ? row.oldSecretUntil : null;
  return {
    id: row.id,
    url: row.url,
    events: row.events as Endpoint["events"],
    description: row.description,
    is_active: row.disabledReason === null,
    disabled_reason: row.disabledReason as Endpoint["disabled_reason"],
    secret_last_four: row.secretLastFour,
    old_secret_until: toIsoMicros(graceEndsAt),
    failures: row.failures,
    failing_since: toIsoMicros(row.failingSince),
    last_ok_at: toIsoMicros(row.lastOkAt),
    created_at: toIsoMicros(row.createdAt),
  };
}

const MAX_SHOWN_ATTEMPTS = 20;

export const DELIVERY_COLUMNS = {
  id: true,
  endpointId: true,
  eventId: true,
  state: true,
  nextAt: true,
  deliveredAt: true,
  createdAt: true,
  event: { select: { type: true, body: true } },
  tries: {
    orderBy: { id: "desc" },
    take: MAX_SHOWN_ATTEMPTS,
    select: { at: true, status: true, failure: true, duration: true },
  },
} as const satisfies Prisma.WebhookDeliverySelect;
type DeliveryRow = Prisma.WebhookDeliveryGetPayload<{ select: typeof DELIVERY_COLUMNS }>;
type Delivery = z.output<typeof replayWebhookDelivery.output>["delivery"];

export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    webhook_id: row.eventId,
    type: row.event.type as Delivery["type"],
    state: row.state as Delivery["state"],
    next_attempt_at: toIsoMicros(row.nextAt),
    delivered_at: toIsoMicros(row.deliveredAt),
    created_at: toIsoMicros(row.createdAt),
    payload: JSON.parse(row.event.body),
    attempts: row.tries.map(({ at, status, failure, duration }) => ({
      at: toIsoMicros(at),
      error: failure as Delivery["attempts"][number]["error"],
      status_code: status,
      duration_ms: duration,
    })),
  };
}
