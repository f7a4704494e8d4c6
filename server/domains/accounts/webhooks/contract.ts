import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listOutput, PageMeta, pageQuery } from "@/server/core/list";
import {
  count,
  createdAt,
  Done,
  expiry,
  flag,
  line,
  message,
  pathId,
  recordId,
  success,
  timestamp,
  webAddress,
} from "@/server/core/schema";
import { EXPECTED_TEXT } from "@/server/core/stale";
import {
  DELIVERY_STATES,
  DISABLED_REASONS,
  isWebhookUrl,
  SECRET_GRACE,
  WEBHOOK_DESCRIPTION_MAX,
  WEBHOOK_FAILURES,
  WEBHOOK_URL_MAX,
  WEBHOOKS_MAX,
} from "./policy";

/*
 * Types of webhook events, each with the schema of its `data`: a few fields of the record, with the same names as in the
 * API. Integrators fetch the record for the others.
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

/** The types that an endpoint can choose. Test events are always sent. */
export const SUBSCRIBABLE = (Object.keys(WEBHOOK_EVENTS) as WebhookEventType[]).filter(
  (type) => type !== "webhook.test",
);

/** Signed body of an event: `timestamp` is the time of the event, and every attempt sends the same bytes. */
export function webhookBody(type: WebhookEventType) {
  return z.object({
    type: z.literal(type).meta({ description: "Type of the event." }),
    timestamp: timestamp.meta({ description: "When the event happened." }),
    data: WEBHOOK_EVENTS[type].data,
  });
}

const subscribed = z
  .enum(SUBSCRIBABLE as [WebhookEventType, ...WebhookEventType[]])
  .meta({ description: "Type of the event.", example: "site.created" });

/** https, without a user name, a password or a fragment; port 443 or 8443. */
const url = webAddress({ max: WEBHOOK_URL_MAX })
  .refine(isWebhookUrl, { error: "validation.webhook_url" })
  .meta({
    description: "HTTPS URL that receives the events, at a public host.",
    example: "https://example.com/webhooks/tellal",
  });
/** An empty list is all types. */
const events = z.array(subscribed).max(SUBSCRIBABLE.length);
const description = line({ max: WEBHOOK_DESCRIPTION_MAX }).meta({ example: "Order desk" });
const failure = z.enum(WEBHOOK_FAILURES).meta({ example: "timeout" });
const httpStatus = z.int().meta({ example: 503 });
const milliseconds = z.int().meta({ description: "Duration in milliseconds.", example: 184 });
const secret = z.string().meta({ example: "whsec_…" });

const WebhookEndpoint = z
  .object({
    id: recordId,
    url: z
      .string()
      .meta({ description: "URL that receives the events.", example: "https://example.com/webhooks/tellal" }),
    events: z.array(subscribed).meta({ description: "Event types to send; empty for all." }),
    description: z
      .string()
      .nullable()
      .meta({ description: "Description by the owner; null if none.", example: "Order desk" }),
    is_active: z.boolean().meta({ description: "True when the webhook is switched on." }),
    disabled_reason: z
      .enum(DISABLED_REASONS)
      .nullable()
      .meta({ description: "Why it was switched off; null while it is on.", example: "gone" }),
    secret_last_four: z
      .string()
      .meta({ description: "Last four characters of the signing secret.", example: "x7Qk" }),
    old_secret_until: expiry
      .nullable()
      .meta({ description: "The replaced secret also signs until this time; null if none." }),
    failures: count.meta({ description: "Number of failed attempts since the last success." }),
    failing_since: timestamp
      .nullable()
      .meta({ description: "When the first of those attempts failed; null if none." }),
    last_ok_at: timestamp.nullable().meta({ description: "When an attempt last succeeded; null if never." }),
    created_at: createdAt,
  })
  .meta({ id: "WebhookEndpoint", description: "A webhook endpoint." });

const WebhookAttempt = z
  .object({
    at: timestamp.meta({ description: "When the attempt was made." }),
    error: failure.nullable().meta({ description: "Kind of failure; null if delivered." }),
    status_code: httpStatus
      .nullable()
      .meta({ description: "HTTP status of the receiver; null without a response." }),
    duration_ms: milliseconds,
  })
  .meta({ id: "WebhookAttempt", description: "An attempt to deliver an event." });

