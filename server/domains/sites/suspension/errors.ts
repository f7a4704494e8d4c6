import type { ErrorSpecs } from "@/server/core/errors";

export const suspensionErrors = {
  /** An administrator suspended the site, and the caller is none. */
  site_held: { status: 403, shape: "failure" },
} as const satisfies ErrorSpecs;

type SuspensionErrors = typeof suspensionErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends SuspensionErrors {}
}
