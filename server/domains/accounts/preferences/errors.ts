import type { ErrorSpecs } from "@/server/core/errors";

export const preferenceErrors = {
  views_full: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
