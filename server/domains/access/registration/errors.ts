import type { ErrorSpecs } from "@/server/core/errors";

export const registrationErrors = {
  sign_up_refused: { status: 422, shape: "failure" },
  sign_up_closed: { status: 403, shape: "failure" },
  sign_up_by_invitation: { status: 403, shape: "failure" },
} as const satisfies ErrorSpecs;
