import type { ErrorSpecs } from "@/server/core/errors";

export const teamErrors = {
  invitation_invalid: { status: 400, shape: "refusal" },
  invitation_address_taken: { status: 422, shape: "failure" },
  member_held: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
