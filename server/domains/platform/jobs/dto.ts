import { redactText } from "@/server/core/redact";

const ERROR_MAX_LENGTH = 500;

/** Removes secrets and addresses before it truncates: a truncated secret would not be recognised. */
export function redactError(error: string | null): string | null {
  return error === null ? null : String(redactText(error)).slice(0, ERROR_MAX_LENGTH);
}
