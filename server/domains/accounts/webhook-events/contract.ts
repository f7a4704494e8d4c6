import * as z from "zod";
import { expiry, recordId, timestamp } from "@/server/core/schema";

/*
 * What integrators are told by webhooks: each type of event with the schema of its `data`. The fields are those of the
 * API under the same names, and few: whoever needs more asks for the record.
 */

const domainName = z.string().meta({ example: "example.com" });
const channel = z.string().meta({ example: "telegram" });
const label = z.string().meta({ example: "Kaya Kahve bot" });
const plan = z.string().meta({ example: "Pro" });

const siteFields = { id: recordId, domain: domainName, user_id: recordId };
const subscription = z
  .object({ id: recordId, plan, user_id: recordId, ends_at: expiry })
  .meta({ id: "SubscriptionEvent" });

/** One type of event: when it happens, and what it carries. */
interface EventType {
  summary: string;
  data: z.ZodObject;
}

export const WEBHOOK_EVENTS = {
  "user.created": {
    summary: "An account was opened: by registration, an identity provider or an invitation",
    data: z
      .object({
        id: recordId,
        role: z.enum(["user", "reseller", "admin"]).meta({ example: "user" }),
        reseller_id: recordId.nullable(),
        created_at: timestamp,
      })
      .meta({ id: "UserCreatedEvent" }),
  },
  "user.deleted": {
    summary: "An account was deleted, or anonymised where records must be kept",
    data: z
      .object({ id: recordId, mode: z.enum(["deleted", "anonymized"]).meta({ example: "deleted" }) })
      .meta({ id: "UserDeletedEvent" }),
  },
  "site.created": {
    summary: "A site was created",
    data: z.object({ ...siteFields, created_at: timestamp }).meta({ id: "SiteCreatedEvent" }),
  },
  "site.suspended": {
    summary: "A site was suspended: by a person, or because it is not paid for",
    data: z
      .object({
        ...siteFields,
        suspended_reason: z
          .enum(["owner", "licence_unpaid", "subscription_ended", "administrator"])
          .meta({ example: "licence_unpaid" }),
      })
      .meta({ id: "SiteSuspendedEvent" }),
  },
  "site.deleted": {
    summary: "A site was deleted",
    data: z.object(siteFields).meta({ id: "SiteDeletedEvent" }),
  },
  "connection.token_dead": {
    summary: "A provider has refused the token of a channel connection twice",
    data: z
      .object({ id: recordId, channel, label, site_ids: z.array(recordId) })
      .meta({ id: "ConnectionTokenDeadEvent" }),
  },
  "connection.cleaned": {
    summary: "A channel connection was cleaned up; `receipt_id` is the clean-up it was part of",
    data: z
      .object({
        id: recordId,
        channel,
        label,
        receipt_id: z.string().meta({ example: "01KB3M5Q7R9T2V4W6X8Y0Z1A3C" }),
      })
      .meta({ id: "ConnectionCleanedEvent" }),
  },
  "subscription.activated": {
    summary: "A subscription was activated or extended",
    data: subscription,
  },
  "subscription.expired": {
    summary: "A subscription has expired",
    data: subscription,
  },
  "invoice.ready": {
    summary: "An invoice is ready to be downloaded",
    data: z
      .object({
        id: recordId,
        payment_id: recordId,
        number: z.string().nullable().meta({ example: "TEL2027000000042" }),
      })
      .meta({ id: "InvoiceReadyEvent" }),
  },
  "webhook.test": {
    summary: "Somebody has asked for a test; `id` is the number of the webhook",
    data: z.object({ id: recordId }).meta({ id: "WebhookTestEvent" }),
  },
} as const satisfies Record<string, EventType>;

export type WebhookEventType = keyof typeof WEBHOOK_EVENTS;
export type WebhookData<T extends WebhookEventType> = z.input<(typeof WEBHOOK_EVENTS)[T]["data"]>;

/** The types that an endpoint can choose; a test comes whatever was chosen. */
export const SUBSCRIBABLE = (Object.keys(WEBHOOK_EVENTS) as WebhookEventType[]).filter(
  (type) => type !== "webhook.test",
);

/** What is sent, as the signed body: `timestamp` is when it happened, and no attempt changes a byte of it. */
export function webhookBody(type: WebhookEventType) {
  return z.object({ type: z.literal(type), timestamp, data: WEBHOOK_EVENTS[type].data });
}
