import * as z from "zod";
import { createdAt, expiry, recordId, timestamp } from "@/server/core/schema";

/*
 * What integrators are told by webhooks: each type of event with the schema of its `data`. The fields are those of the
 * API under the same names, and few: whoever needs more asks for the record.
 */

const domainName = z.string().meta({ description: "Domain of the site.", example: "example.com" });
const channel = z.string().meta({ description: "Channel of the connection.", example: "telegram" });
const label = z.string().meta({ description: "Label of the connection.", example: "Kaya Kahve bot" });
const plan = z.string().meta({ description: "Name of the plan.", example: "Pro" });

const siteFields = {
  id: recordId,
  domain: domainName,
  user_id: recordId.meta({ description: "ID of the account that owns the site." }),
};
const subscription = z
  .object({
    id: recordId,
    plan,
    user_id: recordId.meta({ description: "ID of the account." }),
    ends_at: expiry.meta({ description: "When the subscription ends." }),
  })
  .meta({ id: "SubscriptionEvent", description: "A subscription that changed." });

/** One type of event: when it happens, and what it carries. */
interface EventType {
  summary: string;
  data: z.ZodObject;
}

export const WEBHOOK_EVENTS = {
  "user.created": {
    summary: "An account was opened by registration, an identity provider or an invitation",
    data: z
      .object({
        id: recordId,
        role: z
          .enum(["user", "reseller", "admin"])
          .meta({ description: "Role of the account.", example: "user" }),
        reseller_id: recordId.nullable().meta({ description: "ID of the reseller's account; null if none." }),
        created_at: createdAt,
      })
      .meta({ id: "UserCreatedEvent", description: "An account that was opened." }),
  },
  "user.deleted": {
    summary: "An account was deleted, or anonymised because records must be kept",
    data: z
      .object({
        id: recordId,
        mode: z
          .enum(["deleted", "anonymized"])
          .meta({ description: "`anonymized` when records must be kept.", example: "deleted" }),
      })
      .meta({ id: "UserDeletedEvent", description: "An account that was deleted." }),
  },
  "site.created": {
    summary: "A site was created",
    data: z
      .object({ ...siteFields, created_at: createdAt })
      .meta({ id: "SiteCreatedEvent", description: "A site that was created." }),
  },
  "site.suspended": {
    summary: "A site was suspended by a person or because it is not paid for",
    data: z
      .object({
        ...siteFields,
        suspended_reason: z
          .enum(["owner", "licence_unpaid", "subscription_ended", "administrator"])
          .meta({ description: "Why the site was suspended.", example: "licence_unpaid" }),
      })
      .meta({ id: "SiteSuspendedEvent", description: "A site that was suspended." }),
  },
  "site.deleted": {
    summary: "A site was deleted",
    data: z.object(siteFields).meta({ id: "SiteDeletedEvent", description: "A site that was deleted." }),
  },
  "connection.token_dead": {
    summary: "A provider has refused the token of a channel connection twice",
    data: z
      .object({
        id: recordId,
        channel,
        label,
        site_ids: z.array(recordId).meta({ description: "IDs of the sites it serves." }),
      })
      .meta({ id: "ConnectionTokenDeadEvent", description: "A connection whose token no longer works." }),
  },
  "connection.cleaned": {
    summary: "A channel connection was cleaned up; `receipt_id` is the clean-up it was part of",
    data: z
      .object({
        id: recordId,
        channel,
        label,
        receipt_id: z
          .string()
          .meta({ description: "ID of the clean-up.", example: "01KB3M5Q7R9T2V4W6X8Y0Z1A3C" }),
      })
      .meta({ id: "ConnectionCleanedEvent", description: "A connection that was cleaned up." }),
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
        payment_id: recordId.meta({ description: "ID of the payment." }),
        number: z
          .string()
          .nullable()
          .meta({ description: "Number of the invoice; null if it has none.", example: "TEL2027000000042" }),
      })
      .meta({ id: "InvoiceReadyEvent", description: "An invoice that is ready." }),
  },
  "webhook.test": {
    summary: "A test event was requested; `id` is the ID of the webhook",
    data: z
      .object({ id: recordId })
      .meta({ id: "WebhookTestEvent", description: "The webhook that was tested." }),
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
  return z.object({
    type: z.literal(type).meta({ description: "Type of the event." }),
    timestamp: timestamp.meta({ description: "When the event happened." }),
    data: WEBHOOK_EVENTS[type].data,
  });
}
