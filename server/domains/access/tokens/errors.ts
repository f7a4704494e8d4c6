import type { ErrorSpecs } from "@/server/core/errors";

export const tokenErrors = {
  last_way_in: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
