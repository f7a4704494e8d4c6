import type { ErrorSpecs } from "@/server/core/errors";

export const paymentErrors = {
  licence_not_pending: { status: 422, shape: "failure" },
  /** A running renewal of the subscription must be reversed first. */
  payment_renewed: { status: 422, shape: "failure" },
  payment_reversed: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
