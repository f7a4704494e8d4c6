import type { ErrorSpecs } from "@/server/core/errors";

export const snippetErrors = {
  snippets_full: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
