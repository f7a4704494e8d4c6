import type { ErrorSpecs } from "@/server/core/errors";

export const tokenErrors = {
  /** The last sign-in method cannot be removed. */
  last_way_in: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
