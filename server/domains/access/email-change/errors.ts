import type { ErrorSpecs } from "@/server/core/errors";

export const emailChangeErrors = {
  email_change_invalid: { status: 400, shape: "refusal" },
} as const satisfies ErrorSpecs;

type EmailChangeErrors = typeof emailChangeErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends EmailChangeErrors {}
}
