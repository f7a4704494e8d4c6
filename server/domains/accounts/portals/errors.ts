import type { ErrorSpecs } from "@/server/core/errors";

export const portalErrors = {
  agreement_unsigned: { status: 403, shape: "failure" },
} as const satisfies ErrorSpecs;
