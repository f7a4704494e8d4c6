import type { ErrorSpecs } from "@/server/core/errors";

export const portalLockErrors = {
  agreement_unsigned: { status: 403, shape: "failure" },
} as const satisfies ErrorSpecs;

type PortalLockErrors = typeof portalLockErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends PortalLockErrors {}
}