const WebhookDelivery = z
  .object({
    id: recordId,
    webhook_id: z.string().meta({
      description: "Value of the header `webhook-id`; the same for all attempts and replays.",
      example: "msg_01KB3M5Q7R9T2V4W6X8Y0Z1A3C",
    }),
    type: subscribed,
    state: z.enum(DELIVERY_STATES).meta({ description: "State of the delivery.", example: "waiting" }),
    next_attempt_at: timestamp
      .nullable()
      .meta({ description: "When the next attempt starts; null if none is planned." }),
    delivered_at: timestamp
      .nullable()
      .meta({ description: "When the receiver accepted it; null if not yet." }),
    created_at: createdAt,
    payload: z.record(z.string(), z.unknown()).meta({
      description: "Body of the request.",
      example: {
        type: "site.created",
        timestamp: "2027-11-20T09:30:00.000000Z",
        data: { id: 7, domain: "example.com", user_id: 7, created_at: "2027-11-20T09:30:00.000000Z" },
      },
    }),
    attempts: z.array(WebhookAttempt).meta({ description: "Attempts, newest first; at most 20." }),
  })
  .meta({ id: "WebhookDelivery", description: "A delivery of an event to a webhook." });

const WEBHOOKS = { tag: "Webhooks", access: "token", viewAs: false } as const;
const CHANGES = { ...WEBHOOKS, ability: "*" } as const;
const ONE = { record: "WebhookEndpoint", params: z.object({ id: pathId }) } as const;

export const listWebhooks = operation({
  id: "listWebhooks",
  method: "GET",
  path: "/api/webhooks",
  ...WEBHOOKS,
  summary: "List the webhooks of the account",
  description:
    "Oldest first; `data` repeats `webhooks`. Only the last four characters of a secret are shown.",
  output: listOutput("webhooks", WebhookEndpoint, "Webhooks of the account, oldest first."),
});

export const createWebhook = operation({
  id: "createWebhook",
  method: "POST",
  path: "/api/webhooks",
  ...CHANGES,
  summary: "Create a webhook",
  description: `Sends events to \`url\` as signed POST requests, as defined by Standard Webhooks: an https URL on port 443 or 8443 at a public host. An empty or omitted \`events\` means all types, including future ones. The \`secret\` is in this response only. At most ${WEBHOOKS_MAX} webhooks per account; agents have none.`,
  limit: { points: 20, per: 3600, by: "account", durable: true },
  idempotent: true,
  body: z.object({
    url,
    events: events.nullish().meta({ description: "Event types to send; all when empty or omitted." }),
    description: description.nullish().meta({ description: "Description for the owner." }),
  }),
  status: 201,
  output: z.object({
    success,
    message,
    webhook: WebhookEndpoint,
    secret: secret.meta({ description: "Signing secret; shown once." }),
  }),
  errors: ["webhooks_full"],
});

export const getWebhook = operation({
  id: "getWebhook",
  method: "GET",
  path: "/api/webhooks/{id}",
  ...WEBHOOKS,
  ...ONE,
  summary: "Get a webhook",
  output: z.object({ success, webhook: WebhookEndpoint }),
});

export const updateWebhook = operation({
  id: "updateWebhook",
  method: "PUT",
  path: "/api/webhooks/{id}",
  ...CHANGES,
  ...ONE,
  summary: "Change a webhook",
  description: `Omitted fields stay unchanged; a \`description\` of null removes it. A webhook that is switched off gets no events, and waiting deliveries are cancelled; switching it on resets its failures. ${EXPECTED_TEXT}`,
  body: z.object({
    url: url.nullish().meta({ description: "HTTPS URL that receives the events, at a public host." }),
    events: events.nullish().meta({ description: "Event types to send; all when empty." }),
    description: description.nullish().meta({ description: "Description for the owner; null removes it." }),
    is_active: flag
      .meta({ example: true })
      .nullish()
      .meta({ description: "True to switch the webhook on, false to switch it off." }),
    expected: z
      .object({
        url: z.string().nullish().meta({
          description: "Value the caller last saw.",
          example: "https://example.com/webhooks/tellal",
        }),
        events: z
          .array(z.string().meta({ example: "site.created" }))
          .nullish()
          .meta({ description: "Value the caller last saw." }),
        description: z
          .string()
          .nullish()
          .meta({ description: "Value the caller last saw.", example: "Order desk" }),
        is_active: z.boolean().nullish().meta({ description: "Value the caller last saw." }),
      })
      .optional()
      .meta({ description: "Values the caller last saw; 409 if one of them has changed." }),
  }),
  output: z.object({ success, message, webhook: WebhookEndpoint }),
  errors: ["stale"],
});

