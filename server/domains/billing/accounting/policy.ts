import type { DocumentState } from "@/server/infrastructure/database/generated/enums";

/** The steps of an invoice, one after the other. */
export const STEPS = ["queued", "contact", "invoice", "payment", "edocument", "polling", "pdf"] as const;
export type Step = (typeof STEPS)[number];

/** States that jobs work at by themselves. */
export const OPEN = [...STEPS, "cancelling"] as const satisfies DocumentState[];
/** States in which the law's clock has stopped. */
export const CLOSED = ["done", "skipped", "cancelling", "cancelled"] as const satisfies DocumentState[];

/** Why a step did not succeed. `transient` and `protocol` are tried again, `credentials` and `refused` pause everything. */
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

/** What a person types to confirm that an invoice is never to be made. */
export const SKIP_WORDS = {
  tr: "ATLA",
  en: "SKIP",
  ru: "ПРОПУСТИТЬ",
  de: "ÜBERSPRINGEN",
  ar: "تخطي",
  fr: "IGNORER",
  it: "SALTA",
} as const;
