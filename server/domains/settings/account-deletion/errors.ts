import type { ErrorSpecs } from "@/server/core/errors";

export const accountDeletionErrors = {
  /** The typed word is not accepted. */
  deletion_word_wrong: { status: 422, shape: "failure" },
  /** The sign-in is too old for a typed word. */
  deletion_needs_code: { status: 422, shape: "failure" },
  /** The account is the only active administrator. */
  last_administrator: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
