import type { ErrorSpecs } from "@/server/core/errors";

export const factorResetErrors = {
  no_second_factor: { status: 422, shape: "failure" },
  factor_reset_waiting: { status: 422, shape: "failure" },
  second_administrator_missing: { status: 422, shape: "failure" },
  /** Approval by the requesting administrator or the account's owner. */
  own_approval: { status: 422, shape: "failure" },
  factor_reset_over: { status: 422, shape: "failure" },
  factor_reset_invalid: { status: 400, shape: "refusal" },
} as const satisfies ErrorSpecs;
