import type { ErrorSpecs } from "@/server/core/errors";

export const accountingErrors = {
  /** It is done, cancelled, or not in the state that this is for. */
  document_closed: { status: 422, shape: "failure" },
  /** Something was sent already, or is being sent. */
  document_begun: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
