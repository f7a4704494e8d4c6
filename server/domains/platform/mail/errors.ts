import type { ErrorSpecs } from "@/server/core/errors";

export const mailErrors = {
  /** The mail is queued. */
  mail_waits: { status: 422, shape: "failure" },
  /** The text of the mail is erased. */
  mail_erased: { status: 422, shape: "failure" },
  /** The sent mail has a link or code that gives access. */
  mail_opens: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
