import type { DocumentState } from "@/server/infrastructure/database/generated/enums";

/** Processing steps in order. The state of an invoice is its current step. */
export const STEP_STATES = [
  "queued",
  "contact",
  "invoice",
  "payment",
  "edocument",
  "polling",
  "pdf",
] as const;
export type Step = (typeof STEP_STATES)[number];

/** States that jobs process without an administrator. */
export const PROCESSING_STATES = [...STEP_STATES, "cancelling"] as const satisfies DocumentState[];
/** States to which the legal deadline applies. Queries name these, because an index finds no "other than". */
export const STATES_WITH_DEADLINE = [
  ...STEP_STATES,
  "needs_data",
  "failed",
] as const satisfies DocumentState[];

/**
 * `transient`, `protocol` and `storage` are retried; `credentials` and `refused` pause invoicing; `data`
 * waits for billing details; an administrator handles the others. contract.ts describes each: add new values
 * there and to the texts.
 */
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
