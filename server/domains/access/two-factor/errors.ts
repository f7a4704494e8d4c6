import type { ErrorSpecs } from "@/server/core/errors";

export const twoFactorErrors = {
  code_wrong: { status: 422, shape: "failure" },
  /** The factor is active already: remove it before a new set-up. */
  two_factor_on: { status: 422, shape: "failure" },
  /** The account has no active second factor. */
  two_factor_off: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
