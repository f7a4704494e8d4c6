import { useTranslations } from "next-intl";
import { toFormError } from "@/components/api/form-error";

export type Problem = "cancelled" | "known" | "insecure" | "failed";

/** Maps a browser's error by name: its text is for developers. Undefined for a server's error. */
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

export function usePasskeyProblem(): (error: unknown) => string | undefined {
  const t = useTranslations("auth.passkey.problem");
  return (error) => {
    const problem = problemOf(error);
    return problem && t(problem);
  };
}
