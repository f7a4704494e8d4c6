import type { ErrorSpecs } from "@/server/core/errors";

export const paymentErrors = {
  licence_not_pending: { status: 422, shape: "failure" },
  payment_renewed: { status: 422, shape: "failure" },
  payment_reversed: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
