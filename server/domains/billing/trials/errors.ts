import type { ErrorSpecs } from "@/server/core/errors";

export const trialErrors = {
  trial_not_offered: { status: 422, shape: "failure" },
  trial_used: { status: 422, shape: "failure" },
  trial_had_plan: { status: 422, shape: "failure" },
  /** Spam guard. */
  trial_refused: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
