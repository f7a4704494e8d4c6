import type { ErrorSpecs } from "@/server/core/errors";

export const additionReviewErrors = {
  review_invalid: { status: 400, shape: "refusal" },
} as const satisfies ErrorSpecs;

type AdditionReviewErrors = typeof additionReviewErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends AdditionReviewErrors {}
}
