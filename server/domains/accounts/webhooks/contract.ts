import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listOutput, PageMeta, pageQuery } from "@/server/core/list";
import {
  byId,
  count,
  createdAt,
  Done,
  expiry,
  flag,
  queryId,
  recordId,
  textLine,
  timestamp,
  webAddress,
} from "@/server/core/schema";
import { series, seriesQuery } from "@/server/core/series";
import { EXPECTED_DESCRIPTION, expectedField } from "@/server/core/stale";
import {
  DELIVERY_STATES,
  DISABLED_REASONS,
  isWebhookUrl,
  MAX_WEBHOOK_DESCRIPTION_LENGTH,
  MAX_WEBHOOK_URL_LENGTH,
  MAX_WEBHOOKS,
  SECRET_GRACE_MINUTES,
  WEBHOOK_FAILURES,
} from "./policy";

/* Event types. Fields of `data` are named as in the API. */

const domainName = f.text("Domain of the site.", "example.com");
const channel = f.text("Channel of the connection.", "telegram");
const label = f.text("Label of the connection.", "Kaya Kahve bot");
const plan = f.text("Name of the plan.", "Pro");

const siteFields = {
  id: recordId,
  domain: domainName,
  user_id: recordId.meta({ description: "ID of the account that owns the site." }),
};
const subscription = f.namedObject("SubscriptionEvent", "A subscription that changed.", {
  id: recordId,
  plan,
  is_trial: f.boolean("True for a free trial.", false),
  user_id: recordId.meta({ description: "ID of the account." }),
  ends_at: expiry.meta({ description: "When the subscription ends." }),
});

interface EventType {
  summary: string;
  data: z.ZodObject;
}

export const WEBHOOK_EVENTS = {
  "user.created": {
    summary: "An account was opened by registration, an identity provider or an invitation",
    data: f.namedObject("UserCreatedEvent", "An account that was opened.", {
      id: recordId,
      role: f.oneOf(["user", "reseller", "admin"], "Role of the account.", "user"),
      reseller_id: f.nullable(recordId, "ID of the reseller's account; null if none."),
      created_at: createdAt,
    }),
  },
  "user.deleted": {
    summary: "An account was deleted, or anonymised because records must be kept",
    data: f.namedObject("UserDeletedEvent", "An account that was deleted.", {
      id: recordId,
      mode: f.oneOf(
        ["deleted", "anonymized"],
        "`deleted`: all data was deleted. `anonymized`: records that must be kept remain without personal data.",
        "deleted",
      ),
    }),
  },
  "site.created": {
    summary: "A site was created",
    data: f.namedObject("SiteCreatedEvent", "A site that was created.", {
      ...siteFields,
      created_at: createdAt,
    }),
  },
  "site.suspended": {
    summary: "A site was suspended by a person or because it is not paid for",
    data: f.namedObject("SiteSuspendedEvent", "A site that was suspended.", {
      ...siteFields,
      suspended_reason: f.oneOf(
        ["owner", "licence_unpaid", "subscription_ended", "administrator"],
        "Why the site was suspended. `owner`: by its owner, their parent account or their reseller. `licence_unpaid`: the licence was not renewed. " +
          "`subscription_ended`: the subscription ended. `administrator`: by an administrator.",
        "licence_unpaid",
      ),
    }),
  },
  "site.deleted": {
    summary: "A site was deleted",
    data: f.namedObject("SiteDeletedEvent", "A site that was deleted.", siteFields),
  },
  "connection.token_dead": {
    summary: "A provider has refused the token of a channel connection twice",
    data: f.namedObject("ConnectionTokenDeadEvent", "A connection whose token no longer works.", {
      id: recordId,
      channel,
      label,
      site_ids: f.list(recordId, "IDs of the sites that the connection serves."),
    }),
  },
  "connection.cleaned": {
    summary: "A channel connection was cleaned up; `receipt_id` identifies the clean-up",
    data: f.namedObject("ConnectionCleanedEvent", "A connection that was cleaned up.", {
      id: recordId,
      channel,
      label,
      receipt_id: f.text("ID of the clean-up.", "01KB3M5Q7R9T2V4W6X8Y0Z1A3C"),
    }),
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
    data: f.namedObject("InvoiceReadyEvent", "An invoice that is ready.", {
      id: recordId,
      payment_id: recordId.meta({ description: "ID of the payment." }),
      number: f.nullable(z.string(), "Number of the invoice; null if it has none.", "TEL2027000000042"),
    }),
  },
  "webhook.test": {
    summary: "A test event was requested; `id` is the ID of the webhook",
    data: f.namedObject("WebhookTestEvent", "The webhook that was tested.", { id: recordId }),
  },
} as const satisfies Record<string, EventType>;

