import { toFormError } from "@/components/form/form-error";

/** What went wrong in a ceremony, as a key of `passkeys.problem`; undefined when the server has said it. */
export type Problem = "cancelled" | "known" | "insecure" | "failed";

/** A browser's own error, by its name: their texts are for developers. */
export function problemOf(error: unknown): Problem | undefined {
  if (toFormError(error).message) return undefined;
  switch ((error as Error | undefined)?.name) {
    case "NotAllowedError":
    case "AbortError":
      return "cancelled";
    case "InvalidStateError":
      return "known";
    case "SecurityError":
      return "insecure";
    default:
      return "failed";
  }
}
