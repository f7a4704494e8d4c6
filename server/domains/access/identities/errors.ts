import type { ErrorSpecs } from "@/server/core/errors";

export const identityErrors = {
  identity_token_invalid: { status: 401, shape: "failure" },
  identity_audience_wrong: { status: 401, shape: "failure" },
  identity_email_unverified: { status: 403, shape: "failure" },
  identity_email_taken: { status: 403, shape: "failure" },
  identity_without_email: { status: 422, shape: "failure" },
  identity_in_use: { status: 422, shape: "failure" },
  identity_not_configured: { status: 500, shape: "failure" },
  identity_provider_down: { status: 503, shape: "failure" },
} as const satisfies ErrorSpecs;
