export const MAX_WEBHOOKS = 10;
export const MAX_WEBHOOK_URL_LENGTH = 2048;
export const MAX_WEBHOOK_DESCRIPTION_LENGTH = 200;

/** Minutes that a replaced secret also signs: at most a week, by default a day. */
export const SECRET_GRACE_MINUTES = { max: 10_080, default: 1_440 };

/** Days without a success after which the owner is notified, and after which the endpoint is switched off. */
export const FAILING_DAYS = { notify: 1, disable: 3 };
export const MIN_FAILURES_TO_DISABLE = 20;

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
