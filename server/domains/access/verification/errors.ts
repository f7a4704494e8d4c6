import type { ErrorSpecs } from "@/server/core/errors";

export const verificationErrors = {
  verification_invalid: { status: 400, shape: "refusal" },
  verification_repeated: { status: 400, shape: "refusal" },
  email_needs_verification: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;

type VerificationErrors = typeof verificationErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends VerificationErrors {}
}

export const emailChangeErrors = {
  email_change_invalid: { status: 400, shape: "refusal" },
} as const satisfies ErrorSpecs;

type EmailChangeErrors = typeof emailChangeErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends EmailChangeErrors {}
}

export const phoneErrors = {
  sms_unavailable: { status: 422, shape: "failure" },
  phone_missing: { status: 422, shape: "failure" },
  phone_invalid: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;

type PhoneErrors = typeof phoneErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends PhoneErrors {}
}
