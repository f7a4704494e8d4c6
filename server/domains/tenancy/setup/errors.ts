import type { ErrorSpecs } from "@/server/core/errors";

export const setupErrors = {
  setup_closed: { status: 400, shape: "refusal" },
} as const satisfies ErrorSpecs;

type SetupErrors = typeof setupErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends SetupErrors {}
}
