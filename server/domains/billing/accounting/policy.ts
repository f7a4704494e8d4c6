import type { DocumentState } from "@/server/infrastructure/database/generated/enums";

export const STEPS = ["queued", "contact", "invoice", "payment", "edocument", "polling", "pdf"] as const;
export type Step = (typeof STEPS)[number];

/** States that jobs process without an administrator. */
export const PROCESSING_STATES = [...STEPS, "cancelling"] as const satisfies DocumentState[];
/** States to which the legal deadline no longer applies. */
export const SETTLED_STATES = [
  "done",
  "skipped",
  "cancelling",
  "cancelled",
] as const satisfies DocumentState[];

/** `transient`, `protocol` and `storage` are retried; `credentials` and `refused` pause invoicing. */
export const PROBLEMS = [
  "transient",
  "protocol",
  "storage",
  "credentials",
  "refused",
  "data",
  "by_hand",
  "amount",
  "document",
] as const;
export type Problem = (typeof PROBLEMS)[number];

/** Confirmation words for skipping an invoice; each language accepts all of them. */
export const SKIP_WORDS = {
  tr: "ATLA",
  en: "SKIP",
  ru: "ПРОПУСТИТЬ",
  de: "ÜBERSPRINGEN",
  ar: "تخطي",
  fr: "IGNORER",
  it: "SALTA",
} as const;
