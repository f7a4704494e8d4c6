import type { ErrorSpecs } from "@/server/core/errors";

export const portalErrors = {
  /** The reseller has not signed the agreement, or a newer text is required. */
  agreement_unsigned: { status: 403, shape: "failure" },
} as const satisfies ErrorSpecs;
