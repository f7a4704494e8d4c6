import type { ErrorSpecs } from "@/server/core/errors";

export const passkeyErrors = {
  passkey_refused: { status: 401, shape: "failure" },
  passkey_invalid: { status: 422, shape: "failure" },
  passkey_known: { status: 422, shape: "failure" },
  passkeys_full: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
