import { env } from "@/server/core/env";
import { DAY, fromNow, HOUR, MINUTE } from "@/server/core/time";
import type { WebhookData, WebhookEventType } from "@/server/domains/accounts/webhooks/contract";
import type { DeliveryState } from "@/server/domains/accounts/webhooks/policy";
import { buildEventBody, newEventId } from "@/server/domains/accounts/webhooks/service/events";
import { createWebhookSecret } from "@/server/domains/accounts/webhooks/service/sign";
import { prisma } from "@/server/infrastructure/database/client";
import { createSandboxStore } from "@/server/infrastructure/sandbox-store";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";

const DELIVERIES_PER_STATE = 10;
/** Days of delivered events in the weeks before the deliveries of each state. */
const DELIVERED_DAYS = [27, 24, 20, 17, 13, 10, 6];

/** Statuses of the attempts, oldest first; null without a response. */
const ATTEMPT_STATUSES: Record<DeliveryState, Array<number | null>> = {
  delivered: [204],
  failed: [500, 503, null, null, 503, 500, 500, 503, null, 500, 500],
  cancelled: [500, 500],
  waiting: [503, null, 503],
};

export async function seedWebhook(
  userId: number,
  { id, domain }: { id: number; domain: string },
): Promise<void> {
  const url = `${env().APP_URL}/dev/sandbox/webhook/kayakahve`;
  const { secret, ...sealedSecret } = createWebhookSecret();
  await createSandboxStore("webhook").set("secret:kayakahve", secret);
  const endpoint = await prisma().webhookEndpoint.create({
    data: {
      userId,
      url,
      urlHash: hashSecret(url),
      events: [],
      description: "Sipariş masası",
      ...sealedSecret,
      lastOkAt: fromNow(-2 * HOUR),
      createdAt: fromNow(-29 * DAY),
    },
    select: { id: true },
  });
  for (const [index, daysAgo] of DELIVERED_DAYS.entries())
    await seedDelivery(endpoint.id, "delivered", {
      at: fromNow(-daysAgo * DAY),
      userId,
      type: "invoice.ready",
      data: { id: index + 1, payment_id: index + 1, number: `TEL202700000004${index}` },
    });
  await seedFailingEndpoint(userId);
  const states: DeliveryState[] = ["failed", "cancelled", "waiting", "delivered"];
  for (const [stateIndex, state] of states.entries())
    for (let deliveryIndex = 0; deliveryIndex < DELIVERIES_PER_STATE; deliveryIndex++) {
      const createdAt = fromNow(-(states.length - stateIndex) * DAY + deliveryIndex * HOUR);
      const data = { id, domain, user_id: userId, suspended_reason: "owner" as const };
      await seedDelivery(endpoint.id, state, { at: createdAt, userId, type: "site.suspended", data });
    }
}

/** An endpoint that was switched off after failing for three days. */
async function seedFailingEndpoint(userId: number): Promise<void> {
  const url = `${env().APP_URL}/dev/sandbox/webhook/muhasebe`;
  const { secret: _, ...sealedSecret } = createWebhookSecret();
  await prisma().webhookEndpoint.create({
    data: {
      ...{ userId, url, urlHash: hashSecret(url), events: [], description: "Muhasebe", ...sealedSecret },
      ...{ disabledReason: "failing", failures: 31, failingSince: fromNow(-8 * DAY) },
      ...{ lastOkAt: fromNow(-9 * DAY), createdAt: fromNow(-28 * DAY) },
    },
    select: { id: true },
  });
}

interface DemoEvent<T extends WebhookEventType> {
  at: Date;
  userId: number;
  type: T;
  data: WebhookData<T>;
}

async function seedDelivery<T extends WebhookEventType>(
  endpointId: number,
  state: DeliveryState,
  { at, userId, type, data }: DemoEvent<T>,
): Promise<void> {
  const statuses = ATTEMPT_STATUSES[state];
  await prisma().webhookEvent.create({
    data: {
      id: newEventId(),
      type,
      body: buildEventBody(type, data, at),
      audience: [userId],
      createdAt: at,
      deliveries: {
        create: {
          endpointId,
          state,
          attempts: statuses.length,
          createdAt: at,
          ...(state === "delivered" && { deliveredAt: at }),
          ...(state === "waiting" && { nextAt: fromNow(8 * HOUR) }),
          tries: {
            create: statuses.map((status, index) => ({
              at: new Date(at.getTime() + index * MINUTE),
              status,
              failure: status === null ? "timeout" : status < 300 ? null : "status",
              duration: status === null ? 15_000 : 80 + 7 * index,
            })),
          },
        },
      },
    },
    select: { id: true },
  });
}
