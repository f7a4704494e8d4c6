import { redactText } from "@/server/core/redact";

const ERROR_MAX = 500;

/** Removes secrets and addresses, then truncates: the other way round could leave half a secret. */
export function redactedError(error: string | null): string | null {
  return error === null ? null : String(redactText(error)).slice(0, ERROR_MAX);
}
