import type { ErrorSpecs } from "@/server/core/errors";

export const tokenErrors = {
  last_way_in: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;

type TokenErrors = typeof tokenErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends TokenErrors {}
}
