import type { ErrorSpecs } from "@/server/core/errors";

export const customerErrors = {
  /** Deactivated by another role than a reseller, so the reseller cannot activate the account. */
  customer_held: { status: 422, shape: "failure" },
  customer_notes_full: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
