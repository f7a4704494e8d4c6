import type { ErrorSpecs } from "@/server/core/errors";

export const accountingErrors = {
  /** The invoice is done, cancelled, or in a state that does not allow the action. */
  document_closed: { status: 422, shape: "failure" },
  document_begun: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
