import type { ErrorSpecs } from "@/server/core/errors";

export const webhookErrors = {
  /** The account already has MAX_WEBHOOKS webhooks. */
  webhooks_full: { status: 422, shape: "failure" },
  webhook_disabled: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
