import { useTranslations } from "next-intl";
import { toFormError } from "@/components/api/form-error";

/** Message keys. `known`: the device already has a passkey of the account. */
export type PasskeyProblem = "cancelled" | "known" | "insecure" | "failed";

/** Maps an error of the browser by its name. Returns undefined for an error of the server. */
export function toPasskeyProblem(error: unknown): PasskeyProblem | undefined {
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

export function useExplainPasskeyProblem(): (error: unknown) => string | undefined {
  const t = useTranslations("auth.passkey.problem");
  return (error) => {
    const problem = toPasskeyProblem(error);
    return problem && t(problem);
  };
}
