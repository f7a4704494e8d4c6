import { useTranslations } from "next-intl";
import { toFormError } from "@/components/api/form-error";

/** Key of `passkeys.problem` for a failed ceremony. */
export type Problem = "cancelled" | "known" | "insecure" | "failed";

/**
 * Maps a browser's error by name, because its text is for developers. Undefined for an error of the server.
 */
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

/** Translates {@link problemOf}. */
export function usePasskeyProblem(): (error: unknown) => string | undefined {
  const t = useTranslations("auth.passkey.problem");
  return (error) => {
    const problem = problemOf(error);
    return problem && t(problem);
  };
}
