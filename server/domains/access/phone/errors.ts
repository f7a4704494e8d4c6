import type { ErrorSpecs } from "@/server/core/errors";

export const phoneErrors = {
  sms_unavailable: { status: 422, shape: "failure" },
  phone_missing: { status: 422, shape: "failure" },
  phone_invalid: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;

type PhoneErrors = typeof phoneErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends PhoneErrors {}
}
