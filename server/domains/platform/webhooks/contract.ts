import * as z from "zod";
import { operation } from "@/server/core/contract";
import { PageMeta, pageQuery } from "@/server/core/list";
import {
  count,
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
import { SUBSCRIBABLE, type WebhookEventType } from "@/server/domains/accounts/webhook-events/contract";
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

const subscribed = z
  .enum(SUBSCRIBABLE as [WebhookEventType, ...WebhookEventType[]])
  .meta({ example: "site.created" });

/** https, without a user name, a password or a fragment; port 443 or 8443. */
const url = webAddress({ max: WEBHOOK_URL_MAX })
  .refine(isWebhookUrl, { error: "validation.webhook_url" })
  .meta({ example: "https://example.com/webhooks/tellal" });
/** An empty list is all types. */
const events = z.array(subscribed).max(SUBSCRIBABLE.length);
const description = line({ max: WEBHOOK_DESCRIPTION_MAX }).meta({ example: "Order desk" });
const failure = z.enum(WEBHOOK_FAILURES).meta({ example: "timeout" });
const httpStatus = z.int().meta({ example: 503 });
const milliseconds = z.int().meta({ example: 184 });
const secret = z.string().meta({ example: "whsec_…" });

const WebhookEndpoint = z
  .object({
    id: recordId,
    url: z.string().meta({ example: "https://example.com/webhooks/tellal" }),
    /** Empty: all of them. */
    events: z.array(subscribed),
    description: z.string().nullable().meta({ example: "Order desk" }),
    is_active: z.boolean(),
    disabled_reason: z.enum(DISABLED_REASONS).meta({ example: "gone" }).nullable(),
    secret_last_four: z.string().meta({ example: "x7Qk" }),
    /** Until then the replaced secret signs along. */
    old_secret_until: expiry.nullable(),
    /** Attempts that failed since the last one that did not, and since when. */
    failures: count,
    failing_since: timestamp.nullable(),
    last_ok_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: "WebhookEndpoint" });

const WebhookAttempt = z
  .object({
    at: timestamp,
    /** Null: delivered. */
    error: failure.nullable(),
    status_code: httpStatus.nullable(),
    duration_ms: milliseconds,
  })
  .meta({ id: "WebhookAttempt" });

const WebhookDelivery = z
  .object({
    id: recordId,
    /** The header `webhook-id`: the same over all attempts and replays. */
    webhook_id: z.string().meta({ example: "msg_01KB3M5Q7R9T2V4W6X8Y0Z1A3C" }),
    type: subscribed,
    state: z.enum(DELIVERY_STATES).meta({ example: "waiting" }),
    next_attempt_at: timestamp.nullable(),
    delivered_at: timestamp.nullable(),
    created_at: timestamp,
    /** What is sent as the body. */
    payload: z.record(z.string(), z.unknown()).meta({
      example: {
        type: "site.created",
        timestamp: "2027-11-20T09:30:00.000000Z",
        data: { id: 7, domain: "example.com", user_id: 7, created_at: "2027-11-20T09:30:00.000000Z" },
      },
    }),
    /** The newest first; at most 20. */
    attempts: z.array(WebhookAttempt),
  })
  .meta({ id: "WebhookDelivery" });

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
    "The oldest first; `data` repeats `webhooks`. Secrets are not shown, only their last four characters.",
  status: 200,
  output: z.object({
    success,
    webhooks: z.array(WebhookEndpoint),
    data: z.array(WebhookEndpoint),
    count,
  }),
});

export const createWebhook = operation({
  id: "createWebhook",
  method: "POST",
  path: "/api/webhooks",
  ...CHANGES,
  summary: "Create a webhook",
  description:
    "Events are sent to `url` as signed POST requests, as Standard Webhooks describes: an https address on port 443 or 8443 " +
    "at a public host. `events` empty or left out: all types, also those that are added later. The `secret` is in this response " +
    `only. At most ${WEBHOOKS_MAX} webhooks an account; agents have none.`,
  limit: { points: 20, per: 3600, by: "account", durable: true },
  idempotent: true,
  body: z.object({ url, events: events.nullish(), description: description.nullish() }),
  status: 201,
  output: z.object({ success, message, webhook: WebhookEndpoint, secret }),
  errors: ["webhooks_full"],
});

export const getWebhook = operation({
  id: "getWebhook",
  method: "GET",
  path: "/api/webhooks/{id}",
  ...WEBHOOKS,
  ...ONE,
  summary: "Get a webhook",
  status: 200,
  output: z.object({ success, webhook: WebhookEndpoint }),
  errors: ["record_not_found"],
});

