import type { ErrorSpecs } from "@/server/core/errors";

export const importErrors = {
  import_begun: { status: 422, shape: "failure" },
  import_unmapped: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
