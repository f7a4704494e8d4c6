import type { ErrorSpecs } from "@/server/core/errors";

export const creditErrors = {
  credits_too_low: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
