import { useTranslations } from "next-intl";
import { toFormError } from "@/components/api/form-error";

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

/** What to say of a ceremony that failed; undefined when the server has said it. */
export function usePasskeyProblem(): (error: unknown) => string | undefined {
  const t = useTranslations("auth.passkey.problem");
  return (error) => {
    const problem = problemOf(error);
    return problem && t(problem);
  };
}
