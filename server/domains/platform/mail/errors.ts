import type { ErrorSpecs } from "@/server/core/errors";

export const mailErrors = {
  mail_waits: { status: 422, shape: "failure" },
  mail_erased: { status: 422, shape: "failure" },
  /** The sent email has a link or code that gives access. */
  mail_opens: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
