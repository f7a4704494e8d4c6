import type { ErrorSpecs } from "@/server/core/errors";

export const mailLogErrors = {
  mail_waits: { status: 422, shape: "failure" },
  mail_erased: { status: 422, shape: "failure" },
  mail_opens: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;

type MailLogErrors = typeof mailLogErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends MailLogErrors {}
}
