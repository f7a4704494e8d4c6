import type { ErrorSpecs } from "@/server/core/errors";

export const accountDeletionErrors = {
  deletion_word_wrong: { status: 422, shape: "failure" },
  deletion_needs_code: { status: 422, shape: "failure" },
  last_administrator: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