export const deleteWebhook = operation({
  id: "deleteWebhook",
  method: "DELETE",
  path: "/api/webhooks/{id}",
  ...CHANGES,
  ...ONE,
  summary: "Delete a webhook",
  description: "Also deletes its deliveries, including waiting ones.",
  output: Done,
});

export const renewWebhookSecret = operation({
  id: "renewWebhookSecret",
  method: "POST",
  path: "/api/webhooks/{id}/secret",
  ...CHANGES,
  ...ONE,
  summary: "Create a new secret for a webhook",
  description:
    "The secret is in this response only. The previous one also signs for `grace_minutes`, a day by default, so that a " +
    "receiver can switch without a gap. Needs a fresh proof of identity.",
  limit: { points: 10, per: 60, by: "account", durable: true },
  body: z.object({
    grace_minutes: z.int().min(0).max(SECRET_GRACE.max).nullish().meta({
      description: "Minutes the previous secret also signs; a day when omitted.",
      example: SECRET_GRACE.usual,
    }),
  }),
  output: z.object({
    success,
    message,
    webhook: WebhookEndpoint,
    secret: secret.meta({ description: "New signing secret; shown once." }),
  }),
  errors: ["identity_unproven"],
});

export const testWebhook = operation({
  id: "testWebhook",
  method: "POST",
  path: "/api/webhooks/{id}/test",
  ...CHANGES,
  ...ONE,
  summary: "Send a test event to a webhook",
  description:
    "Sends `webhook.test` immediately, even to a webhook that is switched off, and waits at most ten seconds. Returns the " +
    "status, the duration and the kind of failure, but never the content of the response. It is tried once and not listed " +
    "among the deliveries.",
  limit: { points: 10, per: 60, by: "account", named: true, durable: true },
  output: z.object({
    success,
    delivered: z
      .boolean()
      .meta({ description: "True when the receiver accepted the event.", example: false }),
    status_code: httpStatus
      .nullable()
      .meta({ description: "HTTP status of the receiver; null without a response." }),
    duration_ms: milliseconds,
    error: failure.nullable().meta({ description: "Kind of failure; null if delivered." }),
  }),
});

export const listWebhookDeliveries = operation({
  id: "listWebhookDeliveries",
  method: "GET",
  path: "/api/webhooks/{id}/deliveries",
  ...WEBHOOKS,
  ...ONE,
  summary: "List the deliveries of a webhook",
  description: "Newest first, in pages, each with its attempts; kept for `kept_days`, 30 by default.",
  query: z
    .object({
      state: z
        .enum(DELIVERY_STATES)
        .nullish()
        .meta({ description: "Only deliveries in this state.", example: "failed" }),
      type: subscribed.nullish().meta({ description: "Only deliveries of this event type." }),
    })
    .extend(pageQuery.shape),
  output: listOutput("deliveries", WebhookDelivery, "Deliveries on this page.", {
    kept_days: z.int().meta({ description: "Days that deliveries are kept.", example: 30 }),
    meta: PageMeta,
  }),
});

export const replayWebhookDelivery = operation({
  id: "replayWebhookDelivery",
  method: "POST",
  path: "/api/webhook-deliveries/{id}/replay",
  ...CHANGES,
  record: "WebhookDelivery",
  params: z.object({ id: pathId }),
  summary: "Send a delivery again",
  description:
    "The delivery is queued again in any state, with the same `webhook-id`. Earlier attempts stay listed.",
  limit: { points: 30, per: 60, by: "account" },
  output: z.object({ success, message, delivery: WebhookDelivery }),
  errors: ["webhook_disabled"],
});

export const replayFailedDeliveries = operation({
  id: "replayFailedDeliveries",
  method: "POST",
  path: "/api/webhooks/{id}/replay-failed",
  ...CHANGES,
  ...ONE,
  summary: "Send failed deliveries again",
  description:
    "All failed or cancelled deliveries whose event is not older than `since`; `count` is their number.",
  limit: { points: 5, per: 3600, by: "account", durable: true },
  body: z.object({
    since: z.iso
      .datetime({ offset: true })
      .meta({ description: "Oldest event to send again, with time zone.", example: "2027-11-20T09:30:00Z" }),
  }),
  output: z.object({
    success,
    message,
    count: count.meta({ description: "Number of deliveries queued again." }),
  }),
  errors: ["webhook_disabled"],
});
