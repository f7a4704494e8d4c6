import { toFormError } from "@/components/form/form-error";

/** What went wrong in a ceremony, as a key of `passkeys.problem`; undefined when the server reported it. */
export type Problem = "cancelled" | "known" | "insecure" | "failed";

/** Maps a browser's error by its name: the texts of such errors are for developers. */
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
