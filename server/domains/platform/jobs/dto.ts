import { redacted } from "@/server/core/redact";

/** Longest error that is shown; what follows is cut. */
const ERROR_MAX = 500;

/** What went wrong, without secrets and addresses. They are taken out before it is cut, so that no half of one is left. */
export function shown(error: string | null): string | null {
  return error === null ? null : String(redacted(error)).slice(0, ERROR_MAX);
}
