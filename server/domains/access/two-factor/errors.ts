import type { ErrorSpecs } from "@/server/core/errors";

export const twoFactorErrors = {
  code_wrong: { status: 422, shape: "failure" },
  two_factor_on: { status: 422, shape: "failure" },
  two_factor_off: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
