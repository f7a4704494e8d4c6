/** The most endpoints of an account. */
export const WEBHOOKS_MAX = 10;
/** The longest address, in characters. */
export const WEBHOOK_URL_MAX = 2048;
export const WEBHOOK_DESCRIPTION_MAX = 200;

/** How long a replaced secret signs along, in minutes: a week at most, a day unless told. */
export const SECRET_GRACE = { max: 10_080, usual: 1_440 };

/** An endpoint is told of its failures after a day of nothing else, and switched off after three. */
export const FAILING_DAYS = { notify: 1, off: 3 };
/** With fewer failed attempts than these it is never switched off. */
export const FAILURES_MIN = 20;

/** Why an endpoint is switched off: by a person, because it answered 410, or for days of failures. */
export const DISABLED_REASONS = ["person", "gone", "failing"] as const;

/** What becomes of a delivery. `cancelled`: its endpoint was switched off before it could be delivered. */
export const DELIVERY_STATES = ["waiting", "delivered", "failed", "cancelled"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * Why an attempt failed: the host has no address, has a private one, refused the connection or ended it, has no valid
 * certificate, took too long, answered with a redirect, or with another status than 2xx.
 */
export const WEBHOOK_FAILURES = [
  "dns",
  "private_address",
  "connect",
  "tls",
  "timeout",
  "redirect",
  "status",
] as const;
export type WebhookFailure = (typeof WEBHOOK_FAILURES)[number];

/** Whether such an address can be an endpoint at all; where its host leads to shows at each attempt. */
export function isWebhookUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password || text.includes("#")) return false;
  return url.protocol === "https:" || url.protocol === "http:";
}
