import type { ErrorSpecs } from "@/server/core/errors";

export const savedViewErrors = {
  views_full: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;

type SavedViewErrors = typeof savedViewErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends SavedViewErrors {}
}