export type WebhookEventType = keyof typeof WEBHOOK_EVENTS;
export type WebhookData<T extends WebhookEventType> = z.input<(typeof WEBHOOK_EVENTS)[T]["data"]>;

export const SUBSCRIBABLE_EVENTS = (Object.keys(WEBHOOK_EVENTS) as WebhookEventType[]).filter(
  (type) => type !== "webhook.test",
);

/** Signed body of an event. Every attempt sends the same bytes. */
export function buildWebhookBodySchema(type: WebhookEventType) {
  return z.object({
    type: z.literal(type).meta({ description: "Type of the event." }),
    timestamp: timestamp.meta({ description: "When the event happened." }),
    data: WEBHOOK_EVENTS[type].data,
  });
}

const eventType = f.oneOf(
  SUBSCRIBABLE_EVENTS as [WebhookEventType, ...WebhookEventType[]],
  "Type of the event.",
  "site.created",
);

const url = webAddress({ max: MAX_WEBHOOK_URL_LENGTH })
  .refine(isWebhookUrl, { error: "validation.webhook_url" })
  .meta({
    description:
      "HTTPS URL that receives the events: port 443 or 8443 at a public host, without user name, password or fragment.",
    example: "https://example.com/webhooks/tellal",
  });
const events = z.array(eventType).max(SUBSCRIBABLE_EVENTS.length);
const description = textLine({ max: MAX_WEBHOOK_DESCRIPTION_LENGTH }).meta({ example: "Order desk" });
const failure = z.enum(WEBHOOK_FAILURES).meta({ example: "status" });
const FAILURE_DESCRIPTION =
  "Kind of failure; null if delivered. `dns`: the host has no address. `private_address`: the address is not public. " +
  "`connect`: the connection was refused or closed. `tls`: the certificate is not valid. `timeout`: no response " +
  "within 15 seconds (test: ten). `redirect`: the receiver responded with a redirect, which is not " +
  "followed. `status`: it responded with another status than 2xx.";
const httpStatus = z.int().meta({ example: 503 });
const milliseconds = f.integer("Duration in milliseconds.", 184);
const secret = z.string().meta({ example: "whsec_…" });

const WebhookEndpoint = f.namedObject("WebhookEndpoint", "A webhook endpoint.", {
  id: recordId,
  url: f.text("URL that receives the events.", "https://example.com/webhooks/tellal"),
  events: f.list(eventType, "Event types to send; empty for all."),
  description: f.nullable(z.string(), "Description by the owner; null if none.", "Order desk"),
  is_active: f.boolean("True when the webhook is switched on.", true),
  disabled_reason: f.nullable(
    z.enum(DISABLED_REASONS),
    "Why the webhook was switched off; null while it is on. `person`: by its owner. `gone`: the receiver responded 410. " +
      "`failing`: no attempt succeeded for three days, and at least 20 failed.",
    null,
  ),
  secret_last_four: f.text("Last four characters of the signing secret.", "x7Qk"),
  old_secret_until: f.nullable(
    expiry,
    "Time until which the replaced secret also signs; null if only the current secret signs.",
    null,
  ),
  failures: count.meta({ description: "Number of failed attempts since the last success.", example: 0 }),
  failing_since: f.nullable(
    timestamp,
    "When the first attempt after the last success failed; null if none failed.",
    null,
  ),
  last_ok_at: f.nullable(timestamp, "When an attempt last succeeded, test events included; null if never."),
  created_at: createdAt,
});

const WebhookAttempt = f.namedObject("WebhookAttempt", "An attempt to deliver an event.", {
  at: timestamp.meta({ description: "When the attempt was made." }),
  error: f.nullable(failure, FAILURE_DESCRIPTION),
  status_code: f.nullable(httpStatus, "HTTP status of the receiver; null without a response."),
  duration_ms: milliseconds,
});

const WebhookDelivery = f.namedObject("WebhookDelivery", "A delivery of an event to a webhook.", {
  id: recordId,
  webhook_id: f.text(
    "ID of the event and value of the header `webhook-id`; the same for all attempts and replays.",
    "msg_01KB3M5Q7R9T2V4W6X8Y0Z1A3C",
  ),
  type: eventType,
  state: f.oneOf(
    DELIVERY_STATES,
    "State of the delivery. `waiting`: an attempt is planned or in progress. `delivered`: the receiver responded 2xx. " +
      "`failed`: all attempts failed. `cancelled`: the webhook was switched off before the receiver " +
      "accepted the event.",
    "waiting",
  ),
  next_attempt_at: f.nullable(
    timestamp,
    "When the next attempt starts; null if none is planned.",
    "2027-11-20T09:35:00.000000Z",
  ),
  delivered_at: f.nullable(timestamp, "When the receiver accepted it; null if not yet.", null),
  created_at: createdAt,
  payload: z.record(z.string(), z.unknown()).meta({
    description: "Body of the request.",
    example: {
      type: "site.created",
      timestamp: "2027-11-20T09:30:00.000000Z",
      data: { id: 7, domain: "example.com", user_id: 7, created_at: "2027-11-20T09:30:00.000000Z" },
    },
  }),
  attempts: f.list(WebhookAttempt, "Attempts, newest first; at most 20."),
});

