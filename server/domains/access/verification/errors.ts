import type { ErrorSpecs } from "@/server/core/errors";

export const verificationErrors = {
  verification_invalid: { status: 400, shape: "refusal" },
  /** The link or code was used in the last 24 hours, and the account still has the address. */
  verification_repeated: { status: 400, shape: "refusal" },
  email_needs_verification: { status: 422, shape: "failure" },
  email_change_invalid: { status: 400, shape: "refusal" },
  sms_unavailable: { status: 422, shape: "failure" },
  phone_missing: { status: 422, shape: "failure" },
  phone_invalid: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
