/** Where an invoice stands, in the order of its life. */
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