const READ_ACCESS = { tag: "Webhooks", access: "token", viewAs: false } as const;
const WRITE_ACCESS = { ...READ_ACCESS, ability: "*" } as const;
const BY_ID = byId("WebhookEndpoint");

export const listWebhooks = operation({
  id: "listWebhooks",
  method: "GET",
  path: "/api/webhooks",
  ...READ_ACCESS,
  summary: "List the webhooks of the account",
  description:
    "Oldest first; `data` repeats `webhooks`. Only the last four characters of a secret are shown.",
  output: listOutput("webhooks", WebhookEndpoint, "Webhooks of the account, oldest first."),
});

export const WEBHOOK_PERIODS = ["7d", "24h", "30d", "90d"] as const;

export const getWebhookSeries = operation({
  id: "getWebhookSeries",
  method: "GET",
  path: "/api/webhooks/series",
  ...READ_ACCESS,
  summary: "Get webhook deliveries over time",
  description:
    "Counts deliveries in the interval in which they were created. Deliveries are kept for a limited time, see `kept_days` of " +
    "`GET /api/webhooks/{id}/deliveries`; earlier intervals are empty.",
  query: seriesQuery({
    periods: WEBHOOK_PERIODS,
    filters: { webhook_id: f.nullish(queryId, "Only this webhook; all of the account when omitted.") },
  }),
  output: f.success({
    data: series("WebhookSeries", "Webhook deliveries over time.", {
      delivered: "deliveries accepted at the first attempt.",
      retried: "deliveries accepted after at least one failed attempt.",
      waiting: "deliveries that will be tried again.",
      failed: "deliveries whose attempts all failed, or that were cancelled.",
    }),
  }),
  errors: ["record_not_found"],
});

export const createWebhook = operation({
  id: "createWebhook",
  method: "POST",
  path: "/api/webhooks",
  ...WRITE_ACCESS,
  summary: "Create a webhook",
  description: `Sends events to \`url\` as POST requests, signed as defined by Standard Webhooks. Parents, resellers and administrators also get events of the accounts they manage. A deactivated account gets no events. Failed attempts are retried with growing intervals. An empty or omitted \`events\` means all types, including future ones. Only this response contains the \`secret\`. An account can have ${MAX_WEBHOOKS} webhooks; another one is refused with \`webhooks_full\`. If a webhook of the account already has the URL, the response is a field error of \`url\` (422). Agents cannot have webhooks.`,
  limit: { points: 20, per: 3600, by: "account", durable: true },
  idempotent: true,
  body: z.object({
    url,
    events: f.nullish(events, "Event types to send; all when empty or omitted."),
    description: f.nullish(description, "Description for the owner."),
  }),
  status: 201,
  output: f.changeOutput({
    webhook: WebhookEndpoint,
    secret: secret.meta({ description: "Signing secret; shown once." }),
  }),
  errors: ["webhooks_full"],
});

export const getWebhook = operation({
  id: "getWebhook",
  method: "GET",
  path: "/api/webhooks/{id}",
  ...READ_ACCESS,
  ...BY_ID,
  summary: "Get a webhook",
  output: f.success({ webhook: WebhookEndpoint }),
});

export const updateWebhook = operation({
  id: "updateWebhook",
  method: "PUT",
  path: "/api/webhooks/{id}",
  ...WRITE_ACCESS,
  ...BY_ID,
  summary: "Change a webhook",
  description: `Omitted fields stay unchanged. A \`description\` of null removes the description. Switching a webhook off cancels its waiting deliveries, and it gets no events until it is switched on. Switching it on resets its failures. A new \`url\` also resets them, and waiting deliveries are sent to it immediately. ${EXPECTED_DESCRIPTION}`,
  body: z.object({
    url: f.nullish(url, "HTTPS URL that receives the events: port 443 or 8443 at a public host."),
    events: f.nullish(events, "Event types to send; all when empty."),
    description: f.nullish(description, "Description for the owner; null removes it."),
    is_active: f.nullish(
      flag.meta({ example: true }),
      "True to switch the webhook on, false to switch it off.",
    ),
    expected: expectedField({
      url: f.nullish(z.string(), "Value the caller last saw.", "https://example.com/webhooks/tellal"),
      events: f.nullish(z.array(z.string().meta({ example: "site.created" })), "Value the caller last saw."),
      description: f.nullish(z.string(), "Value the caller last saw.", "Order desk"),
      is_active: f.nullish(z.boolean(), "Value the caller last saw."),
    }),
  }),
  output: f.changeOutput({ webhook: WebhookEndpoint }),
  errors: ["stale"],
});

