import type { ErrorSpecs } from "@/server/core/errors";

export const preferenceErrors = {
  /** The account already has MAX_VIEWS_PER_LIST saved views of the list. */
  views_full: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
