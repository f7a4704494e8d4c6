import type { ErrorSpecs } from "@/server/core/errors";

export const payoutErrors = {
  payout_changed: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