export const deleteWebhook = operation({
  id: "deleteWebhook",
  method: "DELETE",
  path: "/api/webhooks/{id}",
  ...WRITE_ACCESS,
  ...BY_ID,
  summary: "Delete a webhook",
  description:
    "Also deletes its deliveries, including waiting ones. An attempt in progress may still arrive.",
  output: Done,
});

export const renewWebhookSecret = operation({
  id: "renewWebhookSecret",
  method: "POST",
  path: "/api/webhooks/{id}/secret",
  ...WRITE_ACCESS,
  ...BY_ID,
  summary: "Create a new secret for a webhook",
  description:
    "Only this response contains the secret. The previous secret also signs for `grace_minutes`, so that a receiver can " +
    "switch without a gap. Secrets before that one stop signing immediately. Needs a recent proof of identity.",
  limit: { points: 10, per: 60, by: "account", durable: true },
  body: z.object({
    grace_minutes: f.nullish(
      z.int().min(0).max(SECRET_GRACE_MINUTES.max),
      "Minutes for which the previous secret also signs; at most a week, default: a day. 0 ends it immediately.",
      SECRET_GRACE_MINUTES.default,
    ),
  }),
  output: f.changeOutput({
    webhook: WebhookEndpoint,
    secret: secret.meta({ description: "New signing secret; shown once." }),
  }),
  errors: ["identity_unproven"],
});

export const testWebhook = operation({
  id: "testWebhook",
  method: "POST",
  path: "/api/webhooks/{id}/test",
  ...WRITE_ACCESS,
  ...BY_ID,
  summary: "Send a test event to a webhook",
  description:
    "Makes one attempt to send `webhook.test`, even to a webhook that is switched off, and waits at most ten seconds. " +
    "The response is 200 whether or not the receiver accepted the event: check `delivered`. It never contains the content " +
    "of the receiver's response. The attempt is not retried and not listed among the deliveries.",
  limit: { points: 10, per: 60, by: "account", isDocumented: true, durable: true },
  output: f.success({
    delivered: f.boolean("True when the receiver accepted the event.", false),
    status_code: f.nullable(httpStatus, "HTTP status of the receiver; null without a response."),
    duration_ms: milliseconds,
    error: f.nullable(failure, FAILURE_DESCRIPTION),
  }),
});

export const listWebhookDeliveries = operation({
  id: "listWebhookDeliveries",
  method: "GET",
  path: "/api/webhooks/{id}/deliveries",
  ...READ_ACCESS,
  ...BY_ID,
  summary: "List the deliveries of a webhook",
  description:
    "Newest first, in pages, with the latest attempts. Deliveries are deleted `kept_days` days after their event.",
  query: z
    .object({
      state: f.nullish(z.enum(DELIVERY_STATES), "Only deliveries in this state.", "failed"),
      type: f.nullish(eventType, "Only deliveries of this event type."),
    })
    .extend(pageQuery.shape),
  output: listOutput("deliveries", WebhookDelivery, "Deliveries on this page.", {
    kept_days: f.integer("Days after which events and their deliveries are deleted.", 30),
    meta: PageMeta,
  }),
});

export const replayWebhookDelivery = operation({
  id: "replayWebhookDelivery",
  method: "POST",
  path: "/api/webhook-deliveries/{id}/replay",
  ...WRITE_ACCESS,
  ...byId("WebhookDelivery"),
  summary: "Send a delivery again",
  description:
    "Queues the delivery again in any state, with the same `webhook-id` and all retries. A waiting delivery " +
    "is sent immediately and keeps its remaining retries. Earlier attempts stay listed. 422 " +
    "`webhook_disabled` while the webhook is switched off.",
  limit: { points: 30, per: 60, by: "account" },
  output: f.changeOutput({ delivery: WebhookDelivery }),
  errors: ["webhook_disabled"],
});

export const replayFailedDeliveries = operation({
  id: "replayFailedDeliveries",
  method: "POST",
  path: "/api/webhooks/{id}/replay-failed",
  ...WRITE_ACCESS,
  ...BY_ID,
  summary: "Send failed deliveries again",
  description:
    "Queues all failed and cancelled deliveries of events since `since` again, with all retries. 422 " +
    "`webhook_disabled` while the webhook is switched off.",
  limit: { points: 5, per: 3600, by: "account", durable: true },
  body: z.object({
    since: z.iso.datetime({ offset: true }).meta({
      description: "Time from which events are sent again, with time zone.",
      example: "2027-11-20T09:30:00Z",
    }),
  }),
  output: f.changeOutput({ count: count.meta({ description: "Number of deliveries queued again." }) }),
  errors: ["webhook_disabled"],
});
