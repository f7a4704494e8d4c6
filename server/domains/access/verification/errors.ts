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