export const updateWebhook = operation({
  id: "updateWebhook",
  method: "PUT",
  path: "/api/webhooks/{id}",
  ...CHANGES,
  ...ONE,
  summary: "Change a webhook",
  description:
    "Missing fields stay unchanged; a `description` of null takes it away. Switched off, it gets nothing and what waits is cancelled; " +
    `switched on, its failures are forgotten. ${EXPECTED_TEXT}`,
  body: z.object({
    url: url.nullish(),
    events: events.nullish(),
    description: description.nullish(),
    is_active: flag.meta({ example: true }).nullish(),
    expected: z
      .object({
        url: z.string().meta({ example: "https://example.com/webhooks/tellal" }).nullish(),
        events: z.array(z.string().meta({ example: "site.created" })).nullish(),
        description: z.string().meta({ example: "Order desk" }).nullish(),
        is_active: z.boolean().nullish(),
      })
      .optional(),
  }),
  status: 200,
  output: z.object({ success, message, webhook: WebhookEndpoint }),
  errors: ["record_not_found", "stale"],
});

export const deleteWebhook = operation({
  id: "deleteWebhook",
  method: "DELETE",
  path: "/api/webhooks/{id}",
  ...CHANGES,
  ...ONE,
  summary: "Delete a webhook",
  description: "With its deliveries, also those that wait.",
  status: 200,
  output: Done,
  errors: ["record_not_found"],
});

export const renewWebhookSecret = operation({
  id: "renewWebhookSecret",
  method: "POST",
  path: "/api/webhooks/{id}/secret",
  ...CHANGES,
  ...ONE,
  summary: "Create a new secret for a webhook",
  description:
    "It is in this response only. The previous one signs along for `grace_minutes` (a day unless given), so that a receiver can " +
    "change over without a gap. Needs a fresh proof of identity.",
  limit: { points: 10, per: 60, by: "account", durable: true },
  body: z.object({
    grace_minutes: z.int().min(0).max(SECRET_GRACE.max).meta({ example: SECRET_GRACE.usual }).nullish(),
  }),
  status: 200,
  output: z.object({ success, message, webhook: WebhookEndpoint, secret }),
  errors: ["record_not_found", "identity_unproven"],
});

export const testWebhook = operation({
  id: "testWebhook",
  method: "POST",
  path: "/api/webhooks/{id}/test",
  ...CHANGES,
  ...ONE,
  summary: "Send a test event to a webhook",
  description:
    "Sends `webhook.test` at once, also to a webhook that is switched off, and waits at most ten seconds. The answer is told by its " +
    "status, its time and a class of failure; its content is never shown. It is tried once and not listed among the deliveries.",
  limit: { points: 10, per: 60, by: "account", named: true, durable: true },
  status: 200,
  output: z.object({
    success,
    delivered: z.boolean().meta({ example: false }),
    status_code: httpStatus.nullable(),
    duration_ms: milliseconds,
    /** Class of the failure; null: delivered. */
    error: failure.nullable(),
  }),
  errors: ["record_not_found"],
});

export const listWebhookDeliveries = operation({
  id: "listWebhookDeliveries",
  method: "GET",
  path: "/api/webhooks/{id}/deliveries",
  ...WEBHOOKS,
  ...ONE,
  summary: "List the deliveries of a webhook",
  description: "Newest first, page by page, each with its attempts; kept for `kept_days`, 30 at first.",
  query: z
    .object({
      state: z.enum(DELIVERY_STATES).meta({ example: "failed" }).nullish(),
      type: subscribed.nullish(),
    })
    .extend(pageQuery.shape),
  status: 200,
  output: z.object({
    success,
    deliveries: z.array(WebhookDelivery),
    data: z.array(WebhookDelivery),
    count,
    /** Days for which administrators keep them. */
    kept_days: z.int().meta({ example: 30 }),
    meta: PageMeta,
  }),
  errors: ["record_not_found"],
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
    "It waits again, whatever became of it, with the same `webhook-id`. Earlier attempts stay listed.",
  limit: { points: 30, per: 60, by: "account" },
  status: 200,
  output: z.object({ success, message, delivery: WebhookDelivery }),
  errors: ["record_not_found", "webhook_disabled"],
});

export const replayFailedDeliveries = operation({
  id: "replayFailedDeliveries",
  method: "POST",
  path: "/api/webhooks/{id}/replay-failed",
  ...CHANGES,
  ...ONE,
  summary: "Send again what could not be delivered",
  description:
    "All deliveries that failed or were cancelled and whose event is not older than `since`; `count` is how many.",
  limit: { points: 5, per: 3600, by: "account", durable: true },
  body: z.object({ since: z.iso.datetime({ offset: true }).meta({ example: "2027-11-20T09:30:00Z" }) }),
  status: 200,
  output: z.object({ success, message, count }),
  errors: ["record_not_found", "webhook_disabled"],
});
