import type { ErrorSpecs } from "@/server/core/errors";

export const payoutErrors = {
  /** `amount` is not the open sum, for example because the sum has changed. */
  payout_changed: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
