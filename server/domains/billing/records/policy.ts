/** States of an invoice. Repeats the database enum `DocumentState`. */
export const DOCUMENT_STATES = [
  "queued",
  "contact",
  "invoice",
  "payment",
  "edocument",
  "polling",
  "pdf",
  "done",
  "needs_data",
  "failed",
  "skipped",
  "cancelling",
  "cancelled",
] as const;
