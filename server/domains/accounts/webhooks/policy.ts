export const WEBHOOKS_MAX = 10;
export const WEBHOOK_URL_MAX = 2048;
export const WEBHOOK_DESCRIPTION_MAX = 200;

/** Minutes that a replaced secret also signs: at most a week, by default a day. */
export const SECRET_GRACE_MINUTES = { max: 10_080, default: 1_440 };

/** Days of failures without a success after which the owner is notified and the endpoint switched off. */
export const FAILING_DAYS = { notify: 1, disable: 3 };
export const FAILURES_MIN = 20;

/** `person`: by its owner. `gone`: it responded 410. `failing`: after days of failures. */
export const DISABLED_REASONS = ["person", "gone", "failing"] as const;

/** `cancelled`: the endpoint was switched off before the delivery. */
export const DELIVERY_STATES = ["waiting", "delivered", "failed", "cancelled"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

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

/** Checks the form of a URL. Each attempt checks the resolved address. */
export function isWebhookUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password || text.includes("#")) return false;
  return url.protocol === "https:" || url.protocol === "http:";
}
