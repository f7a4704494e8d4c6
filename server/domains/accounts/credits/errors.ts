import type { ErrorSpecs } from "@/server/core/errors";

export const creditErrors = {
  credits_too_low: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;

type CreditErrors = typeof creditErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends CreditErrors {}
}
