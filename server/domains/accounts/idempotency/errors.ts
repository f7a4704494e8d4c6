import type { ErrorSpecs } from "@/server/core/errors";

export const idempotencyErrors = {
  idempotency_in_progress: { status: 409, shape: "failure" },
  idempotency_key_reused: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
